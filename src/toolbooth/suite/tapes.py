"""A suite × its folder of recordings → runs to be scored, what drifted since, and new recordings without secrets."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Final, get_args

from toolbooth.catalog import Catalog, ServerSpec
from toolbooth.errors import ConfigError, ToolboothError
from toolbooth.limits import DRIFT_TIMEOUT, SHOWN_TOOLS
from toolbooth.suite.cassette import Cassette, Variant, Wanted, catalog_hash, drift
from toolbooth.suite.evidence import Evidence
from toolbooth.suite.judge import judge_cell
from toolbooth.suite.live import Job, Ran
from toolbooth.suite.plan import Cell
from toolbooth.suite.redaction import Redactor
from toolbooth.suite.report import CellKey, CellReport
from toolbooth.suite.script_drift import keeps_script
from toolbooth.suite.session import Session
from toolbooth.suite.spec.suite import NO_MODEL, Suite
from toolbooth.suite.verdict import Check

_VARIANTS: Final[Mapping[str, Variant]] = {word: word for word in get_args(Variant)}
_MEND: Final = "record it again with --record, or score it as it is with --allow-drift"


class Tapes:
    """The recordings of one suite. Nothing is started for them unless `look_at_servers` is asked for."""

    def __init__(self, suite: Suite, folder: Path, session: Session, environ: Mapping[str, str]) -> None:
        self.suite, self.folder = suite, folder
        self._session, self._environ = session, environ
        self._servers = session.servers(suite, environ)
        self._kept = session.folder(folder)
        self._loaded: dict[Cell, dict[str, list[Cassette]]] = {}
        self._listed: dict[str, Catalog] = {}
        self._not_seen: list[str] = []
        self._written: set[Path] = set()

    # -- what is there -------------------------------------------------------------------------------------
    def key_of(self, cell: Cell) -> CellKey | None:
        """The recorded cell that stands for this one: its own, or that of another model, which is drift."""
        if self._kept.runs(cell.key):
            return cell.key
        if cell.overridden:
            return None  # a model that the call names is no change of the suite's own
        found = self._kept.recorded_as(cell.test.name, cell.surface)
        others = [key for key in found if key.model not in cell.test.models]
        if len(others) > 1 and cell.model == NO_MODEL:
            models = ", ".join(key.model for key in others)
            raise ConfigError(
                f"{cell.test.name} was recorded with {models}; name one as its `model:`", self.suite.path
            )
        return others[0] if len(others) == 1 else None

    def has_all(self, cell: Cell) -> bool:
        """Whether every run of the cell itself is there."""
        return all(
            self._kept.has(cell.key, run, _VARIANTS[variant])
            for variant in cell.variants
            for run in range(1, cell.runs + 1)
        )

    def load(self, cell: Cell) -> None:
        """Read every run of it; raises ConfigError where one is missing or damaged."""
        key = self.key_of(cell) or cell.key
        self._loaded[cell] = {
            variant: [self._kept.read(key, run, _VARIANTS[variant]) for run in range(1, cell.runs + 1)]
            for variant in cell.variants
        }

    # -- drift ---------------------------------------------------------------------------------------------
    async def look_at_servers(self, cells: Iterable[Cell]) -> None:
        """List the tools of the servers that need no network, once each; of all others the report says so."""
        specs = {spec.name: spec for cell in cells for spec in self._specs_of(cell)}
        local = [
            replace(spec, timeout=min(spec.timeout, DRIFT_TIMEOUT)) for spec in specs.values() if spec.command
        ]
        self._not_seen += [f"{spec.name} is remote" for spec in specs.values() if not spec.command]
        for reached in await self._session.reach(local):
            if reached.tools is not None:
                self._listed[reached.spec.name] = Catalog((reached.tools,))
            elif reached.fault is not None:
                self._not_seen.append(str(reached.fault))

    def _specs_of(self, cell: Cell) -> tuple[ServerSpec, ...]:
        try:
            return self._servers.of(cell.test)
        except ToolboothError:
            return ()  # only a recording is scored, which needs none

    def _drift(self, cell: Cell) -> tuple[str, ...]:
        """What is recorded has no secrets in it, so all is compared as it stands, and only what is said is cleaned."""
        loaded = [tape for tapes in self._loaded[cell].values() for tape in tapes]
        found = dict.fromkeys(line for tape in loaded for line in self._drift_of(cell, tape))
        return tuple(map(self._redactor.text, found))

    def _drift_of(self, cell: Cell, tape: Cassette) -> tuple[str, ...]:
        stored = self._kept.read_catalog(tape.trace.catalog)
        seen = self._seen(tape)
        names = {server.server for server in seen.servers}
        before = Catalog(tuple(each for each in stored.servers if each.server in names)) if stored else None
        compared = bool(names) if before else self._is_other(tape, seen)
        lines = drift(tape, self._wanted(cell, tape, seen if compared else None), before)
        return lines if self._keeps_script(cell, tape) else (*lines, "the script changed")

    def _seen(self, tape: Cassette) -> Catalog:
        """The servers of a recording as they are now, as far as they were looked at."""
        now = [self._listed[name] for name in tape.servers if name in self._listed]
        return Catalog(tuple(server for catalog in now for server in catalog.servers))

    def _is_other(self, tape: Cassette, seen: Catalog) -> bool:
        """Whether the catalog is surely another one, where no copy of it was kept: by its hash alone."""
        whole = len(seen.servers) == len(tape.servers) and not tape.variant
        hashes = {catalog_hash(seen), catalog_hash(self._redactor.catalog(seen))}
        return whole and bool(tape.trace.catalog) and tape.trace.catalog not in hashes

    def _keeps_script(self, cell: Cell, tape: Cassette) -> bool:
        """A script is to its test what a model is to others."""
        most = cell.test.agent.max_turns
        return cell.model != "scripted" or keeps_script(cell.test.script, tape.trace.turns, most)

    def _wanted(self, cell: Cell, tape: Cassette, catalog: Catalog | None) -> Wanted:
        agent = cell.test.agent
        known = (*self._servers.specs, *self._servers.problems)
        return Wanted(
            cell.test.prompt or tape.trace.prompt,
            agent.system_prompt,
            cell.model,
            cell.surface,
            agent.servers if agent.servers is not None else known or None,
            catalog,
            agent.max_turns,
            cell.settings(tape.variant),
        )

    # -- scoring -------------------------------------------------------------------------------------------
    def judged(self, cell: Cell, *, allow_drift: bool) -> CellReport:
        """Score a loaded cell; one that drifted is refused with what changed, or scored with a note of it."""
        changed = self._drift(cell)
        if changed and not allow_drift:
            refusal = f"the recording does not fit any more: {'; '.join(changed)}; {_MEND}"
            return judge_cell(cell, Evidence(()), "replayed", refusal=refusal)
        plain, *padded = self._loaded[cell].values()
        traces = tuple(tape.trace for tape in plain)
        evidence = Evidence(
            traces,
            tuple(tape.trace for tapes in padded for tape in tapes),
            self._kept.surface_tokens(traces[0].menu),
            catalog=self._kept.read_catalog(traces[0].catalog),
        )
        notes = [f"scored in spite of drift: {line}" for line in changed]
        return self.clean_report(judge_cell(cell, evidence, "replayed", notes))

    # -- recording -----------------------------------------------------------------------------------------
    @cached_property
    def _redactor(self) -> Redactor:
        return Redactor(self._environ, self._servers.specs.values(), self.suite.redact)

    def clean(self, ran: Ran) -> Ran:
        """Without secrets: what is reported, what is recorded and what is scored is the same."""
        redactor = self._redactor
        return Ran(
            redactor.trace(ran.trace),
            None if ran.menu is None else redactor.menu(ran.menu),
            None if ran.catalog is None else redactor.catalog(ran.catalog),
        )

    def clean_report(self, report: CellReport) -> CellReport:
        """What a suite wants may hold a secret, too."""
        return replace(
            report,
            verdicts=tuple(
                replace(verdict, checks=tuple(map(self._clean_check, verdict.checks)))
                for verdict in report.verdicts
            ),
        )

    def _clean_check(self, check: Check) -> Check:
        return replace(check, wanted=self._redactor.text(check.wanted))

    def make_folder(self) -> None:
        """Before any model is paid: is there a place for what it will do? Raises ConfigError."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise ConfigError(f"no recordings can be kept here: {error.strerror}", self.folder) from None

    def write(self, job: Job, ran: Ran, specs: Sequence[ServerSpec]) -> Ran:
        """Keep one run, and its menu and catalog where they are new."""
        menu = self._kept.write_menu(ran.menu) if ran.menu is not None else ""
        catalog = self._kept.write_catalog(ran.catalog) if ran.catalog is not None else ""
        trace = replace(ran.trace, menu=menu, catalog=catalog)
        servers = tuple(sorted(spec.name for spec in specs))
        settings = job.cell.settings(job.variant)
        tape = Cassette(job.cell.key, trace, job.run, _VARIANTS[job.variant], servers, settings)
        self._written.add(self._kept.write(tape))
        return ran._replace(trace=trace)

    @property
    def written(self) -> int:
        """Runs that this run has recorded."""
        return len(self._written)

    def warnings(self) -> Iterator[str]:
        """What could not be compared, and recordings that no test wants."""
        for line in dict.fromkeys(self._not_seen):
            yield f"whether its catalog changed is not known: {line}"
        tests = self.suite.tests
        keys = (
            CellKey(test.name, model, way) for test in tests for model in test.models for way in test.surfaces
        )
        used = {self._kept.path_of(tape.key, tape.run, tape.variant) for tape in self._every_tape()}
        left = [path for path in self._kept.stale(keys) if path not in used | self._written]
        others = {path: key.model for path in left if (key := self._of_this_suite(path)) is not None}
        if others:
            models = sorted(set(others.values()))
            yield f"recordings of models that no test names: {_some(models)}; --with-model scores them"
        gone = [path.name for path in left if path not in others]
        if gone:
            yield f"recordings that no test wants any more: {_some(gone)}"

    def _of_this_suite(self, path: Path) -> CellKey | None:
        """The cell of a recording, where only its model is none of the suite's."""
        key = self._kept.key_at(path)
        wanted = key and any(
            key.test == test.name and key.surface in test.surfaces for test in self.suite.tests
        )
        return key if wanted else None

    def _every_tape(self) -> Iterator[Cassette]:
        for loaded in self._loaded.values():
            for tapes in loaded.values():
                yield from tapes


def _some(names: Sequence[str]) -> str:
    more = f" and {len(names) - SHOWN_TOOLS} more" if len(names) > SHOWN_TOOLS else ""
    return ", ".join(names[:SHOWN_TOOLS]) + more
