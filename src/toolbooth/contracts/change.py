"""One difference between two contracts, and how bad it is."""

from dataclasses import dataclass
from enum import IntEnum
from typing import Any


class Severity(IntEnum):
    """From what nobody need notice to what breaks callers."""

    COSMETIC = 0
    SAFE = 1
    RISKY = 2
    BREAKING = 3


@dataclass(frozen=True)
class Change:
    """`rule` is the id of a row of the table of rules; `path` is a JSON pointer into the tool's wire object.

    `before` and `after` are the values that differ, as they stand in the definitions; foreign, to be cleaned.
    """

    rule: str
    severity: Severity
    server: str
    tool: str  # empty where the change is the server's own
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
        """None where nothing changed."""
        return max((change.severity for change in self.changes), default=None)

    def at_least(self, severity: Severity) -> tuple[Change, ...]:
        """Those that are this bad, or worse."""
        return tuple(change for change in self.changes if change.severity >= severity)
