"""What a scan read and what it found: the object behind the table and every format."""

from argparse import Namespace
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from toolbooth.cli.contract_output import named_files, repository
from toolbooth.cli.sources import LiveContracts
from toolbooth.contracts import Finding, Level
from toolbooth.errors import ConfigError
from toolbooth.figures import counted

if TYPE_CHECKING:
    from toolbooth.catalog.load import SourceError, Sources
    from toolbooth.contracts import ServerContract
    from toolbooth.contracts.reporting import ContractReport, Locations


LOCK = ".lock"


def read_all(options: Namespace, command: Sequence[str]) -> "LiveContracts":
    """Read locks and saved catalogs, and ask servers; a live server takes precedence over a locked one."""
    from toolbooth.cli.sources import LiveContracts
    from toolbooth.contracts import Contracts

    locks = [name for name in options.source if name.endswith(LOCK) and "://" not in name]
    others = [name for name in options.source if name not in locks]
    locked, source_errors = _locked(locks)
    live = _others(others, command, options) if others or command or not locks else LiveContracts(Contracts())
    servers = {**locked, **live.contracts.servers}
    return LiveContracts(
        replace(live.contracts, servers=servers), (*source_errors, *live.source_errors), live.notes
    )


def _others(named: Sequence[str], command: Sequence[str], options: Namespace) -> "LiveContracts":
    """Where only saved catalogs are named, no server is started, and the protocol SDK is not imported: 1 s."""
    from toolbooth.cli.sources import ask_live, named_sources
    from toolbooth.tokens import DEFAULT_ENCODING

    if named and not command:
        sources = named_sources(named, (), None)
        if not sources.servers:
            return _saved(sources)
    asked = Namespace(
        source=named,
        timeout=options.timeout,
        user_only=options.user_only,
        trust_project=options.trust_project,
    )
    return ask_live(asked, command, DEFAULT_ENCODING)


def _saved(sources: "Sources") -> "LiveContracts":
    from toolbooth.catalog import Catalog
    from toolbooth.cli.sources import LiveContracts
    from toolbooth.contracts.gather import contracts_of

    catalog = Catalog(sources.recorded)
    aside = (
        f"{entry.server}: {entry.name or 'an entry'} was not looked at: {entry.reason}"
        for entry in catalog.set_aside
    )
    return LiveContracts(contracts_of(catalog), sources.source_errors, (*sources.notes, *aside))


def _locked(names: Sequence[str]) -> tuple[dict[str, "ServerContract"], list["SourceError"]]:
    from toolbooth.catalog.load import SourceError
    from toolbooth.contracts.toolbooth_lock import read_lock

    servers: dict[str, ServerContract] = {}
    source_errors = []
    for name in names:
        try:
            servers |= read_lock(Path(name).expanduser()).contracts.servers
        except ConfigError as error:
            source_errors.append(SourceError(name, error.message))
    return servers, source_errors


@dataclass(frozen=True)
class ScanReport:
    """What was looked at and found; `ignored` is how many findings the user left out."""

    live: LiveContracts
    findings: tuple[Finding, ...]
    ignored: int
    fail_on: Level
    linted: bool

    @property
    def tool_count(self) -> int:
        """Tools that were looked at."""
        return sum(len(server.tools) for server in self.live.contracts.servers.values())

    @property
    def levels(self) -> dict[Level, int]:
        """How many findings of each level, the worst first."""
        counts = Counter(finding.level for finding in self.findings)
        return {level: counts[level] for level in sorted(Level, reverse=True)}

    @property
    def tokens(self) -> int:
        """Tokens that fixing the findings would save; added text is not subtracted."""
        return sum(max(0, finding.tokens) for finding in self.findings)

    @property
    def failed(self) -> bool:
        """Whether something is as bad as the gate, or worse."""
        return any(finding.level >= self.fail_on for finding in self.findings)

    @property
    def exit_code(self) -> int:
        """1 found; 3 where nothing was found, but not everything could be read."""
        if self.failed:
            return 1
        return 3 if self.live.source_errors else 0

    @property
    def verdict(self) -> str:
        """One sentence for a person."""
        gate = self.fail_on.name.lower()
        above = sum(finding.level >= self.fail_on for finding in self.findings)
        if self.failed:
            return f"{counted(above, 'finding')} at or above {gate}: read the text before a model does"
        unread = ", but not everything could be read" if self.live.source_errors else ""
        return f"nothing at or above {gate}{unread}"

    def as_report(self, source: Sequence[str]) -> "ContractReport":
        """The same for every format that is not ours alone; `source` is what the user named."""
        from toolbooth.contracts.reporting import ContractReport

        rules = Counter(finding.rule for finding in self.findings)
        return ContractReport(
            "toolbooth scan",
            findings=self.findings,
            verdict=self.verdict,
            exit_code=self.exit_code,
            source_errors=tuple(
                (source_error.where, source_error.reason) for source_error in self.live.source_errors
            ),
            notes=self.live.notes,
            locations=self._locations(source),
            more={
                "servers": len(self.live.contracts.servers),
                "tools": self.tool_count,
                "fail_on": self.fail_on.name.lower(),
                "failed": self.failed,
                "rules": dict(sorted(rules.items())),
                "ignored": self.ignored,
                "saving_tokens": self.tokens,
            },
        )

    def _locations(self, source: Sequence[str]) -> "Locations":
        """In the lock where one was named alone, else in the configs and catalogs that were named."""
        from toolbooth.contracts.reporting import file_locations, lock_locations

        files = named_files(source)
        if len(files) == 1 and files[0].suffix == LOCK:
            return lock_locations(files[0], repository())
        return file_locations(files, repository())
