"""The retrieval section of the page: engines with recall curves and measures, verdicts, questions, the gate."""

from typing import NamedTuple

from toolbooth import figures
from toolbooth.bench.report import (
    SURE,
    BaselineGate,
    EngineScores,
    MetricValues,
    PairedVerdict,
    RecallCurve,
    RetrievalSection,
)
from toolbooth.web.charts.dots import Dot, DotGroup, dots
from toolbooth.web.charts.lines import LinePlot, Point, Series, lines
from toolbooth.web.parts import Chart, Figure, PageSection, PageTable, TableColumn
from toolbooth.web.scores import hundredths, interval, probability, score, signed
from toolbooth.web.sections import questions, wording
from toolbooth.web.sections.wording import metric_name


def verdicts_table(against: tuple[EngineScores, ...], ours: str) -> PageTable | None:
    """Which engine is better, and how certain that is."""
    rows = tuple(_verdict_row(each.engine, verdict) for each in against for verdict in each.verdicts)
    if not rows:
        return None
    names = ("against", "measure", "verdict", "difference", "95% interval", "p", "better on", "worse on")
    columns = tuple(TableColumn(name, name not in names[:3]) for name in names)
    lead = (
        f"{ours} minus the other, question by question. "
        f"A difference is clear where its interval excludes zero and p is below {SURE}."
    )
    return PageTable("Which engine is better", columns, rows, lead)


def _verdict_row(engine: str, verdict: PairedVerdict) -> tuple[str, ...]:
    words = "no clear difference" if verdict.outcome == "unclear" else verdict.outcome
    bounds = (
        figures.UNKNOWN if verdict.low == verdict.high else f"{signed(verdict.low)} to {signed(verdict.high)}"
    )
    return (
        engine,
        wording.metric_name(verdict.metric),
        words,
        signed(verdict.difference),
        bounds,
        probability(verdict.p_value),
        figures.number(verdict.better),
        figures.number(verdict.worse),
    )


def retrieval_section(section: RetrievalSection) -> PageSection:
    """How well the right tools are found."""
    made = (
        curves_figure(section),
        measures_figure(section),
        verdicts_table(section.against, section.engine),
        questions.kinds_figure(section.kinds),
        questions.rejection_figure(section.rejection, section.query_count),
        questions.questions_table(section.rows),
        questions.answered_table(section.rejection),
    )
    blocks = tuple(block for block in made if block is not None)
    return PageSection(
        "retrieval", "Whether the right tool is found", _lead(section), blocks, _said(section), section.notes
    )


def _lead(section: RetrievalSection) -> str:
    asked = f"{figures.counted(section.query_count, 'question')} asked of {section.engine}"
    runs = f", mean of {figures.number(section.runs_averaged)} runs" if section.runs_averaged > 1 else ""
    unscored = (
        f"; {figures.number(section.not_scored)} more have no right answer and are not scored"
        if section.not_scored
        else ""
    )
    return f"{asked}{runs}{unscored}. Intervals are 95% and come from resampling the questions."


def _said(section: RetrievalSection) -> tuple[str, ...]:
    said = [_gate(section.gate)]
    if isinstance(section.baseline_delta, dict) and section.baseline_delta:
        moved = ", ".join(
            f"{wording.metric_name(key)} {signed(value)}" for key, value in section.baseline_delta.items()
        )
        said.append(f"Against the baseline: {moved}.")
    if section.unknown_labels:
        named = ", ".join(section.unknown_labels[:5])
        more = " and more" if len(section.unknown_labels) > 5 else ""
        said.append(
            f"{figures.counted(len(section.unknown_labels), 'label')} of tools that the corpus lacks: {named}{more}."
        )
    return tuple(said)


def _gate(gate: BaselineGate) -> str:
    verdict = "passed" if gate.passed else "failed"
    known = [each for each in (gate.metric, gate.note) if isinstance(each, str)]
    if (
        isinstance(gate.value, float | int)
        and isinstance(gate.floor, float | int)
        and isinstance(gate.metric, str)
    ):
        words = f"{wording.metric_name(gate.metric)} is {score(gate.value)}; the floor is {score(gate.floor)}"
        note = f"; {gate.note}" if isinstance(gate.note, str) else ""
        return f"The gate {verdict}: {words}{note}."
    return f"The gate {verdict}{': ' + known[-1] if known else ''}."


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
