"""A change: one difference between two contracts, with its severity."""

from dataclasses import dataclass
from enum import IntEnum
from typing import Any


class Severity(IntEnum):
    """From changes that nobody needs to notice to changes that break callers."""

    COSMETIC = 0
    SAFE = 1
    RISKY = 2
    BREAKING = 3


@dataclass(frozen=True)
class Change:
    """`rule` is the id of a rule of the diff; `path` is a JSON pointer into the tool's raw object.

    `before` and `after` are the values that differ, as the server sent them: foreign text that is not cleaned yet.
    """

    rule: str
    severity: Severity
    server: str
    tool: str  # empty for a change of the server itself
    path: str
    message: str
    before: Any = None
    after: Any = None

    @property
    def where(self) -> str:
        """`server.tool`, or the server."""
        return f"{self.server}.{self.tool}" if self.tool else self.server


@dataclass(frozen=True)
class Diff:
    """All changes, the worst first."""

    changes: tuple[Change, ...] = ()

    @property
    def worst(self) -> Severity | None:
        """The worst severity; None if nothing changed."""
        return max((change.severity for change in self.changes), default=None)

    def at_least(self, severity: Severity) -> tuple[Change, ...]:
        """The changes of this severity or worse."""
        return tuple(change for change in self.changes if change.severity >= severity)
