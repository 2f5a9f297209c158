"""Findings, where they come from and how they are judged: the one object behind our table and every format."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from toolbooth.cli.contracts_words import named_files, repository
from toolbooth.cli.doctor_words import counted
from toolbooth.cli.lock_live import Live
from toolbooth.cli.scan_sources import LOCK
from toolbooth.contracts import Finding, Level

if TYPE_CHECKING:
    from toolbooth.contracts.reporting import Places, Report


@dataclass(frozen=True)
class ScanReport:
    """What was looked at and found; `ignored` is how many findings the user left out."""

    live: Live
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
        """What mending would save; what has to be written is not set against it."""
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
        return 3 if self.live.troubles else 0

    @property
    def verdict(self) -> str:
        """One sentence for a person."""
        gate = self.fail_on.name.lower()
        above = sum(finding.level >= self.fail_on for finding in self.findings)
        if self.failed:
            return f"{counted(above, 'finding')} at or above {gate}: read the text before a model does"
        unread = ", but not everything could be read" if self.live.troubles else ""
        return f"nothing at or above {gate}{unread}"

    def told(self, source: Sequence[str]) -> "Report":
        """The same for every format that is not ours alone; `source` is what the user named."""
        from toolbooth.contracts.reporting import Report

        rules = Counter(finding.rule for finding in self.findings)
        return Report(
            "toolbooth scan",
            findings=self.findings,
            verdict=self.verdict,
            exit_code=self.exit_code,
            troubles=tuple((trouble.where, trouble.reason) for trouble in self.live.troubles),
            notes=self.live.notes,
            places=self._places(source),
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

    def _places(self, source: Sequence[str]) -> "Places":
        """In the lock where one was named alone, else in the configs and catalogs that were named."""
        from toolbooth.contracts.reporting import file_places, lock_places

        files = named_files(source)
        if len(files) == 1 and files[0].suffix == LOCK:
            return lock_places(files[0], repository())
        return file_places(files, repository())
