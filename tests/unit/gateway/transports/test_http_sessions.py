"""What a client that lost its connection gets again: its own, in order, within bounds."""

import math

import anyio
import pytest
from mcp.server.streamable_http import GET_STREAM_KEY, EventMessage, StreamableHTTPServerTransport
from mcp_types import JSONRPCNotification

from toolbooth.access import LOCAL_USER, Principal
from toolbooth.gateway.transports.http_sessions import HttpClient, ReplayBuffer, SessionEvents, SessionTable

pytestmark = pytest.mark.anyio


def said(text: str) -> JSONRPCNotification:
    return JSONRPCNotification(jsonrpc="2.0", method=text)


async def replayed(session: SessionEvents, after: str) -> list[str] | None:
    """None where the event is not known."""
    heard: list[EventMessage] = []

    async def hear(event: EventMessage) -> None:
        heard.append(event)

    stream = await session.replay_events_after(after, hear)
    return None if stream is None else [str(getattr(each.message, "method", "")) for each in heard]


async def test_what_came_later_on_the_same_stream_comes_again_in_order() -> None:
    session = ReplayBuffer().session()
    first = await session.store_event("1", None)
    for stream, text in [("1", "a"), ("2", "x"), ("1", "b")]:
        await session.store_event(stream, said(text))
    assert await replayed(session, first) == ["a", "b"]


async def test_streams_of_two_sessions_with_the_same_id_are_two() -> None:
    buffer = ReplayBuffer()
    one, two = buffer.session(), buffer.session()
    mine, theirs = await one.store_event("1", None), await two.store_event("1", None)
    await one.store_event("1", said("mine"))
    await two.store_event("1", said("theirs"))
    assert await replayed(one, mine) == ["mine"]
    assert await replayed(one, theirs) is None


@pytest.mark.parametrize("event", ["", "-1", "x", "0", "99", "²", "9" * 5000])
async def test_an_event_that_never_was_is_not_known(event: str) -> None:
    session = ReplayBuffer().session()
    await session.store_event("1", said("a"))
    assert await replayed(session, event) is None


async def test_the_oldest_are_forgotten_beyond_a_number() -> None:
    session = ReplayBuffer(most=3).session()
    ids = [await session.store_event("1", said(text)) for text in "abcd"]
    assert await replayed(session, ids[0]) is None
    assert await replayed(session, ids[1]) == ["c", "d"]


async def test_the_oldest_are_forgotten_beyond_a_size() -> None:
    session = ReplayBuffer(most_bytes=10_000).session()
    first = await session.store_event("1", said("a"))
    second = await session.store_event("1", said("b" * 9000))
    third = await session.store_event("1", said("c" * 9000))
    assert [await replayed(session, each) for each in (first, second, third)] == [None, None, []]


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
        table.opened(name, HttpClient(LOCAL_USER, peer))
    return table


async def test_the_longest_idle_of_the_address_with_the_most_goes() -> None:
    sessions = {"a": session(1.0), "b": session(3.0), "c": session(2.0), "d": session(math.inf, "7")}
    assert table_of(sessions, "xyyy").evict_idle(sessions) == "c"
    assert SessionTable(5).evict_idle(sessions) is None


async def test_one_that_only_listens_goes_where_none_is_idle() -> None:
    listening = session(math.inf, GET_STREAM_KEY)
    sessions = {"a": session(math.inf, "7", GET_STREAM_KEY), "b": session(math.inf, "7"), "c": listening}
    assert table_of(sessions, "xxy").evict_idle(sessions) == "c"
    sessions["d"] = session(9.0)
    assert table_of(sessions, "xxyz").evict_idle(sessions) == "d"


async def test_sessions_at_work_stay() -> None:
    sessions = {"a": session(math.inf, "7"), "b": session(math.inf, "8", GET_STREAM_KEY)}
    assert table_of(sessions, "xx").evict_idle(sessions) is None


async def test_the_principal_with_the_most_gives_one_up_from_however_many_addresses_it_comes() -> None:
    sessions = {name: session(float(at + 1)) for at, name in enumerate("abcdef")}
    owners = zip("abcdef", ["one", "one", "two", "two", "two", "two"], "xxyzzw", strict=True)
    table = SessionTable(len(sessions))
    for name, owner, network in owners:
        table.opened(name, HttpClient(Principal(owner), network))
    assert table.evict_idle(sessions) == "d"


async def test_a_session_belongs_to_the_principal_that_opened_it() -> None:
    table = SessionTable(5)
    table.opened("a", HttpClient(Principal("one"), "x"))
    assert table.belongs_to("a", Principal("one"))
    assert not table.belongs_to("a", Principal("two"))
    assert not table.belongs_to("never opened", Principal("one"))
