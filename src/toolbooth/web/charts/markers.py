"""A series' number → the mark of its points, so that series differ by shape as well as by colour."""

from typing import Final
from xml.etree.ElementTree import Element

from toolbooth.web.charts.shapes import Place, element, path

TONES: Final = 6
BASE: Final = -1  # the number of what all others are compared with: grey, in every chart
_SIZE: Final = 4.2
# Corners around the point, in units of its size; the first series has a circle.
_CORNERS: Final = (
    (),
    ((-1, -1), (1, -1), (1, 1), (-1, 1)),
    ((0, -1.35), (1.35, 0), (0, 1.35), (-1.35, 0)),
    ((0, -1.3), (1.25, 0.95), (-1.25, 0.95)),
    ((-1.25, -0.95), (1.25, -0.95), (0, 1.3)),
    ((-1.4, -0.5), (1.4, -0.5), (1.4, 0.5), (-1.4, 0.5)),
)


def tone(number: int) -> str:
    """The class of a series; there are six, and then they come again."""
    return "tone-base" if number == BASE else f"tone-{number % TONES}"


def marker(at: Place, number: int, hollow: bool = False) -> Element:
    """The mark of a point."""
    css = f"{'hollow' if hollow else 'mark'} {tone(number)}"
    corners = _CORNERS[1 if number == BASE else number % TONES]
    if not corners:
        return element("circle", css, cx=at.x, cy=at.y, r=_SIZE)
    return path([Place(at.x + x * _SIZE, at.y + y * _SIZE) for x, y in corners], css, closed=True)
