"""A finding of scan or lint: an attack on models, or waste and poor quality in a definition.

This module also has the description of a rule, the order of findings, and the masking of keys in quoted evidence.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple

from toolbooth import catalog


class Level(IntEnum):
    """How serious a finding is; `HIGH` means it looks like an attack."""

    NOTE = 0
    LOW = 1
    MEDIUM = 2
    HIGH = 3


@dataclass(frozen=True)
class Finding:
    """`rule` is the rule's id; `path` is a JSON pointer into the tool's raw object (or `/instructions`).

    `evidence` is foreign text, shortened but not cleaned yet. `tokens` is what a fix saves, negative if it costs.
    """

    rule: str
    level: Level
    server: str
    tool: str  # empty for a finding in the server's own texts
    path: str
    message: str
    evidence: str = ""
    tokens: int = 0

    @property
    def where(self) -> str:
        """`server.tool`, or the server."""
        return f"{self.server}.{self.tool}" if self.tool else self.server


class FindingRule(NamedTuple):
    """The description of a rule; `level` is the highest that it reports."""

    id: str
    level: Level
    sentence: str


def worst_first(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Sort, worst first; the same findings always get the same order."""
    return tuple(sorted(set(findings), key=_rank))


def _rank(finding: Finding) -> tuple[object, ...]:
    place = (finding.server, finding.tool, finding.path)
    return (-finding.level, *place, finding.rule, finding.message, finding.evidence)


def masked(key: str) -> str:
    """Enough of a key for its owner to recognize it, and too little to use it."""
    return f"{key[:6]}… ({len(key)} characters)"


def with_keys_masked(text: str) -> str:
    """Mask every key in a text, because reports get pasted into tickets."""
    lowered = text.lower()
    for shape in catalog.KEY_SHAPES:
        if shape.hint in lowered:
            text = shape.pattern.sub(_mask, text)
    return text


def _mask(found: re.Match[str]) -> str:
    return masked(found[0])
