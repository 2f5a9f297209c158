"""A cell × the traces of its runs → its part of the report."""

from collections import Counter
from collections.abc import Sequence

from toolbooth.suite.evidence import Evidence
from toolbooth.suite.plan import Cell
from toolbooth.suite.report import CellReport, Source, Status
from toolbooth.suite.trace import Trace, summed
from toolbooth.suite.verdict import Verdict
from toolbooth.suite.wilson import wilson


def judge_cell(
    cell: Cell, evidence: Evidence, source: Source, notes: Sequence[str] = (), refusal: str = ""
) -> CellReport:
    """Every gate looks at all runs. A run that errored makes the cell an error: it was not proven."""
    runs = (*evidence.runs, *evidence.padded)
    verdicts = tuple(gate.judge(evidence) for gate in cell.test.gates) if evidence.runs else ()
    errors = [f"run {index}: {run.error}" for index, run in enumerate(evidence.runs, 1) if run.failed]
    errors += [
        f"padded run {index}: {run.error}" for index, run in enumerate(evidence.padded, 1) if run.failed
    ]
    right = sum(all(gate.run_is_right(run) for gate in cell.test.gates) for run in evidence.runs)
    return CellReport(
        cell.key,
        "refused" if refusal else _status(runs, verdicts),
        len(evidence.runs),
        source,
        verdicts,
        (*errors, *([refusal] if refusal else [])),
        (*notes, *_notes(evidence)),
        wilson(right, len(evidence.runs)) if evidence.runs else None,
        dict(sorted(Counter(call.id for run in evidence.runs for call in run.calls).items())),
        sum(len(run.turns) for run in runs),
        sum(run.input_tokens for run in runs),
        sum(turn.usage.output for run in runs for turn in run.turns),
        evidence.surface_tokens,
        summed(run.cost for run in runs),
        round(sum(run.seconds for run in runs), 3),
        cell.suite.path.as_posix(),
        cell.test.line,
    )


def _status(runs: Sequence[Trace], verdicts: Sequence[Verdict]) -> Status:
    if any(run.ended == "refused" for run in runs):
        return "refused"
    if any(run.ended == "error" for run in runs):
        return "error"
    return "failed" if any(verdict.state == "failed" for verdict in verdicts) else "passed"


def _notes(evidence: Evidence) -> list[str]:
    stopped = sum(run.ended == "max_turns" for run in evidence.runs)
    said = [f"{stopped} of {len(evidence.runs)} runs used up max_turns"] if stopped else []
    return said if evidence.surface_tokens is not None or not evidence.runs else [*said, evidence.surface_why]
