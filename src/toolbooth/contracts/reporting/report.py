"""The report of lock, diff, scan or profile, which every format renders, and the registry of formats.

Changes and findings become entries of one type, so a format does not distinguish them.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final, Literal, NamedTuple

from toolbooth import errors, safetext
from toolbooth.contracts import contract
from toolbooth.contracts.change import Change, Diff, Severity
from toolbooth.contracts.diff.contracts import tokens_of
from toolbooth.contracts.finding import Finding, Level

Weight = Literal["error", "warning", "note"]
SEVERITY_WEIGHTS: Final[dict[Severity, Weight]] = {
    Severity.BREAKING: "error",
    Severity.RISKY: "warning",
    Severity.SAFE: "note",
    Severity.COSMETIC: "note",
}
LEVEL_WEIGHTS: Final[dict[Level, Weight]] = {
    Level.HIGH: "error",
    Level.MEDIUM: "warning",
    Level.LOW: "note",
    Level.NOTE: "note",
}


@dataclass(frozen=True)
class ReportEntry:
    """All texts are foreign and not cleaned yet. `word` is the severity or level in lower case, `rank` its number."""

    weight: Weight
    word: str
    rank: int
    rule: str
    server: str
    tool: str
    path: str
    message: str
    before: Any = None
    after: Any = None
    evidence: str = ""
    tokens: int = 0
    is_change: bool = False

    @property
    def where(self) -> str:
        """`server.tool`, the server, or empty for all servers."""
        return f"{self.server}.{self.tool}" if self.tool else self.server


class FileLocation(NamedTuple):
    """A location in the user's files; `line` counts from 1."""

    path: str
    line: int | None = None


Locations = Callable[[Sequence[ReportEntry]], list[FileLocation | None]]


def entries_of(diff: Diff, findings: Iterable[Finding] = ()) -> tuple[ReportEntry, ...]:
    """High findings, then changes, then other findings, so that the first ten lines are what matters most."""
    found = list(map(_of_finding, findings))
    high = [entry for entry in found if entry.rank == Level.HIGH]
    return (*high, *map(_of_change, diff.changes), *(entry for entry in found if entry.rank != Level.HIGH))


def _of_change(change: Change) -> ReportEntry:
    return ReportEntry(
        SEVERITY_WEIGHTS[change.severity],
        change.severity.name.lower(),
        change.severity,
        change.rule,
        change.server,
        change.tool,
        change.path,
        change.message,
        change.before,
        change.after,
        is_change=True,
    )


def _of_finding(finding: Finding) -> ReportEntry:
    return ReportEntry(
        LEVEL_WEIGHTS[finding.level],
        finding.level.name.lower(),
        finding.level,
        finding.rule,
        finding.server,
        finding.tool,
        finding.path,
        finding.message,
        evidence=finding.evidence,
        tokens=finding.tokens,
    )


def severity_counts(diff: Diff) -> dict[str, int]:
    """The number of changes of each severity, worst first."""
    return {
        severity.name.lower(): sum(change.severity is severity for change in diff.changes)
        for severity in sorted(Severity, reverse=True)
    }


def level_counts(findings: Sequence[Finding]) -> dict[str, int]:
    """The number of findings of each level, worst first."""
    return {
        level.name.lower(): sum(finding.level is level for finding in findings)
        for level in sorted(Level, reverse=True)
    }


def severity_words(diff: Diff) -> str:
    """`2 breaking, 1 safe`, worst first."""
    return _words(severity_counts(diff))


def _words(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{count:,} {name}" for name, count in counts.items() if count)


class ServerTokens(NamedTuple):
    """The tokens of a server's definitions on both sides of a diff."""

    server: str
    before: int
    after: int


@dataclass(frozen=True)
class ContractReport:
    """`title` is the command; `source_errors` are pairs of a source and why it failed; `more` is only for JSON.

    `custom_json` makes the whole document for a command that has a format of its own.
    """

    title: str
    diff: Diff = field(default_factory=Diff)
    findings: tuple[Finding, ...] = ()
    verdict: str = ""
    exit_code: int = 0
    hint: str = ""
    source_errors: tuple[tuple[str, str], ...] = ()
    notes: tuple[str, ...] = ()
    tokens: tuple[ServerTokens, ...] = ()
    locations: Locations | None = field(default=None, compare=False)
    more: Mapping[str, Any] = field(default_factory=dict)
    custom_json: Callable[[], Mapping[str, Any]] | None = field(default=None, compare=False)

    @cached_property
    def entries(self) -> tuple[ReportEntry, ...]:
        """Changes and findings as entries."""
        return entries_of(self.diff, self.findings)

    @property
    def sentence(self) -> str:
        """The verdict, or the number of entries."""
        return self.verdict or (f"{len(self.entries):,} found" if self.entries else "nothing found")

    @cached_property
    def located(self) -> tuple[tuple[ReportEntry, FileLocation | None], ...]:
        """The entries with their locations, for which files are read."""
        locations = self.locations(self.entries) if self.locations else [None] * len(self.entries)
        return tuple(zip(self.entries, locations, strict=True))


def tokens_moved(before: contract.Contracts, after: contract.Contracts) -> tuple[ServerTokens, ...]:
    """The tokens of definitions on both sides, server by server, in the encoding of `after`."""
    old, new = _by_server(before, after.encoding), _by_server(after, after.encoding)
    return tuple(ServerTokens(name, old.get(name, 0), new.get(name, 0)) for name in sorted({*old, *new}))


def _by_server(contracts: contract.Contracts, encoding: str) -> dict[str, int]:
    weights = tokens_of(contracts, encoding)
    return {
        name: sum(weights[tool.id] for tool in server.tools.values())
        for name, server in contracts.servers.items()
    }


Write = Callable[[ContractReport], str]


class ReportFormat(NamedTuple):
    """One format; `purpose` is shown in the help."""

    name: str
    purpose: str
    write: Write


FORMATS: dict[str, ReportFormat] = {}


def reporter(name: str, purpose: str) -> Callable[[Write], Write]:
    """Register a format under its name. It must give the same text for the same report."""

    def register(write: Write) -> Write:
        FORMATS[name] = ReportFormat(name, purpose, write)
        return write

    return register


def render(report: ContractReport, name: str) -> str:
    """Render the report in a format, with a final newline."""
    if name not in FORMATS:
        known = ", ".join(sorted(FORMATS))
        raise errors.UserMistake(f"unknown format {safetext.for_terminal(name, 40)!r}; choose one of {known}")
    return FORMATS[name].write(report)
