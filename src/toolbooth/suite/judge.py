"""A cell × the traces of its runs → its part of the report."""

from collections import Counter
from collections.abc import Iterator, Sequence

from toolbooth.catalog import Catalog
from toolbooth.limits import SHOWN_SAID
from toolbooth.safetext import for_terminal
from toolbooth.suite.evidence import Evidence
from toolbooth.suite.plan import Cell
from toolbooth.suite.report import CellReport, Source, Status
from toolbooth.suite.selection import is_member
from toolbooth.suite.trace import Trace, summed
from toolbooth.suite.transcript import shortened, transcripts
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
        (*notes, *_notes(evidence), *_not_there(cell, evidence.catalog)),
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
        shortened(runs[0].prompt, SHOWN_SAID) if runs else "",
        transcripts(evidence.runs, evidence.padded),
        _versions(evidence),
    )


def _versions(evidence: Evidence) -> dict[str, str]:
    """Of Toolbooth and of the servers, when the runs were made."""
    made_by = sorted({run.made_by for run in evidence.runs if run.made_by})
    servers = evidence.catalog.servers if evidence.catalog else ()
    told = {server.server: for_terminal(server.version, 60) for server in servers if server.version}
    return {**({"toolbooth": ", ".join(made_by)} if made_by else {}), **dict(sorted(told.items()))}


def _not_there(cell: Cell, catalog: Catalog | None) -> Iterator[str]:
    """Tools that a gate names and no server has: a slip of the pen, most likely."""
    if catalog is None:
        return
    there = [{"server": tool.server, "name": tool.name} for tool in catalog]
    for group in dict.fromkeys(group for gate in cell.test.gates for group in gate.names()):
        if not any(is_member(name, tool) for name in group for tool in there):
            yield f"no server has a tool {' or '.join(group)}, which a gate names"


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
