"""The result of a tool as its caller gets it: reduced, with text and structure consistent, and one line about
the cut.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple

from toolbooth import catalog, limits
from toolbooth.catalog.connect import RawResult
from toolbooth.gateway.ledger.piece_counter import PieceCounter
from toolbooth.gateway.reduce.hidden import encoded, in_kb, weight
from toolbooth.gateway.reduce.output_shape import with_note
from toolbooth.gateway.reduce.pipeline import Keep, Reduced, ReduceOptions, reduced
from toolbooth.gateway.results import lines, read_request
from toolbooth.gateway.results.payload import payload
from toolbooth.gateway.results.store import new_ref


def metadata(before: Sequence[str], after: Sequence[str], refs: Sequence[str], notes: Sequence[str]) -> str:
    """`[3.1 of 250 KB, 812 of 61,400 tokens shown, 99% less. For more: read_result(ref='…', …)]`."""
    if not refs:  # nothing was cut, so only the notes are shown
        return f"[{'; '.join(notes)}]"
    whole, shown = sum(map(lines.size, before)), sum(map(lines.size, after))
    count = PieceCounter()
    kept, tokens = sum(map(count, after)), sum(map(count, before))
    about = "" if count.exact else "about "
    said = (
        f"{in_kb(shown)} of {in_kb(whole)}, {kept:,} of {about}{tokens:,} tokens shown, {_less(kept, tokens)}"
    )
    more = " and ".join(f"read_result(ref='{ref}'{HOW if not at else ''})" for at, ref in enumerate(refs))
    return f"[{'; '.join([*notes, said])}. For more: {more}]"


def _less(kept: int, whole: int) -> str:
    """In percent, rounded down: if anything is kept, it is never 100."""
    if not whole or kept >= whole:
        return "nothing less"
    saved = 100 * (1 - kept / whole)
    return f"{int(saved * 10) / 10}% less" if saved >= 99 else f"{int(saved)}% less"


HOW = ", path=JMESPath or query=words or start=line, lines=n"


Item = dict[str, Any]
_APART: Final = 3  # texts that are cut one by one; if there are more, they are joined to one
_LEAST_BUDGET: Final = 1 * limits.KIB
_WRAPPER: Final = "result"  # the key under which SDKs wrap a value that is not an object


class Fitted(NamedTuple):
    """A result that fits, and the steps that were applied: none if it is the very same."""

    result: dict[str, Any]
    steps: tuple[str, ...] = ()


class FittedApart(NamedTuple):
    """What another process made of a result, and the texts to be kept under the refs in it."""

    fitted: Fitted
    kept: dict[str, str]


class _Text(NamedTuple):
    """A text of a result, and the items that contain it: more than one if they are read as one."""

    text: str
    items: range


def fit(result: dict[str, Any], options: ReduceOptions, keep: Keep) -> Fitted:
    """Reduce an answer. Pictures, links, annotations, `isError` and `_meta` are passed on; the rest may be cut."""
    content = result.get("content")
    items: list[Any] = content if isinstance(content, list) else []
    texts, structured = _texts(items), result.get("structuredContent")
    if (
        not options.fields
        and options.settings.limit is None
        and _weight(texts, structured) < options.settings.over
    ):
        return Fitted(result)
    if options.fields and structured is not None and not any(payload(each.text).has_value for each in texts):
        return _structure_for_text(result, items, texts, options, keep)
    cut = [reduced(each.text, _share(each, texts, options), keep) for each in texts]
    structure, further = _in_step(structured, texts, cut, options, keep)
    steps = _steps([*cut, *further])
    notes = [note for each in cut for note in each.notes]
    if not steps and not notes:
        return Fitted(result)
    shown = _replaced(items, texts, [each.text for each in cut]) if _steps(cut) else list(items)
    # Nothing else says where the other fields are
    if options.settings.metadata or notes or "fields" in steps:
        whole = [encoded(structured)] if further else []  # a structure that repeats the text needs no note
        shown.append(_metadata_item([*(each.text for each in texts), *whole], [*cut, *further], notes))
    kept = {} if structured is None else {"structuredContent": structure}
    return Fitted({**result, "content": shown, **kept}, steps)


def fit_apart(result: RawResult, options: ReduceOptions) -> FittedApart:
    """`fit` for a worker process, where no store is. Without a step nothing is returned of the result."""
    kept: dict[str, str] = {}

    def keep(text: str) -> str:
        ref = new_ref()
        kept[ref] = text
        return ref

    read = result.value
    fitted = fit(read, options, keep)
    return FittedApart(Fitted({}) if fitted.result is read else fitted, kept)


def _metadata_item(before: Sequence[str], cut: Sequence[Reduced], notes: list[str]) -> Item:
    refs = dict.fromkeys(each.ref for each in cut if each.ref)
    return {"type": "text", "text": metadata(before, [each.text for each in cut], list(refs), notes)}


def _steps(cut: Sequence[Reduced]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(step for each in cut for step in each.steps))


# -- texts -------------------------------------------------------------------------------------------------
def text_of(item: Any) -> str | None:
    """The text of an item that may be cut; an item of an unknown type is passed on as it is."""
    known = isinstance(item, dict) and item.get("type") in ("text", "resource")
    return catalog.block_text(item) if known else None


def _texts(items: Sequence[Any]) -> list[_Text]:
    found = [
        _Text(text, range(at, at + 1)) for at, item in enumerate(items) if (text := text_of(item)) is not None
    ]
    whole = range(found[0].items.start, found[-1].items.stop) if found else range(0)
    if len(found) <= _APART or len(whole) > len(found) or not _alike(items[whole.start : whole.stop]):
        return found
    return [_Text("\n".join(each.text for each in found), whole)]


def _alike(items: Sequence[Item]) -> bool:
    """Whether the items differ in nothing but their texts: annotations and addresses must not be lost."""
    beside = [{**item, "text": ""} for item in items]
    return all(each["type"] == "text" and each == beside[0] for each in beside)


def _weight(texts: Sequence[_Text], structured: Any) -> int:
    return sum(len(each.text) for each in texts) + (weight(structured) if structured is not None else 0)


def _share(text: _Text, texts: Sequence[_Text], options: ReduceOptions) -> ReduceOptions:
    """The text's share of the budget, by its size; never too little for a placeholder."""
    if len(texts) == 1:
        return options
    part = len(text.text) / max(1, sum(len(each.text) for each in texts))
    budget = max(_LEAST_BUDGET, int(options.settings.max_bytes * part))
    return replace(
        options, settings=replace(options.settings, max_bytes=min(budget, options.settings.max_bytes))
    )


