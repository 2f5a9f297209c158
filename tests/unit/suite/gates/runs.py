"""Runs of an agent as gates see them, and gates as a suite writes them."""

from pathlib import Path
from typing import Any

from toolbooth.catalog.config import Document
from toolbooth.suite.gates import GATES, Gate
from toolbooth.suite.gates.registry import CellEvidence
from toolbooth.suite.trace import Exchange, MadeCall, Trace, Turn, Usage

BROKEN = Trace(ended="error", error="the server ended")
REFUSED = Trace(ended="refused", error="the budget is spent")


def run(*tools: str, cost: float | None = None, tokens: int = 100, text: str = "") -> Trace:
    """One turn in which these tools were called, each `server.tool`."""
    calls = [MadeCall(name, server) for server, _, name in (tool.rpartition(".") for tool in tools)]
    exchanges = tuple(Exchange(call.name, {}, made=(call,)) for call in calls)
    return Trace(turns=(Turn(text, exchanges, Usage(tokens, 1), cost),))


def evidence(*runs: Trace, padded: tuple[Trace, ...] = (), surface: int | None = 1_000) -> CellEvidence:
    """What a cell has to show."""
    return CellEvidence(runs, padded, surface)


def gate(name: str, value: Any) -> Gate:
    """Checked and read; raises ConfigError."""
    document = Document(Path("a.toolbooth.yaml"), "yaml", {name: value})
    GATES[name].rule.check(document, value, (name,))
    return GATES[name].read(document, value, (name,))
