"""A run of planned cells: recordings are scored, all other cells run live, and the result is a report.

A public entry point: callers plan cells, run them and read the report with the names in `__all__`.
"""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal, Protocol

import anyio

from toolbooth import catalog, errors, safetext
from toolbooth.suite.agents import conversation, costs, model_name, models
from toolbooth.suite.cells import LiveRunner, PlannedRun, RunResult, blank_trace, judge_cell
from toolbooth.suite.gates.registry import CellEvidence
from toolbooth.suite.planning import Cell, CellFilter, plan
from toolbooth.suite.recordings.suite_recordings import RunCache, SuiteRecordings
from toolbooth.suite.report import CellReport, SuiteReport
from toolbooth.suite.spec import load
from toolbooth.suite.spec.suite import NO_MODEL, Suite

__all__ = ["Cell", "CellFilter", "PlannedRun", "RunOptions", "SuiteRun", "Watcher", "plan"]


Mode = Literal["replay", "record", "live"]


@dataclass(frozen=True)
class RunOptions:
    """How cells are run. `replay` scores recordings, and runs live only unrecorded cells that need no key."""

    mode: Mode = "replay"
    missing_only: bool = False
    allow_drift: bool = False
    offline: bool = False
    fail_fast: bool = False
    concurrency: int | None = None
    seed: int | None = None
    budget: float | None = None
    cassettes: Path | None = None


class Watcher(Protocol):
    """Receives the progress of a run, to show it to the user."""

    def began(self, planned: PlannedRun) -> None: ...

    def ended(self, report: CellReport) -> None: ...


@dataclass
class _Live:
    """A cell that runs live: what it needs, and its results so far."""

    cell: Cell
    specs: tuple[catalog.ServerSpec, ...]
    model: conversation.Model
    budget: costs.Budget
    results: dict[tuple[str, int], RunResult] = field(default_factory=dict)

    @property
    def whole(self) -> bool:
        """Whether every run has finished."""
        return len(self.results) == self.cell.runs * len(self.cell.variants)


