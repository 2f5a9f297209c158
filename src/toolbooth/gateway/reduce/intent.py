"""What a call is for × its answer → the items or sections that bear on it; the others stay behind."""

import re
from collections.abc import Sequence
from typing import Any, Final

from toolbooth.catalog.config import Reduction
from toolbooth.gateway.reduce.hidden import Hidden, Picked, encoded, weight
from toolbooth.gateway.reduce.paths import Path, expression
from toolbooth.gateway.reduce.pieces import GAP_WORDS, Piece, Pieces
from toolbooth.gateway.reduce.walk import through
from toolbooth.gateway.results.relevance import scores
from toolbooth.limits import KIB

_NEAR_BEST: Final = 0.35  # of the best score: what only shares a common word with the intent is below
_ARRAY: Final = 1 * KIB  # a shorter one is shown whole
_SECTION: Final = 600  # bytes that a section of text has at least, and three times at most
_HEADING: Final = re.compile(r"\n(?=\n|#{1,6} |<(?:h[1-6]|section|article|table)\b)")


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

    The first section is always among them: it says what the text is, and names the columns of a table.
    """
    sections = _sections(pieces.text)
    found = scores(intent, [pieces.text[start:end] for start, end in sections])
    best = max(found, default=0.0)
    if not best or len(sections) < 3:
        return pieces
    chosen = {0}
    room -= pieces.size(sections[0])
    for index in sorted(range(1, len(sections)), key=lambda index: (-found[index], index)):
        if found[index] < best * _NEAR_BEST:
            break
        room -= pieces.size(sections[index]) + GAP_WORDS
        if room < 0 and len(chosen) > 1:
            break
        chosen.add(index)
    if len(chosen) == len(sections):
        return pieces
    return pieces.only(sections[index] for index in sorted(chosen))


def _sections(text: str) -> list[Piece]:
    """Runs of whole lines, broken at blank lines and headings where there are some, of about the same size."""
    cuts = [match.start() + 1 for match in _HEADING.finditer(text)]
    sections: list[Piece] = []
    start = 0
    for cut in [*cuts, len(text)]:
        if cut - start < _SECTION and cut < len(text):
            continue
        while cut - start > 3 * _SECTION:
            end = text.find("\n", start + 2 * _SECTION, cut) + 1
            end = min(end or start + 6 * _SECTION, cut)
            sections.append(Piece(start, end))
            start = end
        if cut > start:
            sections.append(Piece(start, cut))
        start = cut
    return sections
