"""The ledger → `toolbooth://stats`: what was called, what it cost and what was saved, of this session and of all."""

import json
from dataclasses import replace
from typing import Any

import anyio.to_thread

from toolbooth.gateway.caller import Session
from toolbooth.gateway.ledger import Ledger
from toolbooth.gateway.ledger.stats import Stats
from toolbooth.gateway.own.resource import JSON, OwnResource
from toolbooth.gateway.view import View
from toolbooth.limits import STATS_ROWS


def stats_json(ledger: Ledger, session: str) -> str:
    """Blocking: it reads the ledger's file."""
    accounts = {"session": ledger.stats(session=session), "all": ledger.stats()}
    return json.dumps({name: _shortened(each) for name, each in accounts.items()}, separators=(",", ":"))


def _shortened(stats: Stats) -> dict[str, Any]:
    """As `toolbooth stats --json` has it, without the tail of its lists: a model may read this."""
    shown = replace(stats, tools=stats.tools[:STATS_ROWS], sessions=stats.sessions[:STATS_ROWS])
    return {**shown.as_json(), "tool_count": len(stats.tools)}


async def _read(view: View, session: Session, _value: str) -> str:
    return await anyio.to_thread.run_sync(stats_json, view.gateway.ledger, session.id)


STATS = OwnResource(
    "stats", "Stats", "Calls, tokens and savings of this session and of all, as JSON.", _read, JSON
)
