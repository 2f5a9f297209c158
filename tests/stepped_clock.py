"""A clock that stands still until a test moves it, for deadlines of requests to real servers."""

from collections.abc import Callable
from dataclasses import dataclass, field

from toolbooth.catalog.connect.peer import RequestClock


@dataclass(eq=False)
class _Timer:
    at: float
    ring: Callable[[], None]
    cancelled: bool = False

    def cancel(self) -> None:
        self.cancelled = True


@dataclass(eq=False)
class SteppedClock(RequestClock):
    """No deadline passes by itself, however busy the machine is."""

    time: float = 1000.0
    _timers: list[_Timer] = field(default_factory=list)

    def now(self) -> float:
        return self.time

    def call_at(self, at: float, ring: Callable[[], None]) -> _Timer:
        timer = _Timer(at, ring)
        self._timers.append(timer)
        return timer

    def advance(self, seconds: float) -> None:
        """Let time pass at once; whatever is due by then rings."""
        self.time += seconds
        due = [timer for timer in self._timers if timer.at <= self.time]
        self._timers = [timer for timer in self._timers if timer.at > self.time]
        for timer in due:
            if not timer.cancelled:
                timer.ring()
