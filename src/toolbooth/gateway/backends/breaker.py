"""Failures of one backend → whether it may be tried now, and when again."""

import random
from collections import deque
from collections.abc import Callable

from toolbooth.errors import BackendResting
from toolbooth.limits import (
    BACKOFF_FIRST,
    BACKOFF_LAST,
    BREAKER_REST,
    BREAKER_TIMEOUTS,
    MAX_RESTARTS,
    RESTART_WINDOW,
)


class Breaker:
    """Counts crashes and silences; opens after too many, and lets one call through after a rest."""

    def __init__(self, clock: Callable[[], float], random: Callable[[], float] = random.random) -> None:
        self._clock, self._random = clock, random
        self._crashes: deque[float] = deque(maxlen=MAX_RESTARTS)
        self._timeouts = 0
        self._closed_until = 0.0
        self._not_before = 0.0
        self._why = ""

    @property
    def resting(self) -> bool:
        """Whether calls are refused at once."""
        return self._clock() < self._closed_until

    def admit(self) -> None:
        """Raises BackendResting while the breaker is open."""
        left = self._closed_until - self._clock()
        if left > 0:
            raise BackendResting(f"{self._why}; it is left alone for another {left:.0f} s")

    def delay(self) -> float:
        """Seconds to wait before the next start."""
        return max(0.0, self._not_before - self._clock())

    def answered(self) -> None:
        """A call was answered: silences before it are forgotten, crashes are not."""
        self._timeouts = 0

    def timed_out(self) -> None:
        """A call was not answered in time."""
        self._timeouts += 1
        if self._timeouts >= BREAKER_TIMEOUTS:
            self._rest(f"did not answer {self._timeouts} times in a row")
            self._timeouts = BREAKER_TIMEOUTS - 1  # after the rest one more silence opens it again

    def crashed(self) -> None:
        """The process or connection ended by itself."""
        now = self._clock()
        recent = [at for at in self._crashes if now - at < RESTART_WINDOW]
        step = min(BACKOFF_LAST, BACKOFF_FIRST * 2 ** len(recent))
        self._not_before = now + step * (0.5 + self._random() / 2)
        self._crashes.append(now)
        if len(recent) + 1 >= MAX_RESTARTS:
            self._rest(f"ended {len(recent) + 1} times within {RESTART_WINDOW / 60:.0f} minutes")

    def _rest(self, why: str) -> None:
        self._why = why
        self._closed_until = self._clock() + BREAKER_REST
