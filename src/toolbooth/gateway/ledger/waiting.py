"""Ended calls that wait to be measured: any number, but only so many bytes of their answers."""

import threading
import time
from collections import deque
from collections.abc import Callable

import msgspec

from toolbooth.gateway.ledger.answered import Answered, Menu, Payload, Sized
from toolbooth.limits import LEDGER_HELD


class Entry(msgspec.Struct, frozen=True, gc=False):
    """A call, when it ended, and the bytes that it holds."""

    at: float
    answered: Answered
    held: int


class Waiting:
    """A queue that any thread puts into and one thread takes from."""

    def __init__(self, most_held: int = LEDGER_HELD, clock: Callable[[], float] = time.time) -> None:
        self._most_held, self._clock = most_held, clock
        self._entries: deque[Entry] = deque()
        self._counting = threading.Lock()
        self.held = 0  # bytes of answers that are kept for measuring
        self.taken_in = 0  # calls, ever

    def put(self, answered: Answered) -> int:
        """Take in a call, and say how many wait. One whose answers are too much to hold is told by their sizes."""
        before, after = answered.before, answered.after
        held = held_size(before)
        if after is not before:
            held += held_size(after)
        with self._counting:
            fits = self.held + held <= self._most_held
            self.held += held if fits else 0
            self.taken_in += 1
        entries = self._entries
        entries.append(
            Entry(self._clock(), answered, held) if fits else Entry(self._clock(), sized(answered), 0)
        )
        return len(entries)

    def take(self) -> Entry | None:
        """The oldest; None where none waits. Its bytes count as held until it is `done`."""
        return self._entries.popleft() if self._entries else None

    def done(self, entry: Entry) -> None:
        """It has been measured."""
        with self._counting:
            self.held -= entry.held


def sized(answered: Answered) -> Answered:
    """The same call without its answers."""
    before = _size_only(answered.before)
    after = before if answered.after is answered.before else _size_only(answered.after)
    return msgspec.structs.replace(answered, before=before, after=after)


def _size_only(payload: Payload) -> Payload:
    return payload if payload is None or isinstance(payload, Menu) else Sized(held_size(payload))


def held_size(payload: Payload) -> int:
    """Roughly the bytes of an answer's text, found without reading it."""
    if type(payload) is dict:
        content = payload.get("content")
        return sum(map(_item_size, content)) if type(content) is list else 0
    if payload is None or isinstance(payload, Menu):  # a menu is held by its gateway anyway
        return 0
    if isinstance(payload, str):
        return len(payload)
    if isinstance(payload, Sized):
        return payload.size
    if isinstance(payload, tuple):  # RawResult, which only others can import in time
        return len(payload.data)
    return held_size(dict(payload))


def _item_size(item: object) -> int:
    if type(item) is not dict:
        return 0
    text = item.get("text")
    return len(text) if type(text) is str else _item_size(item.get("resource"))
