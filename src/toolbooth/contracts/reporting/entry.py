"""A change or a finding → the one shape that every format shows."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, NamedTuple

from toolbooth.contracts.change import Change, Diff, Severity
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
class Entry:
    """All texts are foreign and not yet cleaned. `word` is the severity or level in lower case, `rank` its number."""

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
        """`server.tool`, the server, or nothing for all servers."""
        return f"{self.server}.{self.tool}" if self.tool else self.server


class Place(NamedTuple):
    """Where in the user's files something stands; `line` counts from 1."""

    path: str
    line: int | None = None


Places = Callable[[Sequence[Entry]], list[Place | None]]


def entries_of(diff: Diff, findings: Iterable[Finding] = ()) -> tuple[Entry, ...]:
    """High findings, changes, other findings, each in its own order: who reads ten lines has read what matters most."""
    found = list(map(_of_finding, findings))
    high = [entry for entry in found if entry.rank == Level.HIGH]
    return (*high, *map(_of_change, diff.changes), *(entry for entry in found if entry.rank != Level.HIGH))


def _of_change(change: Change) -> Entry:
    return Entry(
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


def _of_finding(finding: Finding) -> Entry:
    return Entry(
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
