"""Costs by size of catalog: lines of paid tokens and of savings, with the size from which a mode pays."""

from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from toolbooth import figures
from toolbooth.bench.report import CurvePoint, TokensSection
from toolbooth.web.charts import axes, shapes
from toolbooth.web.charts.lines import AxisMark, LinePlot, Point, Series, lines
from toolbooth.web.parts import Chart, Figure, PageTable, TableColumn
from toolbooth.web.scores import size
from toolbooth.web.sections.wording import labels, mode_name

_LOG_FROM: Final = 30  # times: beyond this the small end of a linear axis is unreadable
_LOWEST: Final = -1.0  # savings below this are drawn at the edge: a catalog of two tools says little

_PAID_LEAD: Final = (
    "A session of one call with everything that later turns send again, for catalogs cut from this one. "
    "Dashed: the number of tools from which a mode costs less than every definition."
)
_SAVED_LEAD: Final = (
    "The same sessions as a share of the baseline. "
    "Below zero a mode costs more; values below −100% are drawn at the edge, hollow."
)


def size_figures(section: TokensSection) -> Iterator[Figure]:
    """Paid tokens, and the savings where the two sides can be compared."""
    if not section.curve:
        return
    section = replace(section, curve=tuple(sorted(section.curve, key=lambda at: at.tools)))
    yield _paid(section)
    modes = [mode for mode in _modes(section.curve) if any(_savings(section.curve, mode))]
    if section.authoritative_headline and modes:
        yield _saved(section, modes)


def _modes(curve: tuple[CurvePoint, ...]) -> list[str]:
    """In the order in which they come."""
    return list(dict.fromkeys(mode for point in curve for mode in point.paid))


def _costs(at: CurvePoint) -> dict[str, float]:
    """The figures that break-even uses: with the history where that was computed."""
    return at.paid_with_history or at.paid


def _paid(section: TokensSection) -> Figure:
    modes = _modes(section.curve)
    series = tuple(
        Series(
            mode_name(mode),
            tuple(Point(at.tools, _costs(at)[mode]) for at in section.curve if mode in _costs(at)),
            _number(mode, modes),
        )
        for mode in modes
    )
    chart = Chart(
        "paid-over-size",
        "Paid tokens over the size of the catalog",
        f"Lines for {', '.join(each.name for each in series)}, {_range(section.curve)}.",
        lambda width: lines(
            _plot(section, series, "tokens paid", figures.short, _spans(section.curve)), width
        ),
    )
    return Figure(chart, _PAID_LEAD, _table(section.curve, modes), _how(section.curve))


def _how(curve: tuple[CurvePoint, ...]) -> str:
    return labels(at.label for at in curve)


def _saved(section: TokensSection, modes: list[str]) -> Figure:
    every = _modes(section.curve)
    series = tuple(
        Series(mode_name(mode), tuple(_savings(section.curve, mode)), _number(mode, every)) for mode in modes
    )
    chart = Chart(
        "savings-over-size",
        "What is saved, over the size of the catalog",
        f"Lines of savings for {', '.join(each.name for each in series)}, {_range(section.curve)}.",
        lambda width: lines(
            _plot(section, series, "saved against every definition", figures.percent, False), width
        ),
    )
    return Figure(chart, _SAVED_LEAD, _savings_table(section.curve, modes), _how(section.curve))


def _savings(curve: tuple[CurvePoint, ...], mode: str) -> Iterator[Point]:
    for at in curve:
        saved = _saved_at(at, mode)
        if saved is not None:
            yield Point(at.tools, max(saved, _LOWEST), hollow=saved < _LOWEST)


def _saved_at(at: CurvePoint, mode: str) -> float | None:
    costs = _costs(at)
    base = costs.get("baseline")
    return 1 - costs[mode] / base if base and mode in costs and mode != "baseline" else None


def _number(mode: str, modes: list[str]) -> int:
    """The search surface has the first colour in every chart and the baseline none; the others follow."""
    ways = [each for each in modes if each != "baseline"]
    return shapes.BASE if mode == "baseline" else sorted(ways, key=lambda each: each != "search").index(mode)


def _spans(curve: tuple[CurvePoint, ...]) -> bool:
    values = [value for at in curve for value in _costs(at).values() if value > 0]
    return bool(values) and max(values) / min(values) >= _LOG_FROM


def _plot(
    section: TokensSection, series: tuple[Series, ...], title: str, digits: axes.Digits, y_log: bool
) -> LinePlot:
    sizes = [at.tools for at in section.curve if at.tools > 0]
    log = bool(sizes) and max(sizes) / min(sizes) >= _LOG_FROM
    ticks = tuple(float(size) for size in sizes) if log else ()
    return LinePlot(
        series, "tools in the catalog", title, size, digits, log, y_log, ticks, marks=_marks(section)
    )


def _marks(section: TokensSection) -> tuple[AxisMark, ...]:
    """The sizes from which modes pay, as far as the chart shows them; equal sizes share a mark."""
    first, last = section.curve[0].tools, section.curve[-1].tools
    named: dict[int, list[str]] = {}
    for each in section.break_even:
        if each.catalog_tools is not None and first <= each.catalog_tools <= last:
            named.setdefault(each.catalog_tools, []).append(mode_name(each.mode).split(" ")[0])
    return tuple(
        AxisMark(tools, f"{figures.number(tools)}: {', '.join(names)}") for tools, names in named.items()
    )


def _range(curve: tuple[CurvePoint, ...]) -> str:
    return f"from {figures.number(curve[0].tools)} to {figures.counted(curve[-1].tools, 'tool')}"


def _table(curve: tuple[CurvePoint, ...], modes: list[str]) -> PageTable:
    columns = (
        TableColumn("tools"),
        *(
            TableColumn(f"{mode_name(mode)}, {what}")
            for mode in modes
            for what in ("paid", "with history", "menu + instructions")
        ),
    )
    rows = tuple(
        (
            figures.number(at.tools),
            *(
                figures.number(side.get(mode))
                for mode in modes
                for side in (at.paid, at.paid_with_history, at.menu)
            ),
        )
        for at in curve
    )
    return PageTable("Paid and menu tokens by size of catalog", columns, rows)


def _savings_table(curve: tuple[CurvePoint, ...], modes: list[str]) -> PageTable:
    columns = (TableColumn("tools"), *(TableColumn(mode_name(mode)) for mode in modes))
    rows = tuple(
        (figures.number(at.tools), *(figures.percent(_saved_at(at, mode)) for mode in modes)) for at in curve
    )
    return PageTable("Savings by size of catalog", columns, rows)
