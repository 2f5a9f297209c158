"""Words → how wide they are, about; shortened to a room; and places so that they do not lie on one another."""

import unicodedata
from collections.abc import Sequence
from typing import Final

from toolbooth.safetext import for_terminal

SIZE: Final = 12  # pixels, as `style.css` says
# Widths in a wide sans-serif (DejaVu Sans, to which Linux falls back): other fonts leave some room.
_NARROW: Final = frozenset("iljtfrI.,:;'|!()[]{}/\\ -·")
_BROAD: Final = frozenset("mwMW@%—…&")


def width(words: str, size: float = SIZE) -> float:
    """Pixels, rather too many than too few."""
    return sum(_width(character) for character in words) * size


def _width(character: str) -> float:
    if character in _NARROW:
        return 0.42
    if character in _BROAD:
        return 1.0
    if unicodedata.east_asian_width(character) in "WF":
        return 1.1
    if unicodedata.category(character) == "Mn":
        return 0.0
    return 0.72 if character.isupper() or ord(character) > 0x24F else 0.65


def shorten(words: str, room: float, size: float = SIZE) -> str:
    """Cleaned, and cut in the middle where it is too wide: both ends of a tool's name tell it apart."""
    words = for_terminal(words)
    if width(words, size) <= room:
        return words
    for kept in range(min(len(words), int(room / size * 2.4)) - 1, 1, -1):
        tail = kept // 2
        shorter = f"{words[: kept - tail]}…{words[-tail:]}"
        if width(shorter, size) <= room:
            return shorter
    return "…"


def spread(wanted: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Places near the wanted ones, in the same order, `gap` apart as far as `low`…`high` has room."""
    if not wanted:
        return []
    gap = min(gap, (high - low) / max(1, len(wanted) - 1))
    order = sorted(range(len(wanted)), key=lambda index: wanted[index])
    places = [0.0] * len(wanted)
    edge = low
    for index in order:
        places[index] = edge = max(wanted[index], edge)
        edge += gap
    edge = high
    for index in reversed(order):
        places[index] = edge = min(places[index], edge)
        edge -= gap
    return places
