"""Requests of one client on stdio → those that are at work, and those that wait their turn.

A client may send any number of requests and read no answer. What it has not read and what is open for it is bounded;
then its stdin is not read until there is room.
"""

from collections.abc import Callable
from typing import Any

from toolbooth.gateway.fronts.pipe import Pipe
from toolbooth.gateway.fronts.talk import Id
from toolbooth.limits import MAX_OPEN_BYTES, MAX_OPEN_REQUESTS, MAX_WAITING_REQUESTS

Message = dict[str, Any]
_LASTING = "subscriptions/listen"  # open as long as the client listens: it takes nobody's place


class Places:
    """`start` carries out a request; `leave` is to be told of its end, whatever that is."""

    def __init__(self, pipe: Pipe, start: Callable[[Message], None]) -> None:
        self._pipe, self._start = pipe, start
        self._at_work: dict[Id, int] = {}
        self._lasting: set[Id] = set()
        self._waiting: dict[Id, tuple[Message, int]] = {}
        self._bytes = 0
        self._starting = self._closed = self._held = False
        pipe.on_relief = self._go_on

    def __contains__(self, number: Id) -> bool:
        return number in self._at_work or number in self._waiting or number in self._lasting

    @property
    def busy(self) -> bool:
        """Whether anything is at work or waits; who only listens does not count."""
        return bool(self._at_work or self._waiting)

    def take(self, number: Id, message: Message, size: int) -> None:
        """Start a request of `size` bytes, now or when its turn comes."""
        if message["method"] == _LASTING:
            self._lasting.add(number)
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
        self._lasting.discard(number)
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
        self._pipe.hold(self._held, "requests")