class SuiteRun:
    """One run of planned cells. `prepare` raises every mistake before anything runs; `report` shows the state."""

    def __init__(
        self,
        cells: Sequence[Cell],
        options: RunOptions,
        environ: Mapping[str, str],
        cwd: Path,
        cache: RunCache | None = None,
    ) -> None:
        self._cells, self._options, self._environ, self._cwd = tuple(cells), options, environ, cwd
        self._suites = list({cell.suite.path: cell.suite for cell in cells}.values())
        self._cache = cache or RunCache()
        self._servers = {suite.path: self._cache.servers(suite, environ) for suite in self._suites}
        self._recordings = {suite.path: self._recordings_of(suite) for suite in self._suites}
        self._models = models.Models(environ)
        self._budgets = {suite.path: self._budget_of(suite) for suite in self._suites}
        self._live: list[_Live] = []
        self._replayed: list[Cell] = []
        self._done: dict[Cell, CellReport] = {}
        self._stopped = False

    def _recordings_of(self, suite: Suite) -> SuiteRecordings:
        named, stem = self._options.cassettes, load.suite_stem(suite.path)
        if named is None:
            folder = suite.cassettes
        elif [load.suite_stem(each.path) for each in self._suites].count(stem) == 1:
            folder = named / stem
        else:
            raise errors.UserMistake(
                f"two suites are called {stem}, so their recordings cannot share {named}; run them separately"
            )
        return SuiteRecordings(suite, folder, self._cache, self._environ)

    def _budget_of(self, suite: Suite) -> costs.Budget:
        given = [each for each in (self._options.budget, suite.budget) if each is not None]
        return costs.Budget(min(given) if given else None, "the suite")

    # -- before anything runs ------------------------------------------------------------------------------
    def prepare(self) -> None:
        """Decide which cells are replayed, and load or open what they need. Raises ConfigError, NoKey and others."""
        if self._options.mode == "record":
            for recordings in self._recordings.values():
                recordings.make_folder()
        for cell in self._cells:
            if self._is_replayed(cell):
                self._recordings[cell.suite.path].load(cell)
                self._replayed.append(cell)
            else:
                self._live.append(self._prepared(cell))

    def _is_replayed(self, cell: Cell) -> bool:
        recordings, options = self._recordings[cell.suite.path], self._options
        if options.mode == "live" or (options.mode == "record" and not options.missing_only):
            return False
        if options.mode == "record":
            return recordings.has_all(cell)
        if recordings.key_of(cell) is not None:
            return True
        needs_key = cell.model not in model_name.KEY_FREE or cell.model == NO_MODEL
        if needs_key or options.offline:
            which = f" --with-model {cell.model}" if cell.overridden else ""
            advice = f"record it with `toolbooth test {cell.suite.path.as_posix()}{which} --record`"
            raise errors.ConfigError(
                f"{cell.test.name}: there is no recording for {cell.model} on {cell.surface} in {recordings.folder}; "
                + (
                    advice
                    if cell.test.prompt
                    else "it cannot be recorded here, because the test has no prompt"
                ),
                cell.suite.path,
                cell.test.line or None,
            )
        return False

    def _prepared(self, cell: Cell) -> _Live:
        if not cell.test.prompt:
            raise errors.ConfigError(
                f"{cell.test.name}: there is no prompt; add one, or score recordings only",
                cell.suite.path,
                cell.test.line or None,
            )
        specs = self._servers[cell.suite.path].of(cell.test)
        model = self._models.open(cell.model, cell.test)
        budget = costs.Budget(cell.budget, f"the test {cell.test.name!r}", self._budgets[cell.suite.path])
        if budget.limited:
            model.price(1, 1)  # raises UnknownModel: a budget needs a price
        return _Live(cell, specs, model, budget)

    # -- the run -------------------------------------------------------------------------------------------
    async def run(self, watcher: Watcher) -> None:
        """Replay first, which is quick, then make all live runs in seeded order."""
        try:
            await self._replay(watcher)
            if self._live and not self._stopped:
                with TemporaryDirectory(prefix="toolbooth-suite-") as folder:
                    await self._run_live(watcher, Path(folder))
        finally:
            with anyio.CancelScope(shield=True):
                await self._models.close()

    async def _replay(self, watcher: Watcher) -> None:
        for path, recordings in self._recordings.items():
            cells = [cell for cell in self._replayed if cell.suite.path == path]
            if cells and not self._options.offline:
                await recordings.look_at_servers(cells)
            for cell in cells:
                self._finish(cell, recordings.judged(cell, allow_drift=self._options.allow_drift), watcher)
                if self._stopped:
                    return

    async def _run_live(self, watcher: Watcher, folder: Path) -> None:
        planned_runs = [
            (live, PlannedRun(live.cell, run, variant))
            for live in self._live
            for variant in live.cell.variants
            for run in range(1, live.cell.runs + 1)
        ]
        random.Random(self.seed).shuffle(planned_runs)  # noqa: S311 - an order, not a secret
        live_runners = {
            path: LiveRunner(servers.environ, self._cwd, folder) for path, servers in self._servers.items()
        }
        limiter = anyio.Semaphore(self._concurrency)
        async with anyio.create_task_group() as tasks:

            async def one(live: _Live, planned: PlannedRun) -> None:
                async with limiter:
                    if self._stopped:
                        return
                    watcher.began(planned)
                    await self._one(live, planned, live_runners[planned.cell.suite.path])
                if live.whole:
                    self._finish(live.cell, self._judged(live), watcher)
                    if self._stopped:
                        tasks.cancel_scope.cancel()

            for live, planned in planned_runs:
                tasks.start_soon(one, live, planned)

    async def _one(self, live: _Live, planned: PlannedRun, live_runner: LiveRunner) -> None:
        recordings = self._recordings[planned.cell.suite.path]
        try:
            result = recordings.clean(await live_runner.run(planned, live.model, live.specs, live.budget))
            if self._options.mode == "record" and not result.trace.failed:
                result = await anyio.to_thread.run_sync(recordings.write, planned, result, live.specs)
        except errors.ToolboothError as error:  # for example a full disk: the other runs are still reported
            result = recordings.clean(_broken(planned, str(error)))
        except Exception as error:  # one broken run must not end the others
            result = recordings.clean(_broken(planned, f"a bug in Toolbooth ({type(error).__name__})"))
        live.results[planned.variant, planned.run] = result

    def _judged(self, live: _Live) -> CellReport:
        plain = [live.results["", run] for run in range(1, live.cell.runs + 1)]
        padded = [result for (variant, _), result in sorted(live.results.items()) if variant]
        menu = next((result.menu for result in plain if result.menu is not None), None)
        evidence = CellEvidence(
            tuple(result.trace for result in plain),
            tuple(result.trace for result in padded),
            None if menu is None else costs.menu_tokens(menu),
            "its servers did not start",
            next((result.catalog for result in plain if result.catalog is not None), None),
        )
        recorded = self._options.mode == "record"
        lost = sum(result.trace.failed for result in (*plain, *padded)) if recorded else 0
        notes = [f"{lost} of its runs ended in an error and are not recorded"] if lost else []
        if self._options.mode == "replay":
            notes.append("run live, because there is no recording of it")
        report = judge_cell(live.cell, evidence, "recorded" if recorded else "live", notes)
        return self._recordings[live.cell.suite.path].clean_report(report)

    def _finish(self, cell: Cell, report: CellReport, watcher: Watcher) -> None:
        self._done[cell] = report
        watcher.ended(report)
        self._stopped = self._stopped or (self._options.fail_fast and report.status != "passed")

    @property
    def seed(self) -> int:
        """The seed of the options, else that of the first suite."""
        return self._options.seed if self._options.seed is not None else self._suites[0].seed

    @property
    def _concurrency(self) -> int:
        return self._options.concurrency or max(suite.concurrency for suite in self._suites)

    @property
    def recorded(self) -> dict[Path, int]:
        """The number of recorded runs by folder."""
        return {
            recordings.folder: recordings.written
            for recordings in self._recordings.values()
            if recordings.written
        }

    # -- the report ----------------------------------------------------------------------------------------
    def report(self, shard: str = "", *, partial: bool = False) -> SuiteReport:
        """Every planned cell in order; unfinished cells are marked as not run."""
        cells = [self._done.get(cell) or _not_run(cell) for cell in self._cells]
        stale = (note for recordings in self._recordings.values() for note in recordings.warnings())
        warnings = (f"{suite.path.as_posix()}: {line}" for suite in self._suites for line in suite.warnings)
        return SuiteReport(
            tuple(suite.path.as_posix() for suite in self._suites),
            tuple(cells),
            (*warnings, *stale),
            self.seed,
            shard,
            partial,
        )


def _broken(planned: PlannedRun, error: str) -> RunResult:
    return RunResult(
        replace(blank_trace(planned.cell), ended="error", error=safetext.for_terminal(error, 500))
    )


def _not_run(cell: Cell) -> CellReport:
    blank = judge_cell(cell, CellEvidence(()), "")
    return replace(blank, status="not run", notes=())
