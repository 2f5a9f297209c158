"""The retrieval section of the page: recall curves, measures, verdicts between engines, questions, the gate."""

from toolbooth import figures
from toolbooth.bench.report import SURE, BaselineGate, EngineScores, PairedVerdict, RetrievalSection
from toolbooth.web.parts import PageSection, PageTable, TableColumn
from toolbooth.web.scores import probability, score, signed
from toolbooth.web.sections import engines, questions, wording


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
        engines.curves_figure(section),
        engines.measures_figure(section),
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
