"""One thing that a look at definitions found: a danger to models (scan), or waste and poor quality (lint)."""

from dataclasses import dataclass
from enum import IntEnum


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
