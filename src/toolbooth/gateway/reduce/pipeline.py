"""The reduction pipeline: the steps that cut a text, in their order, while all of it is kept."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple

from toolbooth import errors, limits
from toolbooth.catalog.config import Reduction
from toolbooth.gateway.reduce import blobs, chunks, hidden, selection
from toolbooth.gateway.reduce.collapse import collapse
from toolbooth.gateway.reduce.output_shape import OutputShape
from toolbooth.gateway.reduce.pieces import Pieces
from toolbooth.gateway.results import lines, relevance
from toolbooth.gateway.results.payload import Payload, payload

# A string as a whole, or whitespace outside of one. Nothing is decoded: digits and repeated keys stay as they
# are.
_STRINGS_AND_BLANKS: Final = re.compile(r'("(?:[^"\\]|\\.)*+"?)|\s+')


def strip_blanks(text: str) -> str:
    """Remove the blanks between the tokens of a JSON text."""
    return _STRINGS_AND_BLANKS.sub(r"\1", text)


Keep = Callable[[str], str]
_SHOWN_NAMES: Final = 20


@dataclass(frozen=True)
class ReduceOptions:
    """How one answer may be cut: what the config says, what the call asks for, and what the client checks."""

    settings: Reduction
    intent: str = ""
    fields: tuple[str, ...] = ()
    shape: OutputShape | None = None


class Reduced(NamedTuple):
    """What is shown, the steps that were applied, its value if it is still JSON, and the ref of the whole.

    `inner` is the value of JSON with text around it.
    """

    text: str
    steps: tuple[str, ...] = ()
    value: Any = None
    ref: str = ""
    notes: tuple[str, ...] = ()
    inner: Any = None


def reduced(text: str, options: ReduceOptions, keep: Keep) -> Reduced:
    """The text itself if it is short, or if cutting it would save next to nothing; `keep` returns a ref."""
    cut = _cut(text, options, keep)
    looked_for = options.settings.intent and options.intent and len(text) > options.settings.intent_over
    if (
        not cut.steps
        or not looked_for
        or "intent" in cut.steps
        or any(relevance.scores(options.intent, [text]))
    ):
        return cut
    return cut._replace(notes=(*cut.notes, "nothing in it is relevant to the intent"))


def _cut(text: str, options: ReduceOptions, keep: Keep) -> Reduced:
    whole = payload(text)
    if not whole.has_value:
        return _reduced_text(text, options, keep)
    value, steps, notes = _json_steps(whole, options)
    too_long = options.settings.truncate and _size(whole, value) > options.settings.max_bytes
    if not steps and too_long:
        return _reduced_text(text, replace(options, fields=()), keep)._replace(notes=notes)
    if not steps:
        return _compacted(whole, options, keep, notes)
    if not options.fields and not _worth(text, _size(whole, value), options):
        return Reduced(text, notes=notes)
    ref = keep(text)
    shown = f"{whole.before}{hidden.encoded(value, ref)}{whole.after}"
    if not too_long:
        alone = not whole.before and not whole.after
        return Reduced(shown, steps, value if alone else None, ref, notes, inner=value)
    # Its lines are those of a text of its own, kept beside the whole one.
    pieces = Pieces.whole(shown).truncated(options.settings.max_bytes)
    return Reduced(pieces.words(keep(shown)), (*steps, "truncate"), None, ref, notes)


def _worth(text: str, shown: int, options: ReduceOptions) -> bool:
    """What exceeds the operator's limit is cut, however little that saves."""
    before = lines.size(text)
    capped = options.settings.cap is not None and shown < before > options.settings.cap
    return capped or before - shown >= max(limits.MIN_SAVED, before * limits.MIN_SAVING)


def _size(whole: Payload, value: Any) -> int:
    return hidden.weight(value) + lines.size(whole.before) + lines.size(whole.after)


# -- JSON --------------------------------------------------------------------------------------------------
class _Cut(NamedTuple):
    value: Any
    steps: tuple[str, ...]
    notes: tuple[str, ...]


def _json_steps(whole: Payload, options: ReduceOptions) -> _Cut:
    """Each step sees the result of the one before; one that changes nothing is not named."""
    value = whole.value
    steps: list[str] = []
    notes: tuple[str, ...] = ()
    if options.fields:
        found, notes = _projected(value, options.fields)
        if found is not None:
            value, steps = found, ["fields"]
            options = _as_asked(options, value)
    for name, step in JSON_STEPS.items():
        left = step(value, options, whole)
        if left is not value:
            value = left
            steps.append(name)
    return _Cut(value, tuple(steps), notes)


