"""Planned cells → a report: recordings are scored, all else is run, and whatever is done is kept."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal, Protocol

import anyio

from toolbooth.catalog import ServerSpec
from toolbooth.errors import ConfigError, ToolboothError, UserMistake
from toolbooth.safetext import for_terminal
from toolbooth.suite.agents.counting import menu_tokens
from toolbooth.suite.agents.model_name import KEY_FREE
from toolbooth.suite.agents.models import Models
from toolbooth.suite.agents.talk import Model
from toolbooth.suite.evidence import Evidence
from toolbooth.suite.judge import judge_cell
from toolbooth.suite.live import Job, Ran, Stage, blank_trace
from toolbooth.suite.plan import Cell
from toolbooth.suite.purse import Purse
from toolbooth.suite.report import CellReport, Report
from toolbooth.suite.session import Session
from toolbooth.suite.spec.load import suite_stem
from toolbooth.suite.spec.suite import NO_MODEL, Suite
from toolbooth.suite.tapes import Tapes

Mode = Literal["replay", "record", "live"]


@dataclass(frozen=True)
class Options:
    """How cells are run. `replay` scores recordings and runs live only what needs no key and was never recorded."""

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
    """Told of what happens, for a person who looks on."""

    def began(self, job: Job) -> None: ...

    def ended(self, report: CellReport) -> None: ...


@dataclass
class _Live:
    """A cell that is run: what it needs, and what has come of it so far."""

    cell: Cell
    specs: tuple[ServerSpec, ...]
    model: Model
    purse: Purse
    ran: dict[tuple[str, int], Ran] = field(default_factory=dict)

    @property
    def whole(self) -> bool:
        """Whether every run is in."""
        return len(self.ran) == self.cell.runs * len(self.cell.variants)


class SuiteRun:
    """One run of planned cells. `prepare` raises every mistake before anything runs; `report` tells what is done."""

    def __init__(
        self,
        cells: Sequence[Cell],
        options: Options,
        environ: Mapping[str, str],
        cwd: Path,
        session: Session | None = None,
    ) -> None:
        self._cells, self._options, self._environ, self._cwd = tuple(cells), options, environ, cwd
        self._suites = list({cell.suite.path: cell.suite for cell in cells}.values())
        self._session = session or Session()
        self._servers = {suite.path: self._session.servers(suite, environ) for suite in self._suites}
        self._tapes = {suite.path: self._tapes_of(suite) for suite in self._suites}
        self._models = Models(environ)
        self._purses = {suite.path: self._purse_of(suite) for suite in self._suites}
        self._live: list[_Live] = []
        self._replayed: list[Cell] = []
        self._done: dict[Cell, CellReport] = {}
        self._stopped = False

    def _tapes_of(self, suite: Suite) -> Tapes:
        named, stem = self._options.cassettes, suite_stem(suite.path)
        if named is None:
            folder = suite.cassettes
        elif [suite_stem(each.path) for each in self._suites].count(stem) == 1:
            folder = named / stem
        else:
            raise UserMistake(
                f"two suites are called {stem}: their recordings cannot share {named}; run them apart"
            )
        return Tapes(suite, folder, self._session, self._environ)

    def _purse_of(self, suite: Suite) -> Purse:
        given = [each for each in (self._options.budget, suite.budget) if each is not None]
        return Purse(min(given) if given else None, "the suite")

    # -- before anything runs ------------------------------------------------------------------------------
    def prepare(self) -> None:
        """Raises ConfigError, NoSuchModel, NoKey and such."""
        if self._options.mode == "record":
            for tapes in self._tapes.values():
                tapes.make_folder()
        for cell in self._cells:
            if self._is_replayed(cell):
                self._tapes[cell.suite.path].load(cell)
                self._replayed.append(cell)
            else:
                self._live.append(self._prepared(cell))

    def _is_replayed(self, cell: Cell) -> bool:
        tapes, options = self._tapes[cell.suite.path], self._options
        if options.mode == "live" or (options.mode == "record" and not options.missing_only):
            return False
        if options.mode == "record":
            return tapes.has_all(cell)
        if tapes.key_of(cell) is not None:
            return True
        needs_key = cell.model not in KEY_FREE or cell.model == NO_MODEL
        if needs_key or options.offline:
            which = f" --with-model {cell.model}" if cell.overridden else ""
            mend = f"record it with `toolbooth test {cell.suite.path.as_posix()}{which} --record`"
            raise ConfigError(
                f"{cell.test.name}: there is no recording for {cell.model} on {cell.surface} in {tapes.folder}; "
                + (mend if cell.test.prompt else "and it cannot be made here, since the test has no prompt"),
                cell.suite.path,
                cell.test.line or None,
            )
        return False

    def _prepared(self, cell: Cell) -> _Live:
        if not cell.test.prompt:
            raise ConfigError(
                f"{cell.test.name}: there is no prompt; only recordings of it can be scored",
                cell.suite.path,
                cell.test.line or None,
            )
        specs = self._servers[cell.suite.path].of(cell.test)
        model = self._models.open(cell.model, cell.test)
        purse = Purse(cell.budget, f"the test {cell.test.name!r}", self._purses[cell.suite.path])
        if purse.limited:
            model.price(1, 1)  # raises UnknownModel: a budget cannot be kept without a price
        return _Live(cell, specs, model, purse)

    # -- the run -------------------------------------------------------------------------------------------
    async def run(self, watcher: Watcher) -> None:
        """Replay first, which is quick, then all live runs in seeded order."""
        try:
            await self._replay(watcher)
            if self._live and not self._stopped:
                with TemporaryDirectory(prefix="toolbooth-suite-") as folder:
                    await self._run_live(watcher, Path(folder))
        finally:
            with anyio.CancelScope(shield=True):
                await self._models.close()

    async def _replay(self, watcher: Watcher) -> None:
        for path, tapes in self._tapes.items():
            cells = [cell for cell in self._replayed if cell.suite.path == path]
            if cells and not self._options.offline:
                await tapes.look_at_servers(cells)
            for cell in cells:
                self._finish(cell, tapes.judged(cell, allow_drift=self._options.allow_drift), watcher)
                if self._stopped:
                    return

    async def _run_live(self, watcher: Watcher, folder: Path) -> None:
        jobs = [
            (live, Job(live.cell, run, variant))
            for live in self._live
            for variant in live.cell.variants
            for run in range(1, live.cell.runs + 1)
        ]
        random.Random(self.seed).shuffle(jobs)  # noqa: S311 - an order, not a secret
        stages = {path: Stage(servers.environ, self._cwd, folder) for path, servers in self._servers.items()}
        room = anyio.Semaphore(self._concurrency)
        async with anyio.create_task_group() as tasks:

            async def one(live: _Live, job: Job) -> None:
                async with room:
                    if self._stopped:
                        return
                    watcher.began(job)
                    await self._one(live, job, stages[job.cell.suite.path])
                if live.whole:
                    self._finish(live.cell, self._judged(live), watcher)
                    if self._stopped:
                        tasks.cancel_scope.cancel()

            for live, job in jobs:
                tasks.start_soon(one, live, job)

    async def _one(self, live: _Live, job: Job, stage: Stage) -> None:
        tapes = self._tapes[job.cell.suite.path]
        try:
            ran = tapes.clean(await stage.run(job, live.model, live.specs, live.purse))
            if self._options.mode == "record" and not ran.trace.failed:
                ran = await anyio.to_thread.run_sync(tapes.write, job, ran, live.specs)
        except ToolboothError as error:  # a full disk, say: what other runs did is still told
            ran = tapes.clean(_broken(job, str(error)))
        except Exception as error:  # one strange run must not end the others
            ran = tapes.clean(_broken(job, f"a fault of Toolbooth ({type(error).__name__})"))
        live.ran[job.variant, job.run] = ran

    def _judged(self, live: _Live) -> CellReport:
        plain = [live.ran["", run] for run in range(1, live.cell.runs + 1)]
        padded = [ran for (variant, _), ran in sorted(live.ran.items()) if variant]
        menu = next((ran.menu for ran in plain if ran.menu is not None), None)
        evidence = Evidence(
            tuple(ran.trace for ran in plain),
            tuple(ran.trace for ran in padded),
            None if menu is None else menu_tokens(menu),
            "its servers did not come up",
            next((ran.catalog for ran in plain if ran.catalog is not None), None),
        )
        recorded = self._options.mode == "record"
        lost = sum(ran.trace.failed for ran in (*plain, *padded)) if recorded else 0
        notes = [f"not recorded, since they ended in an error: {lost} of its runs"] if lost else []
        if self._options.mode == "replay":
            notes.append("run for real, since there is no recording of it")
        report = judge_cell(live.cell, evidence, "recorded" if recorded else "live", notes)
        return self._tapes[live.cell.suite.path].clean_report(report)

    def _finish(self, cell: Cell, report: CellReport, watcher: Watcher) -> None:
        self._done[cell] = report
        watcher.ended(report)
        self._stopped = self._stopped or (self._options.fail_fast and report.status != "passed")

    @property
    def seed(self) -> int:
        """That of the call, else that of the first suite."""
        return self._options.seed if self._options.seed is not None else self._suites[0].seed

    @property
    def _concurrency(self) -> int:
        return self._options.concurrency or max(suite.concurrency for suite in self._suites)

    @property
    def recorded(self) -> dict[Path, int]:
        """How many runs were recorded, by folder."""
        return {tapes.folder: tapes.written for tapes in self._tapes.values() if tapes.written}

    # -- what came of it -----------------------------------------------------------------------------------
    def report(self, shard: str = "", *, partial: bool = False) -> Report:
        """Every planned cell, in order; one that is not done says so."""
        cells = [self._done.get(cell) or _not_run(cell) for cell in self._cells]
        stale = (note for tapes in self._tapes.values() for note in tapes.warnings())
        warnings = (f"{suite.path.as_posix()}: {said}" for suite in self._suites for said in suite.warnings)
        return Report(
            tuple(suite.path.as_posix() for suite in self._suites),
            tuple(cells),
            (*warnings, *stale),
            self.seed,
            shard,
            partial,
        )


def _broken(job: Job, error: str) -> Ran:
    return Ran(replace(blank_trace(job.cell), ended="error", error=for_terminal(error, 500)))


def _not_run(cell: Cell) -> CellReport:
    blank = judge_cell(cell, Evidence(()), "")
    return replace(blank, status="not run", notes=())
