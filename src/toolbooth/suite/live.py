"""A cell run for real: its servers are started, its model is asked, and what came of it is a trace without secrets."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import anyio

from toolbooth import __version__
from toolbooth.catalog import Catalog, ServerSpec, ServerTools
from toolbooth.errors import BackendFault, ToolboothError
from toolbooth.safetext import for_terminal
from toolbooth.suite.agents.loop import Task, run_agent
from toolbooth.suite.agents.talk import Model
from toolbooth.suite.agents.toolboxes import open_toolbox
from toolbooth.suite.distractors import look_alikes
from toolbooth.suite.gates.distractors import Distractors
from toolbooth.suite.plan import Cell
from toolbooth.suite.purse import Purse
from toolbooth.suite.trace import Trace

Menu = Sequence[Mapping[str, Any]]


class Ran(NamedTuple):
    """One run: its trace, and what the model saw; both None where the servers did not come up."""

    trace: Trace
    menu: Menu | None = None
    catalog: Catalog | None = None


class Job(NamedTuple):
    """One run that is to be made."""

    cell: Cell
    run: int
    variant: str = ""


class Stage:
    """What live runs of a suite share: environment, working folder, and a folder for padded catalogs."""

    def __init__(self, environ: Mapping[str, str], cwd: Path, folder: Path) -> None:
        self._environ, self._cwd, self._folder = environ, cwd, folder
        self._padding: dict[tuple[Any, ...], ServerSpec] = {}
        self._one_at_a_time = anyio.Lock()

    async def run(self, job: Job, model: Model, specs: Sequence[ServerSpec], purse: Purse) -> Ran:
        """One run from fresh servers to their end; only a cancellation is raised."""
        blank, most = blank_trace(job.cell), job.cell.test.agent.timeout
        specs = [replace(spec, timeout=min(spec.timeout, most)) for spec in specs]
        try:
            if job.variant and job.cell.distractors is not None:
                specs = [*specs, await self._padded(job.cell.distractors, specs)]
            async with open_toolbox(specs, job.cell.surface, self._environ, self._cwd) as toolbox:
                trace = await run_agent(model, toolbox, task_of(job, blank), purse)
                return Ran(trace, toolbox.menu, toolbox.catalog)
        except ToolboothError as error:
            return Ran(_failed(blank, str(error)))

    async def _padded(self, gate: Distractors, specs: Sequence[ServerSpec]) -> ServerSpec:
        """A server of look-alikes; the same for every run that pads the same tools."""
        from toolbooth.catalog.connect import reach_all
        from toolbooth.suite.distractor_server import distractor_spec

        taken = frozenset(member for group in gate.names() for member in group)
        key = (gate.count, gate.seed, taken, *(spec.name for spec in specs))
        async with self._one_at_a_time:
            if key not in self._padding:
                reached = await reach_all(tuple(specs))
                catalog = Catalog(tuple(_listed(each.tools, each.fault) for each in reached))
                tools = look_alikes(catalog, gate.count, gate.seed, taken)
                self._padding[key] = distractor_spec(tools, self._folder)
        return self._padding[key]


def _listed(tools: ServerTools | None, fault: BackendFault | None) -> ServerTools:
    if tools is None:
        raise fault or BackendFault("did not list its tools")
    return tools


def blank_trace(cell: Cell) -> Trace:
    """What is known of a run before it begins."""
    return Trace(
        cell.test.prompt,
        cell.test.agent.system_prompt,
        cell.model,
        cell.surface,
        made_at=datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        made_by=__version__,
    )


def task_of(job: Job, blank: Trace) -> Task:
    """The settings of the test."""
    agent = job.cell.test.agent
    return Task(blank, agent.instructions, agent.max_turns, agent.timeout, agent.max_tokens, job.run)


def _failed(blank: Trace, error: str) -> Trace:
    return replace(blank, ended="error", error=for_terminal(error, 500))
