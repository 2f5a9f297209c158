"""Engines on the same questions: recall curves with bands, and all measures with whiskers."""

from typing import NamedTuple

from toolbooth import figures
from toolbooth.bench.report import MetricValues, RecallCurve, RetrievalSection
from toolbooth.web.charts.dots import Dot, DotGroup, dots
from toolbooth.web.charts.lines import LinePlot, Point, Series, lines
from toolbooth.web.parts import Chart, Figure, PageTable, TableColumn
from toolbooth.web.scores import hundredths, interval, score
from toolbooth.web.sections.wording import metric_name


class EngineFigures(NamedTuple):
    """The figures that every engine has, ours first."""

    name: str
    metrics: MetricValues
    intervals: dict[str, tuple[float, float]]
    curve: RecallCurve


def _engines(section: RetrievalSection) -> list[EngineFigures]:
    ours = EngineFigures(section.engine, section.metrics, section.intervals, section.curve)
    return [
        ours,
        *(EngineFigures(each.engine, each.metrics, each.intervals, each.curve) for each in section.against),
    ]


def curves_figure(section: RetrievalSection) -> Figure | None:
    """Recall by how many tools are shown, a line per engine."""
    engines = [each for each in _engines(section) if each.curve.mean]
    if not engines:
        return None
    series = tuple(Series(each.name, _points(each.curve), at) for at, each in enumerate(engines))
    deepest = max(len(each.curve.mean) for each in engines)
    ticks = tuple(float(k) for k in range(1, deepest + 1))
    plot = LinePlot(
        series,
        "tools shown",
        "share of the right tools among them",
        figures.short,
        figures.short,
        x_ticks=ticks,
        height=260,
        top=1.0,
    )
    ends = "; ".join(
        f"{each.name} {score(each.curve.mean[-1])} at {len(each.curve.mean)}" for each in engines
    )
    chart = Chart(
        "recall",
        "Recall by how many tools are shown",
        f"Lines with interval bands: {ends}.",
        lambda width: lines(plot, width),
    )
    return Figure(chart, "The band around a line is its 95% interval.", _curve_table(engines), "measured")


def _points(curve: RecallCurve) -> tuple[Point, ...]:
    bounds = zip(curve.mean, curve.low, curve.high, strict=False)
    return tuple(Point(k, mean, low, high) for k, (mean, low, high) in enumerate(bounds, start=1))


def _curve_table(engines: list[EngineFigures]) -> PageTable:
    deepest = max(len(each.curve.mean) for each in engines)
    columns = (
        TableColumn("shown"),
        *(TableColumn(title) for each in engines for title in (each.name, "95% interval")),
    )
    rows = tuple(
        (figures.number(k), *(cell for each in engines for cell in _at(each.curve, k - 1)))
        for k in range(1, deepest + 1)
    )
    return PageTable("Recall by tools shown", columns, rows)


def _at(curve: RecallCurve, index: int) -> tuple[str, str]:
    if index >= min(len(curve.mean), len(curve.low), len(curve.high)):
        return "–", "–"
    return score(curve.mean[index]), interval((curve.low[index], curve.high[index]))


def measures_figure(section: RetrievalSection) -> Figure:
    """Every measure of every engine, with its interval."""
    engines = _engines(section)
    keys = list(section.metrics.flat())
    groups = [DotGroup(metric_name(key), tuple(_dot(each, key) for each in engines)) for key in keys]
    ours = ", ".join(f"{metric_name(key)} {score(value)}" for key, value in section.metrics.flat().items())
    chart = Chart(
        "measures",
        "All measures",
        f"Dots with whiskers; {section.engine}: {ours}.",
        lambda width: dots(groups, [each.name for each in engines], width, hundredths),
    )
    return Figure(
        chart, "Means with their 95% intervals; 1 is best.", _measures_table(engines, keys), "measured"
    )


def _dot(engine: EngineFigures, key: str) -> Dot:
    return Dot(engine.metrics.flat().get(key), *engine.intervals.get(key, (None, None)))


def _measures_table(engines: list[EngineFigures], keys: list[str]) -> PageTable:
    columns = (
        TableColumn("measure", digits=False),
        *(TableColumn(title) for each in engines for title in (each.name, "95% interval")),
    )
    rows = tuple(
        (
            metric_name(key),
            *(
                cell
                for each in engines
                for cell in (score(each.metrics.flat().get(key)), interval(each.intervals.get(key)))
            ),
        )
        for key in keys
    )
    return PageTable("Measures with intervals", columns, rows)
