"""The recordings of a suite: runs to score, drift since they were made, and new recordings without secrets.

`RunCache` has what several runs of one process share. `toolbooth test` is one run; under pytest each item is a run, and
without the cache each item would start every server and count every menu again.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final, get_args

from toolbooth import errors, limits
from toolbooth.catalog import Catalog, ServerSpec
from toolbooth.suite import planning
from toolbooth.suite.cells import PlannedRun, RunResult, judge_cell
from toolbooth.suite.gates.registry import CellEvidence
from toolbooth.suite.recordings import cassette_json, menu_json
from toolbooth.suite.recordings.drift import WantedRun, drift, matches_script
from toolbooth.suite.recordings.folder import CassetteFolder
from toolbooth.suite.redaction import Redactor
from toolbooth.suite.report import CellKey, CellReport
from toolbooth.suite.spec.servers import SuiteServers
from toolbooth.suite.spec.suite import NO_MODEL, Suite
from toolbooth.suite.verdict import Check

if TYPE_CHECKING:
    from toolbooth.catalog.connect import Reached


class RunCache:
    """Servers, folders and listed tools, each read once per process."""

    def __init__(self) -> None:
        self._servers: dict[Path, SuiteServers] = {}
        self._folders: dict[Path, CassetteFolder] = {}
        self._reached: list[Reached] = []

    def servers(self, suite: Suite, environ: Mapping[str, str]) -> SuiteServers:
        """The servers of a suite; read again if the environment changed, because entries may use its variables."""
        known = self._servers.get(suite.path)
        if known is None or known.given != environ or known.suite is not suite:
            known = self._servers[suite.path] = SuiteServers(suite, environ)
        return known

    def folder(self, path: Path) -> CassetteFolder:
        """A folder of recordings, with the catalogs that were read from it."""
        return self._folders.setdefault(path.absolute(), CassetteFolder(path))

    async def reach(self, specs: Sequence[ServerSpec]) -> "list[Reached]":
        """Start and list the servers that are not listed yet, all at once; a failed server is not retried."""
        from toolbooth.catalog.connect import reach_all  # a replay that starts nothing does not pay for it

        new = [spec for spec in specs if self._known(spec) is None]
        self._reached += await reach_all(new)
        return [found for spec in specs if (found := self._known(spec)) is not None]

    def _known(self, spec: ServerSpec) -> "Reached | None":
        """The listed server with this spec; several files may define the same server."""
        return next(
            (reached for reached in self._reached if replace(reached.spec, source=spec.source) == spec), None
        )


_VARIANTS: Final[Mapping[str, cassette_json.Variant]] = {
    word: word for word in get_args(cassette_json.Variant)
}
_ADVICE: Final = "record it again with --record, or score it anyway with --allow-drift"


class SuiteRecordings:
    """The recordings of one suite. No server is started unless `look_at_servers` is called."""

    def __init__(self, suite: Suite, folder: Path, cache: RunCache, environ: Mapping[str, str]) -> None:
        self.suite, self.folder = suite, folder
        self._cache, self._environ = cache, environ
        self._servers = cache.servers(suite, environ)
        self._kept = cache.folder(folder)
        self._loaded: dict[planning.Cell, dict[str, list[cassette_json.Cassette]]] = {}
        self._listed: dict[str, Catalog] = {}
        self._not_seen: list[str] = []
        self._written: set[Path] = set()

    # -- existing recordings -------------------------------------------------------------------------------
    def key_of(self, cell: planning.Cell) -> CellKey | None:
        """The recorded cell to score for this one: its own, or that of another model, which is drift."""
        if self._kept.runs(cell.key):
            return cell.key
        if cell.overridden:
            return None  # a model from --with-model is not a change of the suite
        found = self._kept.recorded_as(cell.test.name, cell.surface)
        others = [key for key in found if key.model not in cell.test.models]
        if len(others) > 1 and cell.model == NO_MODEL:
            models = ", ".join(key.model for key in others)
            raise errors.ConfigError(
                f"{cell.test.name} was recorded with {models}; name one as its `model:`", self.suite.path
            )
        return others[0] if len(others) == 1 else None

    def has_all(self, cell: planning.Cell) -> bool:
        """Whether every run of the cell is recorded."""
        return all(
            self._kept.has(cell.key, run, _VARIANTS[variant])
            for variant in cell.variants
            for run in range(1, cell.runs + 1)
        )

    def load(self, cell: planning.Cell) -> None:
        """Read every run of the cell. Raises ConfigError if one is missing or damaged."""
        key = self.key_of(cell) or cell.key
        self._loaded[cell] = {
            variant: [self._kept.read(key, run, _VARIANTS[variant]) for run in range(1, cell.runs + 1)]
            for variant in cell.variants
        }

    # -- drift ---------------------------------------------------------------------------------------------
    async def look_at_servers(self, cells: Iterable[planning.Cell]) -> None:
        """List the tools of the local servers, once each; the report names the servers that were not checked."""
        specs = {spec.name: spec for cell in cells for spec in self._specs_of(cell)}
        local = [
            replace(spec, timeout=min(spec.timeout, limits.DRIFT_TIMEOUT))
            for spec in specs.values()
            if spec.command
        ]
        self._not_seen += [f"{spec.name} is remote" for spec in specs.values() if not spec.command]
        for reached in await self._cache.reach(local):
            if reached.tools is not None:
                self._listed[reached.spec.name] = Catalog((reached.tools,))
            elif reached.fault is not None:
                self._not_seen.append(str(reached.fault))

    def _specs_of(self, cell: planning.Cell) -> tuple[ServerSpec, ...]:
        try:
            return self._servers.of(cell.test)
        except errors.ToolboothError:
            return ()  # scoring a recording needs no server

    def _drift(self, cell: planning.Cell) -> tuple[str, ...]:
        """Recordings contain no secrets, so they are compared as they are, and only the lines are redacted."""
        loaded = [cassette for cassettes in self._loaded[cell].values() for cassette in cassettes]
        found = dict.fromkeys(line for cassette in loaded for line in self._drift_of(cell, cassette))
        return tuple(map(self._redactor.text, found))

    def _drift_of(self, cell: planning.Cell, cassette: cassette_json.Cassette) -> tuple[str, ...]:
        stored = self._kept.read_catalog(cassette.trace.catalog)
        present = self._present_catalog(cassette)
        names = {server.server for server in present.servers}
        before = Catalog(tuple(each for each in stored.servers if each.server in names)) if stored else None
        compared = bool(names) if before else self._is_other(cassette, present)
        lines = drift(cassette, self._wanted(cell, cassette, present if compared else None), before)
        return lines if self._matches_script(cell, cassette) else (*lines, "the script changed")

    def _present_catalog(self, cassette: cassette_json.Cassette) -> Catalog:
        """The present tools of a recording's servers, as far as they were listed."""
        now = [self._listed[name] for name in cassette.servers if name in self._listed]
        return Catalog(tuple(server for catalog in now for server in catalog.servers))

    def _is_other(self, cassette: cassette_json.Cassette, present: Catalog) -> bool:
        """Whether the catalog surely changed, judged by its hash because no copy was kept."""
        whole = len(present.servers) == len(cassette.servers) and not cassette.variant
        hashes = {menu_json.catalog_hash(present), menu_json.catalog_hash(self._redactor.catalog(present))}
        return whole and bool(cassette.trace.catalog) and cassette.trace.catalog not in hashes

    def _matches_script(self, cell: planning.Cell, cassette: cassette_json.Cassette) -> bool:
        """Whether the recording still plays the script of a scripted test."""
        most = cell.test.agent.max_turns
        return cell.model != "scripted" or matches_script(cell.test.script, cassette.trace.turns, most)

    def _wanted(
        self, cell: planning.Cell, cassette: cassette_json.Cassette, catalog: Catalog | None
    ) -> WantedRun:
        agent = cell.test.agent
        known = (*self._servers.specs, *self._servers.problems)
        return WantedRun(
            cell.test.prompt or cassette.trace.prompt,
            agent.system_prompt,
            cell.model,
            cell.surface,
            agent.servers if agent.servers is not None else known or None,
            catalog,
            agent.max_turns,
            cell.settings(cassette.variant),
        )

    # -- scoring -------------------------------------------------------------------------------------------
    def judged(self, cell: planning.Cell, *, allow_drift: bool) -> CellReport:
        """Score a loaded cell. A cell that drifted is refused with the changes, or scored with a note."""
        changed = self._drift(cell)
        if changed and not allow_drift:
            refusal = f"the recording no longer matches the suite: {'; '.join(changed)}; {_ADVICE}"
            return judge_cell(cell, CellEvidence(()), "replayed", refusal=refusal)
        plain, *padded = self._loaded[cell].values()
        traces = tuple(cassette.trace for cassette in plain)
        evidence = CellEvidence(
            traces,
            tuple(cassette.trace for cassettes in padded for cassette in cassettes),
            self._kept.surface_tokens(traces[0].menu),
            catalog=self._kept.read_catalog(traces[0].catalog),
        )
        notes = [f"scored despite drift: {line}" for line in changed]
        return self.clean_report(judge_cell(cell, evidence, "replayed", notes))

    # -- recording -----------------------------------------------------------------------------------------
    @cached_property
    def _redactor(self) -> Redactor:
        return Redactor(self._environ, self._servers.specs.values(), self.suite.redact)

    def clean(self, result: RunResult) -> RunResult:
        """The result without secrets; the same result is reported, recorded and scored."""
        redactor = self._redactor
        return RunResult(
            redactor.trace(result.trace),
            None if result.menu is None else redactor.menu(result.menu),
            None if result.catalog is None else redactor.catalog(result.catalog),
        )

    def clean_report(self, report: CellReport) -> CellReport:
        """The report with the expected values redacted: a suite may contain a secret, too."""
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
        """Create the folder before any model is paid. Raises ConfigError."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise errors.ConfigError(
                f"recordings cannot be written here: {error.strerror}", self.folder
            ) from None

    def write(self, planned: PlannedRun, result: RunResult, specs: Sequence[ServerSpec]) -> RunResult:
        """Write one run, and its menu and catalog if they are new."""
        menu = self._kept.write_menu(result.menu) if result.menu is not None else ""
        catalog = self._kept.write_catalog(result.catalog) if result.catalog is not None else ""
        trace = replace(result.trace, menu=menu, catalog=catalog)
        servers = tuple(sorted(spec.name for spec in specs))
        settings = planned.cell.settings(planned.variant)
        cassette = cassette_json.Cassette(
            planned.cell.key, trace, planned.run, _VARIANTS[planned.variant], servers, settings
        )
        self._written.add(self._kept.write(cassette))
        return result._replace(trace=trace)

    @property
    def written(self) -> int:
        """The number of runs that were recorded."""
        return len(self._written)

    def warnings(self) -> Iterator[str]:
        """Servers that could not be compared, and recordings that no test uses."""
        for line in dict.fromkeys(self._not_seen):
            yield f"a catalog could not be checked for changes: {line}"
        tests = self.suite.tests
        keys = (
            CellKey(test.name, model, way) for test in tests for model in test.models for way in test.surfaces
        )
        used = {
            self._kept.path_of(cassette.key, cassette.run, cassette.variant)
            for cassette in self._every_cassette()
        }
        left = [path for path in self._kept.stale(keys) if path not in used | self._written]
        others = {path: key.model for path in left if (key := self._of_this_suite(path)) is not None}
        if others:
            models = sorted(set(others.values()))
            yield f"there are recordings of models that no test names: {_some(models)}; score them with --with-model"
        gone = [path.name for path in left if path not in others]
        if gone:
            yield f"there are recordings that no test uses any more: {_some(gone)}"

    def _of_this_suite(self, path: Path) -> CellKey | None:
        """The cell of a recording if only its model is not in the suite, else None."""
        key = self._kept.key_at(path)
        wanted = key and any(
            key.test == test.name and key.surface in test.surfaces for test in self.suite.tests
        )
        return key if wanted else None

    def _every_cassette(self) -> Iterator[cassette_json.Cassette]:
        for loaded in self._loaded.values():
            for cassettes in loaded.values():
                yield from cassettes


def _some(names: Sequence[str]) -> str:
    more = f" and {len(names) - limits.SHOWN_TOOLS} more" if len(names) > limits.SHOWN_TOOLS else ""
    return ", ".join(names[: limits.SHOWN_TOOLS]) + more
