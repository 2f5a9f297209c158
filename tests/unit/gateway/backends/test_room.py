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


async def served(room: Room, order: list[str], client: str, calls: int) -> list["asyncio.Task[None]"]:
    async def one() -> None:
        await room.enter(client)
        order.append(client)

    tasks = [asyncio.create_task(one()) for _ in range(calls)]
    await turns()
    return tasks


@pytest.mark.promise("gateway:fair")
async def test_a_client_with_one_call_waits_for_one_call_of_a_client_with_a_hundred() -> None:
    room, order = Room(2), list[str]()
    tasks = [*await served(room, order, "hog", 100), *await served(room, order, "other", 3)]
    assert order == ["hog", "hog"]
    for client in ("hog", "hog", "other", "other", "other"):
        room.leave(client)
        await turns()
    assert order == ["hog", "hog", "other", "hog", "other", "other", "hog"]
    for task in tasks:
        task.cancel()
    await turns()
    assert room.queued == 0


@pytest.mark.promise("gateway:fair")
async def test_clients_that_hold_as_many_take_turns() -> None:
    room, order = Room(1), list[str]()
    assert room.take("first")
    tasks = [task for name in ("a", "b", "c") for task in await served(room, order, name, 2)]
    room.leave("first")
    for _ in range(5):
        await turns()
        room.leave(order[-1])
    await asyncio.gather(*tasks)
    assert order == ["a", "b", "c", "a", "b", "c"]


async def test_a_place_is_left_for_the_others() -> None:
    room = Room(4, most_each=3)
    assert [room.take("hog") for _ in range(4)] == [True, True, True, False]
    assert room.take("other")
    room.leave("hog")
    assert room.take("hog")


async def test_a_full_queue_has_a_share_for_who_has_none_in_it() -> None:
    room, order = Room(1), list[str]()
    tasks = await served(room, order, "hog", 11)
    assert not room.has_line_for("hog", 10)
    assert room.has_line_for("other", 10)
    tasks += await served(room, order, "other", 5)
    assert not room.has_line_for("other", 10)
    for task in tasks:
        task.cancel()
