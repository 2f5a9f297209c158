"""A drawing → what stands in it, for tests."""

from xml.etree.ElementTree import Element

from toolbooth.web.charts.shapes import Drawing


def of_class(drawing: Drawing, css: str) -> list[Element]:
    """Elements that have all these classes."""
    wanted = set(css.split())
    found = (each for part in drawing.parts for each in part.iter())
    return [each for each in found if wanted <= set(each.get("class", "").split())]


def words(drawing: Drawing) -> list[str]:
    """All that is written, in order; a title that shows on pointing is not."""
    return ["".join([each.text or "", *(part.text or "" for part in each if part.tag == "tspan")])
            for part in drawing.parts for each in part.iter() if each.tag == "text"]  # fmt: skip


def number(element: Element, name: str) -> float:
    """An attribute as a number."""
    return float(element.get(name, "nan"))
