"""Paired comparisons of engines → a table of differences with a verdict in words."""

from toolbooth.bench.report import SURE, EngineScores, Verdict
from toolbooth.web.digits import UNKNOWN, number, probability, signed
from toolbooth.web.parts import Column, Table
from toolbooth.web.sections.names import metric_name


def verdicts_table(against: tuple[EngineScores, ...], ours: str) -> Table | None:
    """Which engine is better, and how sure that is."""
    rows = tuple(_verdict_row(each.engine, verdict) for each in against for verdict in each.verdicts)
    if not rows:
        return None
    names = ("against", "measure", "verdict", "difference", "95 % interval", "p", "better on", "worse on")
    columns = tuple(Column(name, name not in names[:3]) for name in names)
    lead = (
        f"{ours} minus the other, question by question. "
        f"A difference is clear where its interval leaves out zero and p is below {SURE}."
    )
    return Table("Which engine is better", columns, rows, lead)


def _verdict_row(engine: str, verdict: Verdict) -> tuple[str, ...]:
    words = "no clear difference" if verdict.outcome == "unclear" else verdict.outcome
    bounds = UNKNOWN if verdict.low == verdict.high else f"{signed(verdict.low)} to {signed(verdict.high)}"
    return (
        engine,
        metric_name(verdict.metric),
        words,
        signed(verdict.difference),
        bounds,
        probability(verdict.p_value),
        number(verdict.better),
        number(verdict.worse),
    )
