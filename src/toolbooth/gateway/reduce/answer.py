"""The result of a tool × how it may be cut → the result as its caller gets it: text and structure in step."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple

from toolbooth.catalog import decode
from toolbooth.gateway.reduce.hidden import encoded, weight
from toolbooth.gateway.reduce.metadata import metadata
from toolbooth.gateway.reduce.pipeline import Keep, Reduced, Wish, reduced
from toolbooth.gateway.results.payload import payload
from toolbooth.gateway.results.reading.call_text import call_text
from toolbooth.limits import KIB

Item = dict[str, Any]
_APART: Final = 3  # texts that are cut one by one; more of them, one behind the other, are one text
_LEAST_ROOM: Final = 1 * KIB
_WRAPPER: Final = "result"  # the key under which SDKs put what is no object


class Fitted(NamedTuple):
    """A result that fits, and the steps that made it so: none where it is the very same."""

    result: dict[str, Any]
    steps: tuple[str, ...] = ()


class _Text(NamedTuple):
    """A text of a result, and the items that it stands in: more than one where they are read as one."""

    text: str
    items: range


def fit(result: dict[str, Any], wish: Wish, keep: Keep) -> Fitted:
    """Only texts and `structuredContent` are cut: pictures, links, annotations, `isError` and `_meta` pass."""
    content = result.get("content")
    items: list[Any] = content if isinstance(content, list) else []
    texts, structured = _texts(items), result.get("structuredContent")
    if not wish.fields and wish.settings.limit is None and _weight(texts, structured) < wish.settings.over:
        return Fitted(result)
    if wish.fields and structured is not None and not any(payload(each.text).has_value for each in texts):
        return _structure_for_text(result, items, texts, wish, keep)
    cut = [reduced(each.text, _share(each, texts, wish), keep) for each in texts]
    structure, further = _in_step(structured, texts, cut, wish, keep)
    steps = _steps([*cut, *further])
    notes = [note for each in cut for note in each.notes]
    if not steps and not notes:
        return Fitted(result)
    shown = _replaced(items, texts, [each.text for each in cut]) if _steps(cut) else list(items)
    if wish.settings.metadata or notes or "fields" in steps:  # nothing else says where the other fields are
        whole = [encoded(structured)] if further else []  # of one that repeats the text nothing more is said
        shown.append(_line([*(each.text for each in texts), *whole], [*cut, *further], notes))
    kept = {} if structured is None else {"structuredContent": structure}
    return Fitted({**result, "content": shown, **kept}, steps)


def _line(before: Sequence[str], cut: Sequence[Reduced], notes: list[str]) -> Item:
    refs = dict.fromkeys(each.ref for each in cut if each.ref)
    return {"type": "text", "text": metadata(before, [each.text for each in cut], list(refs), notes)}


def _steps(cut: Sequence[Reduced]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(step for each in cut for step in each.steps))


# -- texts -------------------------------------------------------------------------------------------------
def text_of(item: Any) -> str | None:
    """What a model reads of an item: its own text, or that of the resource in it."""
    if not isinstance(item, dict):
        return None
    holder = item.get("resource") if item.get("type") == "resource" else item
    text = holder.get("text") if isinstance(holder, dict) else None
    return text if isinstance(text, str) and item.get("type") in ("text", "resource") else None


def _texts(items: Sequence[Any]) -> list[_Text]:
    found = [
        _Text(text, range(at, at + 1)) for at, item in enumerate(items) if (text := text_of(item)) is not None
    ]
    whole = range(found[0].items.start, found[-1].items.stop) if found else range(0)
    if len(found) <= _APART or len(whole) > len(found) or not _alike(items[whole.start : whole.stop]):
        return found
    return [_Text("\n".join(each.text for each in found), whole)]


def _alike(items: Sequence[Item]) -> bool:
    """Whether nothing but their texts tells them apart: annotations and addresses are not to be lost."""
    beside = [{**item, "text": ""} for item in items]
    return all(each["type"] == "text" and each == beside[0] for each in beside)


def _weight(texts: Sequence[_Text], structured: Any) -> int:
    return sum(len(each.text) for each in texts) + (weight(structured) if structured is not None else 0)


def _share(text: _Text, texts: Sequence[_Text], wish: Wish) -> Wish:
    """Of the room, as much as its part of the whole; never so little that nothing can be said."""
    if len(texts) == 1:
        return wish
    part = len(text.text) / max(1, sum(len(each.text) for each in texts))
    room = max(_LEAST_ROOM, int(wish.settings.max_bytes * part))
    return replace(wish, settings=replace(wish.settings, max_bytes=min(room, wish.settings.max_bytes)))


def _replaced(items: Sequence[Any], texts: Sequence[_Text], shown: Sequence[str]) -> list[Any]:
    """Each text in its first item; the others that it stood in are gone."""
    new = dict(zip((each.items.start for each in texts), shown, strict=True))
    inside = {at for each in texts for at in each.items[1:]}
    return [_with_text(item, new.get(at)) for at, item in enumerate(items) if at not in inside]


def _with_text(item: Any, text: str | None) -> Any:
    if text is None or text == text_of(item):
        return item
    if item.get("type") == "resource":
        return {**item, "resource": {**item["resource"], "text": text}}
    return {**item, "text": text}


# -- structure ---------------------------------------------------------------------------------------------
class _Step(NamedTuple):
    structure: Any
    further: tuple[Reduced, ...] = ()


def _in_step(
    structured: Any, texts: Sequence[_Text], cut: Sequence[Reduced], wish: Wish, keep: Keep
) -> _Step:
    """A structure that only repeats the text is cut as the text is; another one by itself."""
    if structured is None:
        return _Step(None)
    if len(texts) == 1 and (found := _repeats(structured, texts[0].text)):
        return _Step(_structure(cut[0], found) if cut[0].steps else structured)
    own = reduced(encoded(structured), wish, keep)
    return _Step(_structure(own), (own,)) if own.steps else _Step(structured)


class _Repeated(NamedTuple):
    """That a structure says what the text says: under which key, if under one, and whether as a text there."""

    under: str | None = None
    as_text: bool = False


def _repeats(structured: Any, text: str) -> _Repeated | None:
    """SDKs put a text, or what is no object, under one key of their own choice."""
    value = payload(text).value
    if value is not None and structured == value:
        return _Repeated()
    if isinstance(structured, dict) and len(structured) == 1:
        key, inner = next(iter(structured.items()))
        if inner == text or (value is not None and inner == value):
            return _Repeated(key, as_text=inner == text)
    return None


def _structure(cut: Reduced, was: _Repeated = _Repeated()) -> Any:  # noqa: B008 - it cannot change
    """What is shown as a structure again; where it is no JSON any more, as a text in one."""
    under = was.under or _WRAPPER
    if cut.inner is None or was.as_text:
        return {under: cut.text}
    value = decode(encoded(cut.inner, cut.ref).encode())
    return value if was.under is None else {under: value}


def _structure_for_text(
    result: dict[str, Any], items: Sequence[Any], texts: Sequence[_Text], wish: Wish, keep: Keep
) -> Fitted:
    """Fields were asked for, and only the structure has any: they are shown instead of the words."""
    own = reduced(encoded(result["structuredContent"]), wish, keep)
    if "fields" not in own.steps:
        return Fitted(
            {**result, "content": [*items, _line([], [own], list(own.notes))]} if own.notes else result
        )
    words = "\n".join(each.text for each in texts)
    said = (f"the answer in words: {call_text(keep(words))}",) if words else ()
    shown = [
        {"type": "text", "text": own.text},
        *(_without_words(item) for item in items if not _is_plain(item)),
    ]
    line = _line([words, encoded(result["structuredContent"])], [own], [*own.notes, *said])
    content = [*shown, line]
    return Fitted({**result, "content": content, "structuredContent": _structure(own)}, own.steps)


def _is_plain(item: Any) -> bool:
    """A text with nothing beside it."""
    return isinstance(item, dict) and item.keys() == {"type", "text"} and text_of(item) is not None


def _without_words(item: Any) -> Any:
    """Annotations and the address of a resource stay."""
    return item if text_of(item) is None else _with_text(item, "")


def only_capped(wish: Wish) -> Wish:
    """No reduction is wanted: nothing is cut but what the operator caps."""
    settings = wish.settings
    off = dict.fromkeys(("compact", "blobs", "intent", "collapse", "chunks"), False)
    capped = settings.cap is not None
    room = settings.cap if settings.cap is not None else settings.max_bytes
    return replace(wish, settings=replace(settings, **off, truncate=capped, max_bytes=room))
