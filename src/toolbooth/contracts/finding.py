"""A finding of scan or lint: a danger to models, or waste and poor quality in a definition.

Also the row that describes a rule, the order of findings, and the masking of keys in quoted evidence.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple

from toolbooth.catalog import KEY_SHAPES


class Level(IntEnum):
    """How much it matters; `HIGH` is what attacks look like."""

    NOTE = 0
    LOW = 1
    MEDIUM = 2
    HIGH = 3


@dataclass(frozen=True)
class Finding:
    """`rule` is the rule's id; `path` a JSON pointer into the tool's wire object (or `/instructions`).

    `evidence` is foreign text, cut short and not yet cleaned. `tokens`: what mending it saves, negative if it costs.
    """

    rule: str
    level: Level
    server: str
    tool: str  # empty where it is the server's own
    path: str
    message: str
    evidence: str = ""
    tokens: int = 0

    @property
    def where(self) -> str:
        """`server.tool`, or the server."""
        return f"{self.server}.{self.tool}" if self.tool else self.server


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


def masked(key: str) -> str:
    """So much of a key that its owner knows it, and nobody can use it."""
    return f"{key[:6]}… ({len(key)} characters)"


def with_keys_masked(text: str) -> str:
    """A report is pasted into tickets, whatever it is about."""
    lowered = text.lower()
    for shape in KEY_SHAPES:
        if shape.hint in lowered:
            text = shape.pattern.sub(_mask, text)
    return text


def _mask(found: re.Match[str]) -> str:
    return masked(found[0])
