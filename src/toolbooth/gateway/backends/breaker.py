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
    """Counts crashes and silences; opens after too many, and then lets one call through after each rest.

    `closed` is the usual state: nothing speaks against a call. Only an answer closes it again.
    """

    def __init__(self, clock: Callable[[], float], random: Callable[[], float] = random.random) -> None:
        self._clock, self._random = clock, random
        self._crashes: deque[float] = deque(maxlen=MAX_RESTARTS)
        self._silences = 0
        self._rests_until = 0.0
        self._not_before = 0.0
        self._why = ""
        self.closed = True

    @property
    def resting(self) -> bool:
        """Whether calls are refused at once."""
        return not self.closed and self._clock() < self._rests_until

    def check(self) -> None:
        """Raises BackendResting where no call is let through now."""
        if self.resting:
            left = self._rests_until - self._clock()
            raise BackendResting(f"{self._why}; it is left alone for another {left:.0f} s")

    def admit(self) -> None:
        """The same for a call that is sent now: while the breaker is open, the next one waits for another rest."""
        self.check()
        if not self.closed:
            self._rests_until = self._clock() + BREAKER_REST

    def delay(self) -> float:
        """Seconds to wait before the next start."""
        return max(0.0, self._not_before - self._clock())

    def answered(self) -> None:
        """A call was answered: silences before it are forgotten, crashes are not."""
        self._silences = 0
        self.closed = True

    def timed_out(self) -> None:
        """A call was not answered in time."""
        self._silences += 1
        if self._silences >= BREAKER_TIMEOUTS:
            self._open(f"did not answer {self._silences} times in a row")

    def crashed(self) -> None:
        """The process or connection ended by itself, or could not be started."""
        now = self._clock()
        recent = [at for at in self._crashes if now - at < RESTART_WINDOW]
        step = min(BACKOFF_LAST, BACKOFF_FIRST * 2 ** len(recent))
        self._not_before = now + step * (0.5 + self._random() / 2)
        self._crashes.append(now)
        if len(recent) + 1 >= MAX_RESTARTS:
            self._open(f"failed {len(recent) + 1} times within {RESTART_WINDOW / 60:.0f} minutes")

    def _open(self, why: str) -> None:
        self._why, self.closed = why, False
        self._rests_until = self._clock() + BREAKER_REST
