"""The growth section: small charts on logarithmic axes, and a table of what grows faster than the catalog."""

from collections.abc import Callable, Iterator
from math import isfinite
from typing import Final, NamedTuple

from toolbooth import figures
from toolbooth.bench.report import GrowthSection, SizePoint
from toolbooth.web.charts.lines import LinePlot, Point, Series, lines
from toolbooth.web.charts.shapes import BASE
from toolbooth.web.parts import Chart, Figure, PageSection, PageTable, TableColumn
from toolbooth.web.scores import hundredths, size


class Curve(NamedTuple):
    """A field of a size, its name and its format."""

    field: str
    name: str
    write: Callable[[float], str]
    number: int = 0


class CurveGroup(NamedTuple):
    """Curves that share a chart."""

    id: str
    title: str
    unit: str
    curves: tuple[Curve, ...]


GROUPS: Final = (
    CurveGroup(
        "tokens",
        "Tokens of the menu",
        "tokens",
        (
            Curve("menu_tokens", "search surface", figures.number),
            Curve("baseline_tokens", "every definition", figures.number, BASE),
        ),
    ),
    CurveGroup(
        "search",
        "Time of a search",
        "milliseconds",
        (
            Curve("search_p50_ms", "median", figures.milliseconds),
            Curve("search_p95_ms", "p95", figures.milliseconds, 1),
        ),
    ),
    CurveGroup(
        "memory", "Memory of the process", "megabytes", (Curve("memory_mb", "memory", figures.megabytes),)
    ),
    CurveGroup(
        "start",
        "Time to start",
        "milliseconds",
        (
            Curve("start_ms", "start from the cache", figures.milliseconds),
            Curve("build_ms", "indexing from scratch", figures.milliseconds, 1),
            Curve("read_ms", "reading the file", figures.milliseconds, 2),
        ),
    ),
)


def growth_section(section: GrowthSection) -> PageSection:
    """How tokens, times and memory change when the catalog grows."""
    points = tuple(sorted(section.points, key=lambda point: point.tools))
    blocks = tuple(_figure(group, points) for group in GROUPS) if points else ()
    slopes = _slopes(section.exponents)
    bends = tuple(f"{bend[:1].upper()}{bend[1:]}" for bend in section.bends)
    lead = f"Catalogs of growing size from {section.source or 'this corpus'}, each in its own process."
    lead += " Times are those of one otherwise idle core. Both axes are logarithmic."
    if any(point.made_up for point in points):
        lead += " Hollow marks: catalogs with made-up tools."
    return PageSection("growth", "How it grows", lead, (*blocks, *slopes), bends, section.notes)


def _figure(group: CurveGroup, points: tuple[SizePoint, ...]) -> Figure:
    series = tuple(
        Series(
            curve.name,
            tuple(Point(at.tools, getattr(at, curve.field), hollow=at.made_up > 0) for at in points),
            curve.number,
        )
        for curve in group.curves
    )
    plot = LinePlot(
        series,
        "tools in the catalog",
        group.unit,
        size,
        figures.short,
        True,
        True,
        tuple(float(at.tools) for at in points),
    )
    chart = Chart(
        f"growth-{group.id}",
        f"{group.title}, by tools in the catalog",
        f"Lines: {'; '.join(_ends(group, points))}.",
        lambda width: lines(plot, width),
    )
    return Figure(chart, _lead(group, points), _table(group, points), "measured")


def _ends(group: CurveGroup, points: tuple[SizePoint, ...]) -> Iterator[str]:
    first, last = points[0], points[-1]
    for curve in group.curves:
        ends = f"{curve.write(getattr(first, curve.field))} at {figures.number(first.tools)} tools"
        yield f"{curve.name} {ends}, {curve.write(getattr(last, curve.field))} at {figures.number(last.tools)}"


def _lead(group: CurveGroup, points: tuple[SizePoint, ...]) -> str:
    curve = group.curves[0]
    first, last = (curve.write(getattr(point, curve.field)) for point in (points[0], points[-1]))
    name = curve.name[0].upper() + curve.name[1:]
    return (
        f"{name}: {first} with {figures.number(points[0].tools)} tools, {last} with "
        f"{figures.number(points[-1].tools)}."
    )


def _table(group: CurveGroup, points: tuple[SizePoint, ...]) -> PageTable:
    columns = (
        TableColumn("tools"),
        TableColumn("made up"),
        *(TableColumn(curve.name) for curve in group.curves),
    )
    rows = tuple(
        (
            figures.number(at.tools),
            figures.number(at.made_up),
            *(curve.write(getattr(at, curve.field)) for curve in group.curves),
        )
        for at in points
    )
    return PageTable(f"{group.title} by size", columns, rows)


def _slopes(exponents: dict[str, float]) -> tuple[PageTable, ...]:
    """The power of the catalog's size with which each figure grows between the last sizes."""
    if not exponents:
        return ()
    columns = (
        TableColumn("figure", digits=False),
        TableColumn("exponent"),
        TableColumn("meaning", digits=False),
    )
    rows = tuple((_figure_name(name), hundredths(slope), _manner(slope)) for name, slope in exponents.items())
    lead = "Between the largest sizes: 1 means in step with the catalog, 0 not at all."
    return (PageTable("How fast each figure grows", columns, rows, lead),)


def _figure_name(field: str) -> str:
    named = {curve.field: f"{group.title}: {curve.name}" for group in GROUPS for curve in group.curves}
    return named.get(field, field.replace("_", " "))


def _manner(slope: float) -> str:
    if not isfinite(slope):
        return "not known"
    if slope < 0.25:
        return "hardly at all"
    if slope < 0.75:
        return "slower than the catalog"
    return "in step with the catalog" if slope <= 1.25 else "faster than the catalog"
