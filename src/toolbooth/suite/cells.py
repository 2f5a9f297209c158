"""One cell: its live runs, and the verdicts of its gates.

A live run starts fresh servers, runs the agent, and ends as a trace. The traces of a cell together become its part of
the report.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import anyio

from toolbooth import __version__, limits, safetext
from toolbooth.catalog import Catalog, ServerSpec, ServerTools
from toolbooth.errors import BackendFault, ToolboothError
from toolbooth.suite import distractors, metrics, planning, report, transcript
from toolbooth.suite.agents import conversation, costs, loop
from toolbooth.suite.agents.toolbox import open_toolbox
from toolbooth.suite.gates import registry
from toolbooth.suite.gates.distractors import Distractors
from toolbooth.suite.trace import Trace, summed
from toolbooth.suite.verdict import Verdict

Menu = Sequence[Mapping[str, Any]]


class RunResult(NamedTuple):
    """One run: its trace, and the menu and catalog, which are None if the servers did not start."""

    trace: Trace
    menu: Menu | None = None
    catalog: Catalog | None = None


class PlannedRun(NamedTuple):
    """One run to be made."""

    cell: planning.Cell
    run: int
    variant: str = ""


class LiveRunner:
    """What the live runs of a suite share: the environment, the working folder, and a folder for padded catalogs."""

    def __init__(self, environ: Mapping[str, str], cwd: Path, folder: Path) -> None:
        self._environ, self._cwd, self._folder = environ, cwd, folder
        self._padding: dict[tuple[Any, ...], ServerSpec] = {}
        self._one_at_a_time = anyio.Lock()

    async def run(
        self,
        planned: PlannedRun,
        model: conversation.Model,
        specs: Sequence[ServerSpec],
        budget: costs.Budget,
    ) -> RunResult:
        """One run with fresh servers. Errors are recorded in the trace; only a cancellation is raised."""
        blank, most = blank_trace(planned.cell), planned.cell.test.agent.timeout
        specs = [replace(spec, timeout=min(spec.timeout, most)) for spec in specs]
        try:
            if planned.variant and planned.cell.distractors is not None:
                specs = [*specs, await self._padded(planned.cell.distractors, specs)]
            async with open_toolbox(specs, planned.cell.surface, self._environ, self._cwd) as toolbox:
                trace = await loop.run_agent(model, toolbox, task_of(planned, blank), budget)
                return RunResult(trace, toolbox.menu, toolbox.catalog)
        except ToolboothError as error:
            return RunResult(_failed(blank, str(error)))

    async def _padded(self, gate: Distractors, specs: Sequence[ServerSpec]) -> ServerSpec:
        """A server of look-alike tools, shared by all runs that pad the same tools."""
        from toolbooth.catalog.connect import reach_all
        from toolbooth.suite import distractor_server

        taken = frozenset(member for group in gate.names() for member in group)
        key = (gate.count, gate.seed, taken, *(spec.name for spec in specs))
        async with self._one_at_a_time:
            if key not in self._padding:
                reached = await reach_all(tuple(specs))
                catalog = Catalog(tuple(_listed(each.tools, each.fault) for each in reached))
                tools = distractors.look_alikes(catalog, gate.count, gate.seed, taken)
                self._padding[key] = distractor_server.distractor_spec(tools, self._folder)
        return self._padding[key]


def _listed(tools: ServerTools | None, fault: BackendFault | None) -> ServerTools:
    if tools is None:
        raise fault or BackendFault("did not list its tools")
    return tools


def blank_trace(cell: planning.Cell) -> Trace:
    """The trace of a run that has not begun."""
    return Trace(
        cell.test.prompt,
        cell.test.agent.system_prompt,
        cell.model,
        cell.surface,
        made_at=datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        made_by=__version__,
    )


def task_of(planned: PlannedRun, blank: Trace) -> loop.AgentTask:
    """The task of a planned run, with the settings of its test."""
    agent = planned.cell.test.agent
    return loop.AgentTask(
        blank, agent.instructions, agent.max_turns, agent.timeout, agent.max_tokens, planned.run
    )


def _failed(blank: Trace, error: str) -> Trace:
    return replace(blank, ended="error", error=safetext.for_terminal(error, 500))


def judge_cell(
    cell: planning.Cell,
    evidence: registry.CellEvidence,
    source: report.Source,
    notes: Sequence[str] = (),
    refusal: str = "",
) -> report.CellReport:
    """Let every gate judge all runs. A run with an error makes the cell an error, because nothing was proven."""
    runs = (*evidence.runs, *evidence.padded)
    verdicts = tuple(gate.judge(evidence) for gate in cell.test.gates) if evidence.runs else ()
    errors = [f"run {index}: {run.error}" for index, run in enumerate(evidence.runs, 1) if run.failed]
    errors += [
        f"padded run {index}: {run.error}" for index, run in enumerate(evidence.padded, 1) if run.failed
    ]
    right = sum(all(gate.run_is_right(run) for gate in cell.test.gates) for run in evidence.runs)
    return report.CellReport(
        cell.key,
        "refused" if refusal else _status(runs, verdicts),
        len(evidence.runs),
        source,
        verdicts,
        (*errors, *([refusal] if refusal else [])),
        (*notes, *_notes(evidence), *_not_there(cell, evidence.catalog)),
        metrics.wilson(right, len(evidence.runs)) if evidence.runs else None,
        dict(sorted(Counter(call.id for run in evidence.runs for call in run.calls).items())),
        sum(len(run.turns) for run in runs),
        sum(run.input_tokens for run in runs),
        sum(turn.usage.output for run in runs for turn in run.turns),
        evidence.surface_tokens,
        summed(run.cost for run in runs),
        round(sum(run.seconds for run in runs), 3),
        cell.suite.path.as_posix(),
        cell.test.line,
        transcript.shortened(runs[0].prompt, limits.SHOWN_SAID) if runs else "",
        transcript.transcripts(evidence.runs, evidence.padded),
        _versions(evidence),
    )


def _versions(evidence: registry.CellEvidence) -> dict[str, str]:
    """The versions of Toolbooth and of the servers at the time of the runs."""
    made_by = sorted({run.made_by for run in evidence.runs if run.made_by})
    servers = evidence.catalog.servers if evidence.catalog else ()
    known = {server.server: safetext.for_terminal(server.version, 60) for server in servers if server.version}
    return {**({"toolbooth": ", ".join(made_by)} if made_by else {}), **dict(sorted(known.items()))}


def _not_there(cell: planning.Cell, catalog: Catalog | None) -> Iterator[str]:
    """Tools that a gate names and no server has, most likely a typing error."""
    if catalog is None:
        return
    there = [{"server": tool.server, "name": tool.name} for tool in catalog]
    for group in dict.fromkeys(group for gate in cell.test.gates for group in gate.names()):
        if not any(metrics.is_member(name, tool) for name in group for tool in there):
            yield f"a gate names {' or '.join(group)}, but no server has such a tool"


def _status(runs: Sequence[Trace], verdicts: Sequence[Verdict]) -> report.Status:
    if any(run.ended == "refused" for run in runs):
        return "refused"
    if any(run.ended == "error" for run in runs):
        return "error"
    return "failed" if any(verdict.state == "failed" for verdict in verdicts) else "passed"


def _notes(evidence: registry.CellEvidence) -> list[str]:
    stopped = sum(run.ended == "max_turns" for run in evidence.runs)
    notes = [f"{stopped} of {len(evidence.runs)} runs reached max_turns"] if stopped else []
    return (
        notes if evidence.surface_tokens is not None or not evidence.runs else [*notes, evidence.surface_why]
    )
