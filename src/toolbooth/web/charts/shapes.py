"""SVG elements: positions, lines, boxes, text, and the mark of each series.

Foreign text enters a chart only here, where it is cleaned, and escaped by ElementTree. Series differ by shape as well
as by colour.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple
from xml.etree.ElementTree import Element, SubElement, tostring

from toolbooth import safetext

DESCRIPTION: Final = 600  # characters: a few sentences


class Position(NamedTuple):
    """Pixels from the left and from the top."""

    x: float
    y: float


@dataclass(frozen=True)
class Drawing:
    """Elements and the space that they take."""

    width: float
    height: float
    parts: tuple[Element, ...]


def element(tag: str, css: str = "", **attributes: float | str) -> Element:
    """Numbers get one decimal; `_` in a name becomes `-`."""
    made = Element(tag, {"class": css} if css else {})
    for name, value in attributes.items():
        made.set(name.replace("_", "-"), value if isinstance(value, str) else svg_number(value))
    return made


def svg_number(value: float) -> str:
    """`12.5`, `12`, never `-0`: a tenth of a pixel is enough."""
    return f"{round(value, 1) + 0:g}"


def text(at: Position, words: str, css: str = "", anchor: str = "start", whole: str = "") -> Element:
    """Words at a position; `whole` is the text before it was shortened, and is shown as a tooltip."""
    made = element("text", css, x=at.x, y=at.y)
    if anchor != "start":
        made.set("text-anchor", anchor)
    made.text = safetext.for_terminal(words)
    if whole and safetext.for_terminal(whole) != made.text:
        SubElement(made, "title").text = safetext.for_terminal(whole)
    return made


def words_and_note(at: Position, words: str, note: str, css: str, anchor: str = "start") -> Element:
    """A value, and a softer note beside it that explains it."""
    made = text(at, words, "value", anchor)
    if note:
        part = SubElement(made, "tspan", {"class": css, "dx": "6"})
        part.text = safetext.for_terminal(note)
    return made


def line(start: Position, end: Position, css: str) -> Element:
    """A straight line."""
    return element("line", css, x1=start.x, y1=start.y, x2=end.x, y2=end.y)


def box(at: Position, width: float, height: float, css: str, round_by: float = 2) -> Element:
    """A rectangle; one with a value above zero is visible, however small it is."""
    return element(
        "rect", css, x=at.x, y=at.y, width=max(width, 0), height=height, rx=min(round_by, width / 2)
    )


def path(places: Sequence[Position], css: str, closed: bool = False) -> Element:
    """A line through positions, or the area within them."""
    steps = "L".join(f"{svg_number(place.x)} {svg_number(place.y)}" for place in places)
    return element("path", css, d=f"M{steps}{'Z' if closed else ''}")


def svg(drawing: Drawing, name: str, title: str, description: str) -> str:
    """The whole chart; `name` is the start of its ids, so it must be unique on a page."""
    root = element("svg", viewBox=f"0 0 {svg_number(drawing.width)} {svg_number(drawing.height)}", role="img")
    root.set("aria-labelledby", f"{name}-title {name}-desc")
    SubElement(root, "title", {"id": f"{name}-title"}).text = safetext.for_terminal(title)
    SubElement(root, "desc", {"id": f"{name}-desc"}).text = safetext.for_terminal(description, DESCRIPTION)
    root.extend(drawing.parts)
    return tostring(root, encoding="unicode")


TONES: Final = 6
BASE: Final = -1  # the number of the baseline, which is grey in every chart
_SIZE: Final = 4.2
# Corners around the point, in units of its size; the first series is a circle.
_CORNERS: Final = (
    (),
    ((-1, -1), (1, -1), (1, 1), (-1, 1)),
    ((0, -1.35), (1.35, 0), (0, 1.35), (-1.35, 0)),
    ((0, -1.3), (1.25, 0.95), (-1.25, 0.95)),
    ((-1.25, -0.95), (1.25, -0.95), (0, 1.3)),
    ((-1.4, -0.5), (1.4, -0.5), (1.4, 0.5), (-1.4, 0.5)),
)


def tone(number: int) -> str:
    """The CSS class of a series; there are six, which then repeat."""
    return "tone-base" if number == BASE else f"tone-{number % TONES}"


def marker(at: Position, number: int, hollow: bool = False) -> Element:
    """The mark of a point."""
    css = f"{'hollow' if hollow else 'mark'} {tone(number)}"
    corners = _CORNERS[1 if number == BASE else number % TONES]
    if not corners:
        return element("circle", css, cx=at.x, cy=at.y, r=_SIZE)
    return path([Position(at.x + x * _SIZE, at.y + y * _SIZE) for x, y in corners], css, closed=True)
