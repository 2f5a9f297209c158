"""Ended calls that wait to be measured: any number, but only so many bytes of their answers."""

import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from typing import NamedTuple

from toolbooth.catalog.connect import RawResult
from toolbooth.gateway.ledger.answered import Answered, Payload
from toolbooth.limits import LEDGER_HELD


class Sized(NamedTuple):
    """An answer of which only the size was kept."""

    size: int


class Entry(NamedTuple):
    """A call, when it ended, and its answers or their sizes."""

    at: float
    answered: Answered
    before: Payload | Sized
    after: Payload | Sized
    held: int


class Waiting:
    """A queue that any thread puts into and one thread takes from."""

    def __init__(self, most_held: int = LEDGER_HELD, clock: Callable[[], float] = time.time) -> None:
        self._most_held, self._clock = most_held, clock
        self._entries: deque[Entry] = deque()
        self._held = 0
        self.taken_in = 0  # calls, ever
        self._counting = threading.Lock()

    def __len__(self) -> int:
        return len(self._entries)

    @property
    def held(self) -> int:
        """Bytes of answers that are kept for measuring."""
        return self._held

    def put(self, answered: Answered) -> None:
        """Take in a call. One whose answers are too much to hold is told by their sizes."""
        before, after = answered.before, answered.after
        size = held_size(before)
        held = size if after is before else size + held_size(after)
        if self._held + held > self._most_held:
            self._put_sized(answered, size)
            return
        with self._counting:
            self._held += held
            self.taken_in += 1
        self._entries.append(Entry(self._clock(), answered, before, after, held))

    def _put_sized(self, answered: Answered, size: int) -> None:
        before = None if answered.before is None else Sized(size)
        same = answered.after is answered.before
        after = before if same else None if answered.after is None else Sized(held_size(answered.after))
        bare = Answered(
            answered.server,
            answered.tool,
            answered.session,
            answered.kind,
            answered.ms,
            answered.outcome,
            steps=answered.steps,
        )
        with self._counting:
            self.taken_in += 1
        self._entries.append(Entry(self._clock(), bare, before, after, 0))

    def take(self) -> Entry | None:
        """The oldest; None where none waits. Its bytes count as held until `done`."""
        return self._entries.popleft() if self._entries else None

    def done(self, entry: Entry) -> None:
        """It has been measured."""
        with self._counting:
            self._held -= entry.held


def held_size(payload: Payload) -> int:
    """Roughly the bytes of an answer, found without reading it."""
    if type(payload) is RawResult:
        return len(payload.data)
    if payload is None:
        return 0
    if isinstance(payload, str):
        return len(payload)
    if not isinstance(payload, Mapping):
        return 0
    content = payload.get("content")
    if not isinstance(content, list):
        return 0
    return sum(len(item.get("text") or "") for item in content if type(item) is dict)
