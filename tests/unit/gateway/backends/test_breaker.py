"""The breaker, with a clock and a chance that the test holds."""

import pytest

from toolbooth.errors import BackendResting
from toolbooth.gateway.backends.breaker import Breaker
from toolbooth.limits import (
    BACKOFF_FIRST,
    BREAKER_REST,
    BREAKER_TIMEOUTS,
    MAX_RESTARTS,
    RESTART_WINDOW,
)


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
