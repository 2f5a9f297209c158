"""Whether a call may be sent now: a breaker for servers that fail, a limiter for calls at the same time.

The limiter is fair: a free slot goes to the waiting client with the fewest calls in progress, in turn among
equals. A client with a hundred calls waits for its own; one with a single call waits for at most one of the
others'.
"""

import asyncio
import random
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial

from toolbooth import errors, limits

Turn = Callable[[], object]


class Breaker:
    """Counts crashes and timeouts; opens after too many, and then lets one call through after each pause.

    `closed` is the normal state, in which every call may be sent. Only an answer closes it again.
    """

    def __init__(self, clock: Callable[[], float], random: Callable[[], float] = random.random) -> None:
        self._clock, self._random = clock, random
        self._crashes: deque[float] = deque(maxlen=limits.MAX_RESTARTS)
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
        """Raises BackendResting if no call is let through now."""
        if self.resting:
            left = self._rests_until - self._clock()
            raise errors.BackendResting(f"{self._why}; it is not called for another {left:.0f} s")

    def admit(self) -> None:
        """Admit a call that is sent now; while the breaker is open, the next one waits for another pause."""
        self.check()
        if not self.closed:
            self._rests_until = self._clock() + limits.BREAKER_REST

    def delay(self) -> float:
        """Seconds to wait before the next start."""
        return max(0.0, self._not_before - self._clock())

    def answered(self) -> None:
        """A call was answered: timeouts before it are forgotten, crashes are not."""
        self._silences = 0
        self.closed = True

    def timed_out(self) -> None:
        """A call was not answered in time."""
        self._silences += 1
        if self._silences >= limits.BREAKER_TIMEOUTS:
            self._open(f"did not answer {self._silences} times in a row")

    def crashed(self) -> None:
        """The process or connection ended by itself, or could not be started."""
        now = self._clock()
        recent = [at for at in self._crashes if now - at < limits.RESTART_WINDOW]
        step = min(limits.BACKOFF_LAST, limits.BACKOFF_FIRST * 2 ** len(recent))
        self._not_before = now + step * (0.5 + self._random() / 2)
        self._crashes.append(now)
        if len(recent) + 1 >= limits.MAX_RESTARTS:
            self._open(f"failed {len(recent) + 1} times within {limits.RESTART_WINDOW / 60:.0f} minutes")

    def forget(self) -> None:
        """What made the server fail is gone: forget crashes and timeouts, and wait for nothing."""
        self._crashes.clear()
        self._silences, self._rests_until, self._not_before = 0, 0.0, 0.0
        self.closed = True

    def _open(self, why: str) -> None:
        self._why, self.closed = why, False
        self._rests_until = self._clock() + limits.BREAKER_REST


class CallLimiter:
    """Slots for calls; a call that finds none waits in the queue of its client.

    `most_each`: slots that one client may hold, so that it cannot keep all of them from the others.
    """

    def __init__(self, places: int, most_each: int | None = None) -> None:
        self._free = places
        self._most_each = places if most_each is None else most_each
        self._held: dict[str, int] = {}
        self._waiting: dict[str, deque[Turn]] = {}  # in the order of their turns

    @property
    def queued(self) -> int:
        """How many calls wait."""
        return sum(map(len, self._waiting.values()))

    def may_queue(self, client: str, most: int) -> bool:
        """Whether one more call of this client may wait: every waiting client has an equal share of `most`."""
        own = len(self._waiting.get(client, ()))
        others = len(self._waiting) - (client in self._waiting)
        return self.queued < most or own < most // (others + 1)

    def take(self, client: str = "") -> bool:
        """Take a slot without waiting, if there is one."""
        held = self._held.get(client, 0)
        if self._free <= 0 or held >= self._most_each or client in self._waiting:
            return False
        self._free -= 1
        self._held[client] = held + 1
        return True

    async def enter(self, client: str = "") -> None:
        """Take a slot when it is this client's turn."""
        if self.take(client):
            return
        place: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        turn = partial(_give, place)
        self.queue(client, turn)
        try:
            await place
        except asyncio.CancelledError:
            if not self.forget(client, turn):
                self.leave(client)  # the slot was given at the moment the caller was cancelled
            raise

    def queue(self, client: str, turn: Turn) -> None:
        """Call `turn`, which must not raise, once the client has a slot for it."""
        self._waiting.setdefault(client, deque()).append(turn)

    def forget(self, client: str, turn: Turn) -> bool:
        """Take it out of the queue again; False if its turn has come already."""
        queue = self._waiting.get(client)
        if queue is None or turn not in queue:
            return False
        queue.remove(turn)
        if not queue:
            del self._waiting[client]
        return True

    def leave(self, client: str = "") -> None:
        """Give the slot back, and to the next caller that still waits."""
        held = self._held.pop(client) - 1
        if held:
            self._held[client] = held
        self._free += 1
        if self._waiting:
            self._hand_out()

    def _hand_out(self) -> None:
        while self._free > 0 and (next_client := self._whose_turn()) is not None:
            queue = self._waiting.pop(next_client)
            turn = queue.popleft()
            if queue:
                self._waiting[next_client] = queue  # behind the others now
            self._free -= 1
            self._held[next_client] = self._held.get(next_client, 0) + 1
            turn()

    def _whose_turn(self) -> str | None:
        """The waiting client with the fewest slots; of several, the first in turn."""
        clients = (each for each in self._waiting if self._held.get(each, 0) < self._most_each)
        return min(clients, key=lambda each: self._held.get(each, 0), default=None)


def _give(place: "asyncio.Future[None]") -> None:
    """A caller that was cancelled just now gives the slot back itself."""
    if not place.done():
        place.set_result(None)


class WaitingCall:
    """A call that waits for a slot without a task, which would cost as much again as the call.

    `in_turn` sends it once it has a slot, and returns what abandons it.
    """

    def __init__(self, limiter: CallLimiter, client: str, in_turn: Callable[[], Callable[[], None]]) -> None:
        self._limiter, self._client, self._in_turn = limiter, client, in_turn
        self._abandon: Callable[[], None] | None = None

    def queue(self, timeout: float, late: Callable[[], object]) -> Callable[[], None]:
        """Wait for at most so many seconds, and call `late` then; returns a function that abandons the call."""
        self._timer = asyncio.get_running_loop().call_later(timeout, self._give_up, late)
        self._limiter.queue(self._client, self._turn)
        return self._abandoned

    def _turn(self) -> None:
        self._timer.cancel()
        self._abandon = self._in_turn()

    def _give_up(self, late: Callable[[], object]) -> None:
        if self._limiter.forget(self._client, self._turn):
            late()

    def _abandoned(self) -> None:
        self._timer.cancel()
        if self._abandon is not None:
            self._abandon()
        else:
            self._limiter.forget(self._client, self._turn)


def most_of(places: int) -> int:
    """Slots of one client: if there are many, one is left for the others."""
    return places - 1 if places >= limits.SHARED_PLACES else places


@contextmanager
def not_sent(before: bool) -> Iterator[None]:
    """An error in here ends a call of which its server has received nothing, unless it has `before`."""
    try:
        yield
    except errors.BackendFault as fault:
        fault.sent = before
        raise
