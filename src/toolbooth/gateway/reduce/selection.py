"""What a call asks for: the fields of JSON that it names, and the items or sections relevant to its intent.

`fields` (`items[].id`) come first and keep the shape, so that paths into the whole answer stay valid.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Any, Final

from toolbooth import errors, limits, safetext
from toolbooth.catalog.config import Reduction
from toolbooth.gateway.reduce import hidden
from toolbooth.gateway.reduce.collapse import about_all
from toolbooth.gateway.reduce.pieces import GAP_WORDS, Piece, Pieces, entries, sections
from toolbooth.gateway.results.read_request import JsonPath, expression
from toolbooth.gateway.results.relevance import scores

Wanted = dict[str, "Wanted"]
_STEP: Final = re.compile(r'\.?("(?:[^"\\]|\\.)*"|[^.\[\]"]+)|\[\*?\]')
_NOTHING: Final = object()


def project(value: Any, fields: Iterable[str]) -> Any:
    """Every item of a list keeps its index, so that paths into the whole answer stay valid; None if no field exists."""
    wanted: Wanted = {}
    for field in fields:
        _enter(wanted, field)
    found = _projected(value, wanted)
    return None if found is _NOTHING else found


def _enter(wanted: Wanted, field: str) -> None:
    """Lists need no marker: `items[].id` and `items.id` are the same."""
    at = 0
    here = wanted
    while at < len(field):
        step = _STEP.match(field, at)
        if step is None:
            raise errors.WrongArguments(
                f"`fields` cannot be read at {safetext.for_terminal(field[at:], 40)!r}; write fields like items[].id"
            )
        at = step.end()
        name = step[1]
        if name is not None:
            plain = name.strip() if not name.startswith('"') else _unquoted(name)
            here = here.setdefault(plain, {})


def _unquoted(name: str) -> str:
    return re.sub(r"\\(.)", r"\1", name[1:-1])


def _projected(value: Any, wanted: Wanted) -> Any:
    if not wanted:
        return value
    if isinstance(value, list):
        items = [_projected(item, wanted) for item in value]
        if all(item is _NOTHING for item in items):
            return _NOTHING
        return [{} if item is _NOTHING else item for item in items]
    if not isinstance(value, dict):
        return _NOTHING
    found = {name: _projected(value[name], inner) for name, inner in wanted.items() if name in value}
    kept = {name: inner for name, inner in found.items() if inner is not _NOTHING}
    return kept or _NOTHING


def names_in(value: Any) -> list[str]:
    """The fields that exist, as a call would name them: the first level of objects, through lists."""
    if isinstance(value, list):
        return [f"[].{name}" for name in names_in(value[0])] if value else []
    if not isinstance(value, dict):
        return []
    found: list[str] = []
    for name, inner in list(value.items())[:20]:
        below = names_in(inner) if isinstance(inner, list) else []
        found += [f"{name}{each}" for each in below] or [name]
    return found


_NEAR_BEST: Final = 0.35  # of the best score: what shares only a common word with the intent is below
_ARRAY: Final = 1 * limits.KIB  # a shorter one is shown whole
_FEW: Final = 3
_MANY: Final = 12  # single entries, each with context around it
_AROUND: Final = 3  # entries before one that matches, and twice as many after it
_OF_ALL: Final = re.compile(
    r"\b(?:all|every|each|count|how many|number of|total|sum|average|most(?! recent)|least|highest|lowest|largest"
    r"|smallest|maximum|minimum)\b",
    re.IGNORECASE,
)
_LAST: Final = re.compile(r"\b(?:last|latest|newest|recent|recently|final|end)\b", re.IGNORECASE)


def filter_json(value: Any, intent: str, settings: Reduction, path: JsonPath = ()) -> Any:
    """Of every long array, keep the items that are relevant to the intent, if some are and some are not.

    An intent about all items is not served by some of them: ranges and counts say more.
    """
    return value if _OF_ALL.search(intent) else _filtered(value, intent, settings, path)


def _filtered(value: Any, intent: str, settings: Reduction, path: JsonPath) -> Any:
    if isinstance(value, dict):
        return hidden.through(value, path, lambda inner, where: _filtered(inner, intent, settings, where))
    if not isinstance(value, list) or len(value) <= settings.collapse_over:
        return value
    items = [hidden.encoded(item) for item in value]
    if sum(map(len, items)) < _ARRAY:
        return value
    kept = _relevant(intent, items)
    if len(kept) in (0, len(value)):
        return value
    chosen = [_inside(value[index], intent, settings, (*path, index)) for index in kept]
    gone = len(value) - len(kept)
    words = hidden.Hidden(f"{gone} of {len(value)} items that fit the intent less are", expression(path))
    return hidden.Picked([*chosen, hidden.Summary({hidden.NOT_SHOWN: words, **about_all(value)})], kept)


def _inside(item: Any, intent: str, settings: Reduction, path: JsonPath) -> Any:
    """A long item is filtered in turn."""
    return _filtered(item, intent, settings, path) if hidden.weight(item) > settings.chunk_bytes else item


def _relevant(intent: str, parts: Sequence[str]) -> list[int]:
    found = scores(intent, parts)
    least = max(found, default=0.0) * _NEAR_BEST
    return [index for index, score in enumerate(found) if score > 0 and score >= least]


def filter_text(pieces: Pieces, intent: str, budget: int) -> Pieces:
    """The parts that are relevant to the intent, the best first as long as they fit, in the order of the text.

    The first section is among them, because it says what the text is; and the last, if the intent is for the
    latest. What precedes and follows the best parts fills the rest of the budget.
    """
    return _few_entries(pieces, intent, budget) or _best_sections(pieces, intent, budget)


def _few_entries(pieces: Pieces, intent: str, budget: int) -> Pieces | None:
    """Single entries of a log or a list, if a few of them are relevant; None if it is neither."""
    parts = entries(pieces.text)
    relevant = _relevant_parts(pieces, intent, parts)
    # A word that occurs in the first lines alone names a column, and says nothing about the rows.
    if len(relevant) > _MANY or all(each < _AROUND for each in relevant):
        return None
    ends = [*range(_AROUND), *(range(len(parts) - _AROUND, len(parts)) if _LAST.search(intent) else ())]
    around = _neighbours(relevant, range(-_AROUND, 2 * _AROUND), len(parts))
    return _only(pieces, parts, [*relevant, *ends, *around], budget)


def _best_sections(pieces: Pieces, intent: str, budget: int) -> Pieces:
    parts = sections(pieces.text)
    relevant = _relevant_parts(pieces, intent, parts)
    if not relevant or len(parts) < _FEW:
        return pieces
    ends = [0, len(parts) - 1] if _LAST.search(intent) else [0]
    around = _neighbours(relevant[:_FEW], (1, -1, 2), len(parts))
    return _only(pieces, parts, [*relevant[:1], *ends, *relevant[1:], *around], budget)


def _relevant_parts(pieces: Pieces, intent: str, parts: Sequence[Piece]) -> list[int]:
    """The relevant parts, the best first."""
    found = scores(intent, [pieces.text[start:end] for start, end in parts])
    least = max(found, default=0.0) * _NEAR_BEST
    ranked = sorted(range(len(parts)), key=lambda each: (-found[each], each))
    return [each for each in ranked if least and found[each] >= least]


def _neighbours(of: Sequence[int], steps: Iterable[int], count: int) -> list[int]:
    return [each + step for step in steps for each in of if 0 <= each + step < count]


def _only(pieces: Pieces, parts: Sequence[Piece], wanted: Sequence[int], budget: int) -> Pieces:
    chosen = _fitting(pieces, parts, wanted, budget)
    return pieces if len(chosen) == len(parts) else pieces.only(parts[each] for each in sorted(chosen))


def _fitting(pieces: Pieces, parts: Sequence[Piece], wanted: Sequence[int], budget: int) -> set[int]:
    chosen: set[int] = set()
    for each in wanted:
        cost = pieces.size(parts[each]) + GAP_WORDS
        if each not in chosen and (cost <= budget or not chosen):
            chosen.add(each)
            budget -= cost
    return chosen
