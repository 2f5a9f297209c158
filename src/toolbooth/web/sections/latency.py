"""The latency section: strips of percentiles, the direct path under each, and a table with the ratios."""

from collections.abc import Iterator

from toolbooth import figures
from toolbooth.bench.report import LatencyMeasure, LatencySection, Spread
from toolbooth.web.charts.percentiles import Strip, percentiles
from toolbooth.web.parts import Chart, Figure, PageSection, PageTable, TableColumn


def latency_section(section: LatencySection) -> PageSection:
    """How long things take, as a client sees it."""
    blocks = (_strips(section.measures), _meanings(section.measures)) if section.measures else ()
    said = (
        ()
        if section.load_all_tools_ms is None
        else (
            f"Listing every tool of every server once takes {figures.milliseconds(section.load_all_tools_ms)}.",
        )
    )
    lead = "Measured by the client, without the warm-up. The direct path was timed in turn with ours, in the same run."
    return PageSection("latency", "How long it takes", lead, blocks, said, section.notes)


def _strips(measures: tuple[LatencyMeasure, ...]) -> Figure:
    strips = [strip for measure in measures for strip in _of(measure)]
    said = "; ".join(f"{strip.label} median {figures.milliseconds(strip.p50)}" for strip in strips)
    chart = Chart(
        "latency",
        "Time of each step",
        f"Strips on a logarithmic axis: {said}.",
        lambda width: percentiles(strips, width, figures.short, "milliseconds"),
    )
    lead = "Grey: the same without us. At the right: the median, and its ratio to that of the direct path."
    return Figure(chart, lead, _table(measures), "measured", full=True)


def _of(measure: LatencyMeasure) -> Iterator[Strip]:
    ratio = f" · {figures.times(measure.ratio)}" if measure.ratio is not None else ""
    yield _strip(_name(measure), measure.spread, figures.milliseconds(measure.spread.p50_ms) + ratio)
    if measure.against_spread is not None:
        other = measure.against_spread
        yield _strip("direct", other, figures.milliseconds(other.p50_ms), direct=True)


def _strip(label: str, spread: Spread, words: str, direct: bool = False) -> Strip:
    return Strip(label, spread.p50_ms, spread.p95_ms, spread.p99_ms, spread.max_ms, words, direct)


def _name(measure: LatencyMeasure) -> str:
    return measure.name.replace("_", " ")


def _meanings(measures: tuple[LatencyMeasure, ...]) -> PageTable:
    columns = tuple(
        TableColumn(name, digits=False) for name in ("measure", "what was timed", "the direct path")
    )
    rows = tuple(
        (_name(each), each.what or figures.UNKNOWN, each.against or figures.UNKNOWN) for each in measures
    )
    return PageTable("What was timed", columns, rows, stacked=True)


def _table(measures: tuple[LatencyMeasure, ...]) -> PageTable:
    names = ("measure", "samples", "p50", "p95", "p99", "most", "ratio")
    columns = tuple(TableColumn(name, name != names[0]) for name in names)
    return PageTable(
        "Percentiles of each measure", columns, tuple(row for each in measures for row in _rows(each))
    )


def _rows(measure: LatencyMeasure) -> Iterator[tuple[str, ...]]:
    yield (_name(measure), *_cells(measure.spread), figures.times(measure.ratio))
    if measure.against_spread is not None:
        yield (f"{_name(measure)}, direct", *_cells(measure.against_spread), "1×")


def _cells(spread: Spread) -> tuple[str, ...]:
    values = (spread.p50_ms, spread.p95_ms, spread.p99_ms, spread.max_ms)
    return (figures.number(spread.samples), *(figures.milliseconds(value) for value in values))
