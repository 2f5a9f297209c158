"""The ledger → `toolbooth://recent` and `toolbooth://recent/{n}`: the last calls, without what they carried."""

from collections.abc import Iterable

import anyio.to_thread

from toolbooth.errors import WrongArguments
from toolbooth.gateway.caller import Session
from toolbooth.gateway.ledger import Row
from toolbooth.gateway.ledger.row import moment
from toolbooth.gateway.own.latency import milliseconds
from toolbooth.gateway.own.resource import SCHEME, OwnResource
from toolbooth.gateway.view import View
from toolbooth.limits import MAX_RECENT_CALLS, RECENT_CALLS
from toolbooth.safetext import for_terminal

_OFFERED = (5, 10, RECENT_CALLS, 50, 100)
_NAME = 100  # characters of a tool's name
_CLOCK = slice(len("2026-07-28T"), len("2026-07-28T12:00:00"))


def rows_text(rows: Iterable[Row]) -> str:
    """A line for each, the newest first."""
    lines = [row_text(row) for row in rows]
    return (
        "\n".join(["Newest first, UTC; tokens from the server → to the client", *lines]) if lines else _NONE
    )


_NONE = "No call was made yet."


def row_text(row: Row) -> str:
    """When, which tool, what came of it, how long it took, and its tokens before and after reduction."""
    name = for_terminal(f"{row.server}.{row.tool}" if row.server else row.tool, _NAME)
    reduced = f"{row.tokens_before} → " if row.tokens_before != row.tokens_after else ""
    tokens = f"{'~' if row.estimated else ''}{reduced}{row.tokens_after} tokens"
    return f"{moment(row.at)[_CLOCK]} {name} {for_terminal(row.outcome, _NAME)}, {milliseconds(row.ms)}, {tokens}"


async def _last(view: View, _session: Session, asked: str) -> str:
    count = _count(asked) if asked else RECENT_CALLS
    return rows_text(await anyio.to_thread.run_sync(view.gateway.ledger.recent, count))


def _count(asked: str) -> int:
    count = int(asked[:9]) if asked.isascii() and asked.isdecimal() else 0
    if not count:
        wrong = for_terminal(asked, _NAME)
        raise WrongArguments(f'"{wrong}" is no number of calls, as in {SCHEME}recent/{RECENT_CALLS}')
    return min(count, MAX_RECENT_CALLS)


def _numbers(_view: View) -> Iterable[str]:
    return map(str, _OFFERED)


_WHAT = "calls: tool, outcome, time, tokens before and after."
RECENT = OwnResource("recent", "Recent calls", f"The last {RECENT_CALLS} {_WHAT}", _last)
RECENT_N = OwnResource("recent", "Last n calls", f"The last n {_WHAT}", _last, variable="n", values=_numbers)
