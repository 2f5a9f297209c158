"""A tool's result × a cap → the result, its text cut in the middle where it is too long, and the rest under a ref."""

from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

from toolbooth.gateway.results.lines import Lines, size
from toolbooth.gateway.results.placeholder import placeholder
from toolbooth.gateway.results.store import ResultStore

_HEAD: Final = 0.6
_PLACEHOLDER: Final = 130  # bytes: the ref, and numbers of some digits


class _Gap(NamedTuple):
    """What is not shown of all texts joined, as offsets; whether any text follows it; the words in its place."""

    start: int
    end: int
    followed: bool
    words: str


def fit(result: dict[str, Any], cap: int, store: ResultStore, session: str) -> dict[str, Any]:
    """The result itself where its text fits into `cap` bytes; else 60 % of that from its head and 40 % from its tail.

    Only text items are cut: images, links, `structuredContent`, `isError` and `_meta` pass as they are. Several
    text items are one text with a line break between each two.
    """
    content = result.get("content")
    texts = [item["text"] for item in content if _is_text(item)] if isinstance(content, list) else []
    if not isinstance(content, list) or _fits(texts, cap):
        return result
    gap = _gap(Lines("\n".join(texts)), cap, store, session)
    return {**result, "content": list(_shown(content, gap))}


def _fits(texts: Sequence[str], cap: int) -> bool:
    """Characters first: they are known, where bytes may have to be counted."""
    return sum(map(len, texts)) <= cap and sum(map(size, texts)) <= cap


def _is_text(item: Any) -> bool:
    return isinstance(item, dict) and item.get("type") == "text" and isinstance(item.get("text"), str)


def _gap(whole: Lines, cap: int, store: ResultStore, session: str) -> _Gap:
    budget = max(0, cap - _PLACEHOLDER)
    head = whole.fitting_head(int(budget * _HEAD))
    tail = whole.fitting_tail(budget - int(budget * _HEAD), head)
    last = len(whole) - tail
    words = placeholder(store.keep(whole.text, session), head + 1, last - head, whole.breaks_after(head))
    return _Gap(whole.end(head), whole.end(last), tail > 0, words)


def _shown(content: Sequence[Any], gap: _Gap) -> Iterator[Any]:
    """The items, without those that lie in the gap; the first that touches it holds the words in its place."""
    start, said = 0, False
    for item in content:
        if not _is_text(item):
            yield item
            continue
        text = item["text"]
        end = start + len(text)
        if end < gap.start or start >= gap.end:
            yield item
        else:
            parts = [] if said else [_before(text[: max(0, gap.start - start)], gap.words)]
            said = True
            if gap.followed and gap.end <= end:
                parts.append(text[max(0, gap.end - start) :])
            if parts:
                yield {**item, "text": "\n".join(parts)}
        start = end + 1


def _before(head: str, words: str) -> str:
    """The words on a line of their own, behind what is shown before them."""
    return f"{head}{words}" if not head or head.endswith("\n") else f"{head}\n{words}"
