"""What a call is for × its answer → the items or sections that bear on it; the others stay behind."""

import re
from collections.abc import Sequence
from typing import Any, Final

from toolbooth.catalog.config import Reduction
from toolbooth.gateway.reduce.hidden import Hidden, Picked, encoded, weight
from toolbooth.gateway.reduce.paths import Path, expression
from toolbooth.gateway.reduce.pieces import GAP_WORDS, Piece, Pieces
from toolbooth.gateway.reduce.sections import sections
from toolbooth.gateway.reduce.walk import through
from toolbooth.gateway.results.relevance import scores
from toolbooth.limits import KIB

_NEAR_BEST: Final = 0.35  # of the best score: what only shares a common word with the intent is below
_ARRAY: Final = 1 * KIB  # a shorter one is shown whole
_FEW: Final = 3
_LAST: Final = re.compile(r"\b(?:last|latest|newest|recent|recently|final|end)\b", re.IGNORECASE)


def filter_json(value: Any, intent: str, settings: Reduction, path: Path = ()) -> Any:
    """By element: of every long array the items that bear on the intent, where some do and some do not."""
    if isinstance(value, dict):
        return through(value, path, lambda inner, where: filter_json(inner, intent, settings, where))
    if not isinstance(value, list) or len(value) <= settings.collapse_over:
        return value
    items = [encoded(item) for item in value]
    if sum(map(len, items)) < _ARRAY:
        return value
    kept = _relevant(intent, items)
    if len(kept) in (0, len(value)):
        return value
    chosen = [_inside(value[index], intent, settings, (*path, index)) for index in kept]
    gone = len(value) - len(kept)
    words = Hidden(f"{gone} of {len(value)} items do not bear on the intent and are", expression(path))
    return Picked([*chosen, words], kept)


def _inside(item: Any, intent: str, settings: Reduction, path: Path) -> Any:
    """A long item is filtered in its turn."""
    return filter_json(item, intent, settings, path) if weight(item) > settings.chunk_bytes else item


def _relevant(intent: str, parts: Sequence[str]) -> list[int]:
    found = scores(intent, parts)
    least = max(found, default=0.0) * _NEAR_BEST
    return [index for index, score in enumerate(found) if score > 0 and score >= least]


def filter_text(pieces: Pieces, intent: str, room: int) -> Pieces:
    """The sections that bear on the intent, the best of them first to fit, in the order of the text.

    The first section is among them: it says what the text is; and the last, where the intent is for what came last.
    What follows the best sections, and what stands before them, fills the room that is left.
    """
    parts = sections(pieces.text)
    found = scores(intent, [pieces.text[start:end] for start, end in parts])
    least = max(found, default=0.0) * _NEAR_BEST
    if not least or len(parts) < _FEW:
        return pieces
    ranked = sorted(range(len(parts)), key=lambda each: (-found[each], each))
    relevant = [each for each in ranked if found[each] >= least]
    ends = [0, len(parts) - 1] if _LAST.search(intent) else [0]
    around = [each + step for step in (1, -1, 2) for each in relevant[:_FEW] if 0 <= each + step < len(parts)]
    chosen = _fitting(pieces, parts, [*relevant[:1], *ends, *relevant[1:], *around], room)
    return pieces if len(chosen) == len(parts) else pieces.only(parts[each] for each in sorted(chosen))


def _fitting(pieces: Pieces, parts: Sequence[Piece], wanted: Sequence[int], room: int) -> set[int]:
    chosen: set[int] = set()
    for each in wanted:
        cost = pieces.size(parts[each]) + GAP_WORDS
        if each not in chosen and (cost <= room or not chosen):
            chosen.add(each)
            room -= cost
    return chosen
