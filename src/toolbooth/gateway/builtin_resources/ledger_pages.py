"""The pages that are read from the ledger: recent calls, statistics, and the latency of each server in the last day."""

import json
import time
from collections.abc import Iterable
from dataclasses import replace
from typing import Any, NamedTuple

import anyio.to_thread

from toolbooth import access, errors, figures, limits, safetext, store
from toolbooth.gateway.builtin_resources.definition import JSON, SCHEME, BuiltinResource
from toolbooth.gateway.calls.record import SOME_TOOL
from toolbooth.gateway.session import Session
from toolbooth.gateway.surfaces.view import View

_DAY = 86_400.0


class Latency(NamedTuple):
    """The milliseconds within which 50, 95 and 99 of 100 calls were answered."""

    calls: int
    p50: float
    p95: float
    p99: float

    def __str__(self) -> str:
        times = zip(("p50", "p95", "p99"), self[1:], strict=True)
        shown = ", ".join(f"{name} {figures.milliseconds(ms)}" for name, ms in times)
        return f"{figures.counted(self.calls, 'call')} in 24 h, {shown}"


def _whose(session: Session) -> str | None:
    """Whose rows a session sees: the user of this machine those of everyone (None), any other principal its own."""
    return None if session.principal == access.LOCAL_USER else session.principal.id


def _names(view: View, server: str, tool: str) -> bool:
    """Whether a row may be shown: it names a tool of ours, or one that exists for whoever asks."""
    if view.scope is view.gateway or server in ("", store.BUILTIN_SERVER):
        return True
    known = view.registry.servers.get(server)
    return known is not None and (tool == SOME_TOOL or any(each.name == tool for each in known.tools))


async def latencies(view: View, session: Session) -> dict[str, Latency]:
    """Latency by server; servers that were not called are left out."""
    since, whose = time.time() - _DAY, _whose(session)
    stats = await anyio.to_thread.run_sync(view.gateway.ledger.stats, since, None, None, whose)
    return {
        each.server: Latency(each.calls, each.p50, each.p95, each.p99)
        for each in stats.servers
        if each.p50 is not None and each.p95 is not None and each.p99 is not None
    }


_OFFERED = (5, 10, limits.RECENT_CALLS, 50, 100)
_NAME = 100  # characters of a tool's name
_CLOCK = slice(len("2026-07-28T"), len("2026-07-28T12:00:00"))


def rows_text(rows: Iterable[store.Row]) -> str:
    """One line for each row, the newest first."""
    lines = [row_text(row) for row in rows]
    return (
        "\n".join(["Newest first, UTC; tokens from the server → to the client", *lines]) if lines else _NONE
    )


_NONE = "No calls yet."


def row_text(row: store.Row) -> str:
    """When, which tool, the outcome, the time it took, and its tokens before and after reduction."""
    name = safetext.for_terminal(f"{row.server}.{row.tool}" if row.server else row.tool, _NAME)
    reduced = f"{row.tokens_before} → " if row.tokens_before != row.tokens_after else ""
    tokens = f"{'~' if row.estimated else ''}{reduced}{row.tokens_after} tokens"
    return (
        f"{store.moment(row.at)[_CLOCK]} {name} {safetext.for_terminal(row.outcome, _NAME)}, "
        f"{figures.milliseconds(row.ms)}, {tokens}"
    )


async def _read_recent(view: View, session: Session, asked: str) -> str:
    count = _count(asked) if asked else limits.RECENT_CALLS
    rows = await anyio.to_thread.run_sync(view.gateway.ledger.recent, count, None, _whose(session))
    return rows_text(row for row in rows if _names(view, row.server, row.tool))


def _count(asked: str) -> int:
    count = int(asked[:9]) if asked.isascii() and asked.isdecimal() else 0
    if not count:
        wrong = safetext.for_terminal(asked, _NAME)
        raise errors.WrongArguments(
            f'"{wrong}" is not a number of calls; try {SCHEME}recent/{limits.RECENT_CALLS}'
        )
    return min(count, limits.MAX_RECENT_CALLS)


def _numbers(_view: View) -> Iterable[str]:
    return map(str, _OFFERED)


_WHAT = "calls: tool, outcome, time, tokens before and after."
RECENT = BuiltinResource("recent", "Recent calls", f"The last {limits.RECENT_CALLS} {_WHAT}", _read_recent)
RECENT_N = BuiltinResource(
    "recent", "Last n calls", f"The last n {_WHAT}", _read_recent, variable="n", values=_numbers
)


async def _read_stats(view: View, session: Session, _value: str) -> str:
    read = anyio.to_thread.run_sync
    ledger, found = view.gateway.ledger, {}
    for name, of_session in (("session", session.id), ("all", None)):
        stats = await read(ledger.stats, None, of_session, None, _whose(session))
        found[name] = _shortened(_named(view, stats))
    return json.dumps(found, separators=(",", ":"))


def _named(view: View, stats: store.Stats) -> store.Stats:
    """Without tools and servers that do not exist for whoever asks."""
    if view.scope is view.gateway:
        return stats
    tools = tuple(each for each in stats.tools if _names(view, each.server, each.tool))
    servers = tuple(each for each in stats.servers if _names(view, each.server, SOME_TOOL))
    return replace(stats, tools=tools, servers=servers)


def _shortened(stats: store.Stats) -> dict[str, Any]:
    """What `toolbooth stats --json` shows, without the tail of its lists: a model may read this."""
    most = limits.STATS_ROWS
    shown = replace(
        stats,
        tools=stats.tools[:most],
        sessions=stats.sessions[:most],
        principals=stats.principals[:most],
    )
    return {**shown.as_json(), "tool_count": len(stats.tools)}


STATS = BuiltinResource(
    "stats", "Stats", "Calls, tokens and savings of this session and of all, as JSON.", _read_stats, JSON
)
