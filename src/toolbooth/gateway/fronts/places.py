"""Requests of one client on stdio → those that are at work, and those that wait their turn.

A client may send any number of requests and read no answer. What it has not read and what is open for it is bounded;
then its stdin is not read until there is room. While the client owes us an answer, its stdin is read all the same: a
call may wait for that answer, and others for the place of that call. What it asks beyond a second bound is refused.
"""

from collections.abc import Callable
from typing import Any

from toolbooth.gateway.fronts.pipe import Pipe
from toolbooth.gateway.fronts.talk import Id, Talk
from toolbooth.limits import (
    MAX_OPEN_BYTES,
    MAX_OPEN_REQUESTS,
    MAX_WAITING_REQUESTS,
    MOST_OPEN_BYTES,
    MOST_OPEN_REQUESTS,
)

Message = dict[str, Any]
_LASTING = "subscriptions/listen"  # open as long as the client listens: it takes nobody's place


class Places:
    """`start` carries out a request; `leave` is to be told of its end, whatever that is."""

    def __init__(self, pipe: Pipe, talk: Talk, start: Callable[[Message], None]) -> None:
        self._pipe, self._talk, self._start = pipe, talk, start
        self._at_work: dict[Id, int] = {}
        self._lasting: dict[Id, int] = {}
        self._waiting: dict[Id, tuple[Message, int]] = {}
        self._bytes = self._lasting_bytes = 0
        self._starting = self._closed = self._held = False
        pipe.on_relief = self._go_on
        talk.on_asking = self._watch

    def __contains__(self, number: Id) -> bool:
        return number in self._at_work or number in self._waiting or number in self._lasting

    @property
    def busy(self) -> bool:
        """Whether anything is at work or waits; who only listens does not count."""
        return bool(self._at_work or self._waiting)

    def waiting(self) -> list[Id]:
        """The requests that have no answer yet; who only listens waits for none."""
        return [*self._at_work, *self._waiting]

    def full(self, size: int) -> bool:
        """Whether a request of `size` bytes is one too many, even to wait."""
        count = len(self._at_work) + len(self._waiting) + len(self._lasting)
        return count >= MOST_OPEN_REQUESTS or self._bytes + self._lasting_bytes + size > MOST_OPEN_BYTES

    def take(self, number: Id, message: Message, size: int) -> None:
        """Start a request of `size` bytes, now or when its turn comes."""
        if message["method"] == _LASTING:
            self._lasting[number] = size
            self._lasting_bytes += size
            self._start(message)
            return
        self._bytes += size
        if self._waiting or not self._free:
            self._waiting[number] = message, size
        else:
            self._at_work[number] = size
            self._start(message)
        if self._waiting or self._bytes >= MAX_OPEN_BYTES:
            self._watch()

    def leave(self, number: Id) -> None:
        """A request is over; one that waited is not started any more."""
        self._lasting_bytes -= self._lasting.pop(number, 0)
        if number in self._at_work:
            self._bytes -= self._at_work.pop(number)
        elif number in self._waiting:
            self._bytes -= self._waiting.pop(number)[1]
        if self._waiting or self._held:
            self._go_on()

    def close(self) -> None:
        """Nothing is started from now on."""
        self._closed = True

    @property
    def _free(self) -> bool:
        return len(self._at_work) < MAX_OPEN_REQUESTS and not self._pipe.full

    def _go_on(self) -> None:
        """Not from within itself: a request that is refused at once leaves before its start is over."""
        if self._starting:
            return
        self._starting = True
        try:
            while self._waiting and self._free and not self._closed:
                number = next(iter(self._waiting))
                message, size = self._waiting.pop(number)
                self._at_work[number] = size
                self._start(message)
        finally:
            self._starting = False
        self._watch()

    def _watch(self) -> None:
        self._held = len(self._waiting) >= MAX_WAITING_REQUESTS or self._bytes >= MAX_OPEN_BYTES
        self._pipe.hold(self._held and not self._talk.asking, "requests")
