"""What one rule of scan or lint is called, how bad its worst finding is, and in one sentence why it matters."""

from collections.abc import Iterable
from typing import NamedTuple

from toolbooth.contracts.finding import Finding, Level


class FindingRule(NamedTuple):
    """One row of the table of rules; `level` is the worst that it gives."""

    id: str
    level: Level
    sentence: str


def worst_first(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """The worst first; the same findings always stand in the same order."""
    return tuple(sorted(set(findings), key=_rank))


def _rank(finding: Finding) -> tuple[object, ...]:
    place = (finding.server, finding.tool, finding.path)
    return (-finding.level, *place, finding.rule, finding.message, finding.evidence)
