"""Which session goes when the table is full."""

import math

import anyio
import pytest
from mcp.server.streamable_http import GET_STREAM_KEY, EventMessage, StreamableHTTPServerTransport

from toolbooth.gateway.fronts.session_table import SessionTable

pytestmark = pytest.mark.anyio
Sessions = dict[str, StreamableHTTPServerTransport]


def session(idle_until: float = math.inf, *streams: str) -> StreamableHTTPServerTransport:
    """As the SDK leaves it while these requests are being answered."""
    made = StreamableHTTPServerTransport("x", idle_timeout=60)
    made.idle_scope = anyio.CancelScope(deadline=idle_until)
    made._requests_in_flight = len(streams)
    for each in streams:
        made._request_streams[each] = anyio.create_memory_object_stream[EventMessage](1)
        for end in made._request_streams[each]:
            end.close()
    return made


def table_of(sessions: Sessions, peers: str) -> SessionTable:
    table = SessionTable(len(sessions))
    for name, peer in zip(sessions, peers, strict=True):
        table.opened(name, peer)
    return table


async def test_the_longest_idle_of_the_address_with_the_most_goes() -> None:
    sessions = {"a": session(1.0), "b": session(3.0), "c": session(2.0), "d": session(math.inf, "7")}
    assert table_of(sessions, "xyyy").make_room(sessions) == "c"
    assert SessionTable(5).make_room(sessions) is None


async def test_one_that_only_listens_goes_where_none_is_idle() -> None:
    listening = session(math.inf, GET_STREAM_KEY)
    sessions = {"a": session(math.inf, "7", GET_STREAM_KEY), "b": session(math.inf, "7"), "c": listening}
    assert table_of(sessions, "xxy").make_room(sessions) == "c"
    sessions["d"] = session(9.0)
    assert table_of(sessions, "xxyz").make_room(sessions) == "d"


async def test_sessions_at_work_stay() -> None:
    sessions = {"a": session(math.inf, "7"), "b": session(math.inf, "8", GET_STREAM_KEY)}
    assert table_of(sessions, "xx").make_room(sessions) is None
