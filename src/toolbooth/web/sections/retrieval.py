"""The retrieval section → recall curves, measures with intervals, verdicts between engines, kinds, worst questions."""

from toolbooth.bench.report import Gate, RetrievalSection
from toolbooth.web.digits import counted, number, score, signed
from toolbooth.web.parts import Section
from toolbooth.web.sections.engines import curves_figure, measures_figure
from toolbooth.web.sections.kinds import kinds_figure
from toolbooth.web.sections.names import metric_name
from toolbooth.web.sections.questions import questions_table
from toolbooth.web.sections.rejection import answered_table, rejection_figure
from toolbooth.web.sections.verdicts import verdicts_table


def retrieval_section(section: RetrievalSection) -> Section:
    """How well the right tools are found."""
    made = (
        curves_figure(section),
        measures_figure(section),
        verdicts_table(section.against, section.engine),
        kinds_figure(section.kinds),
        rejection_figure(section.rejection, section.query_count),
        questions_table(section.rows),
        answered_table(section.rejection),
    )
    blocks = tuple(block for block in made if block is not None)
    return Section(
        "retrieval", "Whether the right tool is found", _lead(section), blocks, _said(section), section.notes
    )


def _lead(section: RetrievalSection) -> str:
    asked = f"{counted(section.query_count, 'question')} asked of {section.engine}"
    runs = f", mean of {number(section.runs_averaged)} runs" if section.runs_averaged > 1 else ""
    unscored = (
        f"; {number(section.not_scored)} more have no right answer and are not scored"
        if section.not_scored
        else ""
    )
    return (
        f"{asked}{runs}{unscored}. Intervals hold 95 % and come from drawing the questions again and again."
    )


def _said(section: RetrievalSection) -> tuple[str, ...]:
    said = [_gate(section.gate)]
    if isinstance(section.baseline_delta, dict) and section.baseline_delta:
        moved = ", ".join(
            f"{metric_name(key)} {signed(value)}" for key, value in section.baseline_delta.items()
        )
        said.append(f"Against the baseline: {moved}.")
    if section.unknown_labels:
        named = ", ".join(section.unknown_labels[:5])
        more = " and more" if len(section.unknown_labels) > 5 else ""
        said.append(
            f"{counted(len(section.unknown_labels), 'label')} of tools that the corpus lacks: {named}{more}."
        )
    return tuple(said)


def _gate(gate: Gate) -> str:
    verdict = "passed" if gate.passed else "failed"
    known = [each for each in (gate.metric, gate.note) if isinstance(each, str)]
    if (
        isinstance(gate.value, float | int)
        and isinstance(gate.floor, float | int)
        and isinstance(gate.metric, str)
    ):
        words = f"{metric_name(gate.metric)} is {score(gate.value)}, at least {score(gate.floor)} is wanted"
        note = f"; {gate.note}" if isinstance(gate.note, str) else ""
        return f"The gate {verdict}: {words}{note}."
    return f"The gate {verdict}{': ' + known[-1] if known else ''}."