def _replaced(items: Sequence[Any], texts: Sequence[_Text], shown: Sequence[str]) -> list[Any]:
    """Each text in its first item; the other items that it came from are removed."""
    new = dict(zip((each.items.start for each in texts), shown, strict=True))
    inside = {at for each in texts for at in each.items[1:]}
    return [_with_text(item, new.get(at)) for at, item in enumerate(items) if at not in inside]


def _with_text(item: Any, text: str | None) -> Any:
    if text is None or text == text_of(item):
        return item
    if isinstance(item.get("text"), str):
        return {**item, "text": text}
    return {**item, "resource": {**item["resource"], "text": text}}


# -- structure ---------------------------------------------------------------------------------------------
class _Step(NamedTuple):
    structure: Any
    further: tuple[Reduced, ...] = ()


def _in_step(
    structured: Any, texts: Sequence[_Text], cut: Sequence[Reduced], options: ReduceOptions, keep: Keep
) -> _Step:
    """A structure that only repeats the text is cut as the text is; any other one by itself."""
    if structured is None:
        return _Step(None)
    if len(texts) == 1 and (found := _repeats(structured, texts[0].text)):
        return _Step(_allowed(structured, cut[0], options, found) if cut[0].steps else structured)
    cut_structure = reduced(encoded(structured), options, keep)
    shown = _allowed(structured, cut_structure, options) if cut_structure.steps else structured
    return _Step(structured) if shown is structured else _Step(shown, (cut_structure,))


class _Repeated(NamedTuple):
    """How a structure repeats the text: under which key, if any, and whether as a text there."""

    under: str | None = None
    as_text: bool = False


def _repeats(structured: Any, text: str) -> _Repeated | None:
    """SDKs wrap a text, or a value that is not an object, under one key of their own choice."""
    value = payload(text).value
    if value is not None and structured == value:
        return _Repeated()
    if isinstance(structured, dict) and len(structured) == 1:
        key, inner = next(iter(structured.items()))
        if inner == text or (value is not None and inner == value):
            return _Repeated(key, as_text=inner == text)
    return None


def _structure(cut: Reduced, was: _Repeated = _Repeated()) -> Any:  # noqa: B008 - it cannot change
    """What is shown, as a structure again; if it is no longer JSON, as a text in one."""
    under = was.under or _WRAPPER
    if cut.inner is None or was.as_text:
        return {under: cut.text}
    value = catalog.decode(encoded(cut.inner, cut.ref).encode())
    return value if was.under is None else {under: value}


def _allowed(
    structured: Any,
    cut: Reduced,
    options: ReduceOptions,
    was: _Repeated = _Repeated(),  # noqa: B008 - it cannot change
) -> Any:
    """What is shown as a structure that the client accepts; the whole one if there is none."""
    shape, shown = options.shape, _structure(cut, was)
    if shape is None or shape.accepts(shown):
        return shown
    if cut.inner is not None and not was.as_text:
        shown = with_note(cut.inner, cut.ref, was.under)
        if shape.accepts(shown):
            return shown
    return structured


def _structure_for_text(
    result: dict[str, Any], items: Sequence[Any], texts: Sequence[_Text], options: ReduceOptions, keep: Keep
) -> Fitted:
    """Fields were asked for, and only the structure has any: they are shown instead of the text."""
    cut_structure = reduced(encoded(result["structuredContent"]), options, keep)
    if "fields" not in cut_structure.steps:
        return Fitted(
            {**result, "content": [*items, _metadata_item([], [cut_structure], list(cut_structure.notes))]}
            if cut_structure.notes
            else result
        )
    words = "\n".join(each.text for each in texts)
    said = (f"the answer as text: {read_request.call_text(keep(words))}",) if words else ()
    shown = [
        {"type": "text", "text": cut_structure.text},
        *(_without_text(item) for item in items if not _is_plain(item)),
    ]
    line = _metadata_item(
        [words, encoded(result["structuredContent"])], [cut_structure], [*cut_structure.notes, *said]
    )
    content = [*shown, line]
    return Fitted(
        {**result, "content": content, "structuredContent": _structure(cut_structure)}, cut_structure.steps
    )


def _is_plain(item: Any) -> bool:
    """A text with nothing beside it."""
    return isinstance(item, dict) and item.keys() == {"type", "text"} and text_of(item) is not None


def _without_text(item: Any) -> Any:
    """Annotations and the address of a resource stay."""
    return item if text_of(item) is None else _with_text(item, "")


def only_capped(options: ReduceOptions) -> ReduceOptions:
    """No reduction is wanted: only the operator's limit applies."""
    settings = options.settings
    off = dict.fromkeys(("compact", "blobs", "intent", "collapse", "chunks"), False)
    capped = settings.cap is not None
    budget = settings.cap if settings.cap is not None else settings.max_bytes
    return replace(options, settings=replace(settings, **off, truncate=capped, max_bytes=budget))
