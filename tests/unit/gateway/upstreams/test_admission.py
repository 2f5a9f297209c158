"""Places for calls: given at once, in the order of coming, and never lost."""

import asyncio

import anyio.lowlevel
import pytest

from toolbooth.errors import BackendResting
from toolbooth.gateway.upstreams.admission import Breaker, CallLimiter
from toolbooth.limits import (
    BACKOFF_FIRST,
    BREAKER_REST,
    BREAKER_TIMEOUTS,
    MAX_RESTARTS,
    RESTART_WINDOW,
)

pytestmark = pytest.mark.anyio


async def wait_for(limiter: CallLimiter, entered: list[str], name: str) -> None:
    await limiter.enter()
    entered.append(name)


async def in_line(limiter: CallLimiter, entered: list[str], *names: str) -> list["asyncio.Task[None]"]:
    tasks = [asyncio.create_task(wait_for(limiter, entered, name)) for name in names]
    await turns()
    return tasks


async def turns() -> None:
    for _ in range(5):
        await anyio.lowlevel.checkpoint()


async def test_there_are_as_many_places_as_were_said() -> None:
    limiter = CallLimiter(2)
    assert [limiter.take() for _ in range(3)] == [True, True, False]
    limiter.leave()
    assert limiter.take()


async def test_who_waits_gets_the_place_in_the_order_of_coming() -> None:
    limiter, entered = CallLimiter(1), list[str]()
    await limiter.enter()
    tasks = await in_line(limiter, entered, "first", "second")
    assert (entered, limiter.queued) == ([], 2)
    limiter.leave()
    await turns()
    assert entered == ["first"]
    assert not limiter.take(), "nobody may push in"
    limiter.leave()
    await asyncio.gather(*tasks)
    assert entered == ["first", "second"]


async def test_who_goes_away_leaves_the_queue() -> None:
    limiter, entered = CallLimiter(1), list[str]()
    await limiter.enter()
    first, second = await in_line(limiter, entered, "first", "second")
    first.cancel()
    await turns()
    assert limiter.queued == 1
    limiter.leave()
    await second
    assert entered == ["second"]


async def test_a_place_given_to_someone_who_just_went_away_goes_to_the_next() -> None:
    limiter, entered = CallLimiter(1), list[str]()
    await limiter.enter()
    first, second = await in_line(limiter, entered, "first", "second")
    limiter.leave()
    first.cancel()
    await second
    assert entered == ["second"]
    limiter.leave()
    assert limiter.take()


async def test_a_place_given_and_a_caller_gone_in_the_same_moment_harm_nobody() -> None:
    limiter, entered = CallLimiter(1), list[str]()
    assert limiter.take()
    first, second = await in_line(limiter, entered, "first", "second")
    first.cancel()
    limiter.leave()
    with pytest.raises(asyncio.CancelledError):
        await first
    await second
    assert entered == ["second"]
    limiter.leave()
    assert limiter.take()


async def served(
    limiter: CallLimiter, order: list[str], client: str, calls: int
) -> list["asyncio.Task[None]"]:
    async def one() -> None:
        await limiter.enter(client)
        order.append(client)

    tasks = [asyncio.create_task(one()) for _ in range(calls)]
    await turns()
    return tasks


@pytest.mark.promise("gateway:fair")
async def test_a_client_with_one_call_waits_for_one_call_of_a_client_with_a_hundred() -> None:
    limiter, order = CallLimiter(2), list[str]()
    tasks = [*await served(limiter, order, "hog", 100), *await served(limiter, order, "other", 3)]
    assert order == ["hog", "hog"]
    for client in ("hog", "hog", "other", "other", "other"):
        limiter.leave(client)
        await turns()
    assert order == ["hog", "hog", "other", "hog", "other", "other", "hog"]
    for task in tasks:
        task.cancel()
    await turns()
    assert limiter.queued == 0


@pytest.mark.promise("gateway:fair")
async def test_clients_that_hold_as_many_take_turns() -> None:
    limiter, order = CallLimiter(1), list[str]()
    assert limiter.take("first")
    tasks = [task for name in ("a", "b", "c") for task in await served(limiter, order, name, 2)]
    limiter.leave("first")
    for _ in range(5):
        await turns()
        limiter.leave(order[-1])
    await asyncio.gather(*tasks)
    assert order == ["a", "b", "c", "a", "b", "c"]


