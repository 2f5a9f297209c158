"""Changes and findings → how many there are of each severity and level."""

from collections.abc import Mapping, Sequence

from toolbooth.contracts.change import Diff, Severity
from toolbooth.contracts.finding import Finding, Level


def severity_counts(diff: Diff) -> dict[str, int]:
    """All severities, the worst first."""
    return {
        severity.name.lower(): sum(change.severity is severity for change in diff.changes)
        for severity in sorted(Severity, reverse=True)
    }


def level_counts(findings: Sequence[Finding]) -> dict[str, int]:
    """All levels, the worst first."""
    return {
        level.name.lower(): sum(finding.level is level for finding in findings)
        for level in sorted(Level, reverse=True)
    }


def severity_words(diff: Diff) -> str:
    """`2 breaking, 1 safe`; the worst first."""
    return _words(severity_counts(diff))


def count_words(findings: Sequence[Finding]) -> str:
    """`2 high, 1 note`; the worst first."""
    return _words(level_counts(findings))


def _words(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{count:,} {name}" for name, count in counts.items() if count)
