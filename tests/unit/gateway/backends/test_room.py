"""Places for calls: given at once, in the order of coming, and never lost."""

import asyncio

import anyio.lowlevel
import pytest

from toolbooth.gateway.backends.room import Room

pytestmark = pytest.mark.anyio


async def wait_for(room: Room, entered: list[str], name: str) -> None:
    await room.enter()
    entered.append(name)


async def in_line(room: Room, entered: list[str], *names: str) -> list["asyncio.Task[None]"]:
    tasks = [asyncio.create_task(wait_for(room, entered, name)) for name in names]
    await turns()
    return tasks


async def turns() -> None:
    for _ in range(5):
        await anyio.lowlevel.checkpoint()


async def test_there_are_as_many_places_as_were_said() -> None:
    room = Room(2)
    assert [room.take() for _ in range(3)] == [True, True, False]
    room.leave()
    assert room.take()


async def test_who_waits_gets_the_place_in_the_order_of_coming() -> None:
    room, entered = Room(1), list[str]()
    await room.enter()
    tasks = await in_line(room, entered, "first", "second")
    assert (entered, room.queued) == ([], 2)
    room.leave()
    await turns()
    assert entered == ["first"]
    assert not room.take(), "nobody may push in"
    room.leave()
    await asyncio.gather(*tasks)
    assert entered == ["first", "second"]


async def test_who_goes_away_leaves_the_queue() -> None:
    room, entered = Room(1), list[str]()
    await room.enter()
    first, second = await in_line(room, entered, "first", "second")
    first.cancel()
    await turns()
    assert room.queued == 1
    room.leave()
    await second
    assert entered == ["second"]


async def test_a_place_given_to_someone_who_just_went_away_goes_to_the_next() -> None:
    room, entered = Room(1), list[str]()
    await room.enter()
    first, second = await in_line(room, entered, "first", "second")
    room.leave()
    first.cancel()
    await second
    assert entered == ["second"]
    room.leave()
    assert room.take()


async def test_a_place_given_and_a_caller_gone_in_the_same_moment_harm_nobody() -> None:
    room, entered = Room(1), list[str]()
    assert room.take()
    first, second = await in_line(room, entered, "first", "second")
    first.cancel()
    room.leave()
    with pytest.raises(asyncio.CancelledError):
        await first
    await second
    assert entered == ["second"]
    room.leave()
    assert room.take()