async def test_a_place_is_left_for_the_others() -> None:
    limiter = CallLimiter(4, most_each=3)
    assert [limiter.take("hog") for _ in range(4)] == [True, True, True, False]
    assert limiter.take("other")
    limiter.leave("hog")
    assert limiter.take("hog")


async def test_a_full_queue_has_a_share_for_who_has_none_in_it() -> None:
    limiter, order = CallLimiter(1), list[str]()
    tasks = await served(limiter, order, "hog", 11)
    assert not limiter.may_queue("hog", 10)
    assert limiter.may_queue("other", 10)
    tasks += await served(limiter, order, "other", 5)
    assert not limiter.may_queue("other", 10)
    for task in tasks:
        task.cancel()


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def breaker(clock: Clock) -> Breaker:
    return Breaker(clock, lambda: 1.0)


def fall_silent(breaker: Breaker) -> None:
    for _ in range(BREAKER_TIMEOUTS):
        breaker.timed_out()


def test_the_first_start_waits_for_nothing(breaker: Breaker) -> None:
    assert breaker.delay() == 0
    assert breaker.closed
    breaker.admit()


def test_each_crash_doubles_the_wait_before_the_next_start(breaker: Breaker) -> None:
    waits = []
    for _ in range(MAX_RESTARTS):
        breaker.crashed()
        waits.append(breaker.delay())
    assert waits == pytest.approx([BACKOFF_FIRST * 2**n for n in range(MAX_RESTARTS)])


@pytest.mark.parametrize(("chance", "share"), [(0.0, 0.5), (0.5, 0.75), (1.0, 1.0)])
def test_the_wait_is_jittered_between_half_and_whole(clock: Clock, chance: float, share: float) -> None:
    breaker = Breaker(clock, lambda: chance)
    breaker.crashed()
    assert breaker.delay() == pytest.approx(BACKOFF_FIRST * share)


def test_a_wait_passes_with_the_time(breaker: Breaker, clock: Clock) -> None:
    breaker.crashed()
    clock.now += BACKOFF_FIRST
    assert breaker.delay() == 0


def test_crashes_within_the_window_open_it_and_older_ones_do_not_count(
    breaker: Breaker, clock: Clock
) -> None:
    breaker.crashed()
    clock.now += RESTART_WINDOW
    for _ in range(MAX_RESTARTS - 1):
        breaker.crashed()
        breaker.admit()
    breaker.crashed()
    with pytest.raises(
        BackendResting, match=f"failed {MAX_RESTARTS} times within 5 minutes; .* another 30 s"
    ):
        breaker.admit()


def test_answers_between_crashes_do_not_forgive_them(breaker: Breaker) -> None:
    for _ in range(MAX_RESTARTS):
        breaker.answered()
        breaker.crashed()
    assert breaker.resting


def test_silences_in_a_row_open_it_and_an_answer_between_forgives_them(breaker: Breaker) -> None:
    for _ in range(BREAKER_TIMEOUTS - 1):
        breaker.timed_out()
    breaker.answered()
    for _ in range(BREAKER_TIMEOUTS - 1):
        breaker.timed_out()
    assert not breaker.resting
    breaker.timed_out()
    with pytest.raises(BackendResting, match="did not answer 3 times in a row"):
        breaker.check()


def test_after_a_rest_one_call_is_let_through_and_the_others_wait_for_its_answer(
    breaker: Breaker, clock: Clock
) -> None:
    fall_silent(breaker)
    clock.now += BREAKER_REST
    breaker.check()
    breaker.admit()
    assert not breaker.closed
    with pytest.raises(BackendResting):
        breaker.admit()
    breaker.answered()
    breaker.admit()
    assert breaker.closed


def test_a_test_call_that_nobody_answers_opens_it_for_another_rest(breaker: Breaker, clock: Clock) -> None:
    fall_silent(breaker)
    clock.now += BREAKER_REST
    breaker.admit()
    clock.now += BREAKER_REST - 1
    breaker.timed_out()
    assert breaker.resting
    clock.now += BREAKER_REST
    breaker.admit()


def test_a_test_call_whose_client_goes_away_does_not_keep_it_open_for_ever(
    breaker: Breaker, clock: Clock
) -> None:
    fall_silent(breaker)
    clock.now += BREAKER_REST
    breaker.admit()
    clock.now += BREAKER_REST
    breaker.admit()
