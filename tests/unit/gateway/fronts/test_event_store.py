"""What a client that lost its connection gets again: its own, in order, within bounds."""

import pytest
from mcp.server.streamable_http import EventMessage
from mcp_types import JSONRPCNotification

from toolbooth.gateway.fronts.event_store import EventShelf, SessionEvents

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
    session = EventShelf().session()
    first = await session.store_event("1", None)
    for stream, text in [("1", "a"), ("2", "x"), ("1", "b")]:
        await session.store_event(stream, said(text))
    assert await replayed(session, first) == ["a", "b"]


async def test_streams_of_two_sessions_with_the_same_id_are_two() -> None:
    shelf = EventShelf()
    one, two = shelf.session(), shelf.session()
    mine, theirs = await one.store_event("1", None), await two.store_event("1", None)
    await one.store_event("1", said("mine"))
    await two.store_event("1", said("theirs"))
    assert await replayed(one, mine) == ["mine"]
    assert await replayed(one, theirs) is None


@pytest.mark.parametrize("event", ["", "-1", "x", "0", "99", "²", "9" * 5000])
async def test_an_event_that_never_was_is_not_known(event: str) -> None:
    session = EventShelf().session()
    await session.store_event("1", said("a"))
    assert await replayed(session, event) is None


async def test_the_oldest_are_forgotten_beyond_a_number() -> None:
    session = EventShelf(most=3).session()
    ids = [await session.store_event("1", said(text)) for text in "abcd"]
    assert await replayed(session, ids[0]) is None
    assert await replayed(session, ids[1]) == ["c", "d"]


async def test_the_oldest_are_forgotten_beyond_a_size() -> None:
    session = EventShelf(room=10_000).session()
    first = await session.store_event("1", said("a"))
    second = await session.store_event("1", said("b" * 9000))
    third = await session.store_event("1", said("c" * 9000))
    assert [await replayed(session, each) for each in (first, second, third)] == [None, None, []]
