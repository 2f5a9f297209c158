"""Calls and rows for the tests of the ledger."""

from typing import Any

from toolbooth.gateway.ledger import EndedCall
from toolbooth.gateway.ledger.ledger import CallPayload
from toolbooth.store import Row


def text(*texts: str) -> dict[str, Any]:
    """A result of these text items."""
    return {"content": [{"type": "text", "text": each} for each in texts]}


def answered(before: CallPayload = None, after: CallPayload | str = "same", **more: Any) -> EndedCall:
    """A call that went well, unless it is said otherwise."""
    reported = {
        "server": "github",
        "tool": "list_issues",
        "session": "a session",
        "kind": "call",
        "ms": 12.0,
        "outcome": "ok",
        **more,
    }
    return EndedCall(before=before, after=before if after == "same" else after, **reported)


def row(**more: Any) -> Row:
    """A row, with what is said of it."""
    reported = {
        "at": 1000.0,
        "server": "github",
        "tool": "list_issues",
        "session": "0000000000aa",
        "kind": "call",
        "ms": 12.0,
        "outcome": "ok",
        "bytes_before": 400,
        "bytes_after": 200,
        "tokens_before": 100,
        "tokens_after": 50,
        "risk": "low",
        **more,
    }
    return Row(**reported)