def _projected(value: Any, fields: Sequence[str]) -> tuple[Any, tuple[str, ...]]:
    """Or what is wrong with the fields: the tool has been called, so its answer is shown in any case."""
    try:
        found = selection.project(value, fields)
    except errors.WrongArguments as mistake:
        return None, (str(mistake),)
    there = ", ".join(selection.names_in(value)[:_SHOWN_NAMES])
    return found, (f"none of these fields is in the answer; it has {there}",) if found is None else ()


def _as_asked(options: ReduceOptions, projected: Any) -> ReduceOptions:
    """Fields that were asked for are all shown if they fit."""
    if hidden.weight(projected) > options.settings.chunk_over:
        return options
    return replace(options, settings=replace(options.settings, intent=False, collapse=False))


def _intent(value: Any, options: ReduceOptions, _: Payload) -> Any:
    settings = options.settings
    if not settings.intent or not options.intent or hidden.weight(value) <= settings.intent_over:
        return value
    return selection.filter_json(value, options.intent, settings)


def _collapse(value: Any, options: ReduceOptions, _: Payload) -> Any:
    settings = options.settings
    return collapse(value, settings) if settings.collapse or settings.limit is not None else value


def _blobs(value: Any, options: ReduceOptions, whole: Payload) -> Any:
    return blobs.drop_json(value) if options.settings.blobs and blobs.may_hold_some(whole.text) else value


def _chunks(value: Any, options: ReduceOptions, whole: Payload) -> Any:
    settings = options.settings
    budget = min(settings.chunk_over, settings.max_bytes)
    if not settings.chunks or hidden.weight(value) <= budget:
        return value
    how = chunks.Layout(min(settings.chunk_bytes, budget), sizes=value is whole.value)
    return chunks.outline(value, options.intent, how, budget)


JSON_STEPS: Final[dict[str, Callable[[Any, ReduceOptions, Payload], Any]]] = {
    "intent": _intent,
    "collapse": _collapse,
    "blobs": _blobs,
    "chunks": _chunks,
}


def _compacted(whole: Payload, options: ReduceOptions, keep: Keep, notes: tuple[str, ...]) -> Reduced:
    text = whole.text
    if options.settings.compact and whole.is_json:
        document = text[len(whole.before) : len(text) - len(whole.after)]
        shown = f"{whole.before}{strip_blanks(document)}{whole.after}"
        if _worth(text, lines.size(shown), options):
            alone = not whole.before and not whole.after
            value = whole.value
            return Reduced(shown, ("compact",), value if alone else None, keep(text), notes, inner=value)
    return Reduced(text, notes=notes)


# -- text --------------------------------------------------------------------------------------------------
def _reduced_text(text: str, options: ReduceOptions, keep: Keep) -> Reduced:
    notes = ("`fields` is for JSON, and this answer is text",) if options.fields else ()
    pieces = Pieces.whole(text)
    steps: list[str] = []
    for name, step in TEXT_STEPS.items():
        left = step(pieces, options)
        if left is not pieces:
            pieces = left
            steps.append(name)
    if not steps or not _worth(text, lines.size(pieces.words(hidden.NO_REF)), options):
        return Reduced(text, notes=notes)
    ref = keep(text)
    return Reduced(pieces.words(ref), tuple(steps), None, ref, notes)


def _text_intent(pieces: Pieces, options: ReduceOptions) -> Pieces:
    settings = options.settings
    if not settings.intent or not options.intent or lines.size(pieces.text) <= settings.intent_over:
        return pieces
    return selection.filter_text(pieces, options.intent, settings.max_bytes)


def _text_blobs(pieces: Pieces, options: ReduceOptions) -> Pieces:
    return blobs.drop_text(pieces) if options.settings.blobs else pieces


def _truncate(pieces: Pieces, options: ReduceOptions) -> Pieces:
    return pieces.truncated(options.settings.max_bytes) if options.settings.truncate else pieces


TEXT_STEPS: Final[dict[str, Callable[[Pieces, ReduceOptions], Pieces]]] = {
    "intent": _text_intent,
    "blobs": _text_blobs,
    "truncate": _truncate,
}
