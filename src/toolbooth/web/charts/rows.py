"""A width → where the rows of a chart have their labels: beside them where there is room, else above."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final
from xml.etree.ElementTree import Element

from toolbooth.safetext import for_terminal
from toolbooth.web.charts.lettering import shorten, width
from toolbooth.web.charts.shapes import Place, text

WIDE_FROM: Final = 440
_LABEL_SHARE: Final = 0.36  # of the width, at most
_ABOVE: Final = 19  # pixels that a label takes above its row


@dataclass(frozen=True)
class Rows:
    """Bars or dots are drawn from `start` to `end`; `above` is the height of a label over its row."""

    width: float
    start: float
    end: float
    above: float

    def label(self, words: str, top: float, middle: float, taken: float = 0) -> Element:
        """The name of a row that begins at `top`; `taken` is what stands at the right end of the same line."""
        if self.above:
            return text(Place(0, top + 12), shorten(words, self.width - taken), "label", whole=words)
        short = shorten(words, self.start - 10)
        return text(Place(self.start - 10, middle + 4), short, "label", "end", whole=words)


def rows_for(labels: Iterable[str], total: float) -> Rows:
    """The room for bars beside, or below, these labels."""
    if total < WIDE_FROM:
        return Rows(total, 1, total - 1, _ABOVE)
    widest = max((width(for_terminal(label)) for label in labels), default=0.0)
    return Rows(total, min(widest, total * _LABEL_SHARE) + 12, total - 1, 0)
