"""What a server has seen: calls by tool, calls that were cancelled, the log level it was told."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any


@dataclass
class Ledger:
    calls: Counter[str] = field(default_factory=Counter)
    cancelled: int = 0
    level: str | None = None
    roots_changed: int = 0
    extra_tools: list[str] = field(default_factory=list)
    watched: set[str] = field(default_factory=set)

    def as_json(self) -> dict[str, Any]:
        return {
            "calls": dict(self.calls),
            "cancelled": self.cancelled,
            "level": self.level,
            "roots_changed": self.roots_changed,
            "watched": sorted(self.watched),
        }


LEDGER = Ledger()
