"""The ledger: ended calls of any thread, measured and written in the background, and statistics about them.

A call that has ended is put into a queue: any number of calls, but only so many bytes of their answers. One
thread takes them out, measures them and appends rows to a store. The store, the tokenizer and the statistics
are imported when they are needed.
"""

import threading
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, Union

import msgspec

from toolbooth import catalog, limits, safetext, store

if TYPE_CHECKING:
    from toolbooth.catalog.connect import RawResult


class SizeOnly(NamedTuple):
    """An answer of which only the size is known."""

    size: int


class Menu:
    """Tools and instructions that a model reads, or would read; weighed once, however many sessions list them."""

    __slots__ = ("instructions", "tools", "weight")

    def __init__(self, tools: Sequence["catalog.Tool | Mapping[str, Any]"], instructions: str = "") -> None:
        self.tools, self.instructions = tools, instructions
        self.weight: Any = None  # used by the measuring thread only


CallPayload: TypeAlias = Union["RawResult", Mapping[str, Any], str, SizeOnly, Menu, None]


class EndedCall(msgspec.Struct, frozen=True, gc=False):
    """One call. Its payloads are only measured; `ms` is the time of its server, or of our own work.

    `kind` is one of those in `store`, or "discovery", "read" or "servers". `before` is what the server answered
    and `after` what the client got: the same object if nothing was reduced. A frozen dataclass takes five
    times as long to create.
    """

    server: str
    tool: str
    session: str
    kind: str
    ms: float
    outcome: str
    before: CallPayload = None
    after: CallPayload = None
    steps: tuple[str, ...] = ()
    principal: str = store.LOCAL_PRINCIPAL


class QueuedCall(msgspec.Struct, frozen=True, gc=False):
    """A call, when it ended, and the bytes that it holds."""

    at: float
    answered: EndedCall
    held: int


class CallQueue:
    """A queue that any thread puts into and one thread takes from."""

    def __init__(self, most_held: int = limits.LEDGER_HELD, clock: Callable[[], float] = time.time) -> None:
        self._most_held, self._clock = most_held, clock
        self._entries: deque[QueuedCall] = deque()
        self._counting = threading.Lock()
        self.held = 0  # bytes of answers that are kept for measuring
        self.taken_in = 0  # calls so far

    def put(self, answered: EndedCall) -> int:
        """Add a call, and return how many wait. If its answers are too much to hold, only their sizes are kept."""
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
            QueuedCall(self._clock(), answered, held)
            if fits
            else QueuedCall(self._clock(), sized(answered), 0)
        )
        return len(entries)

    def take(self) -> QueuedCall | None:
        """The oldest call; None if none waits. Its bytes count as held until it is `done`."""
        return self._entries.popleft() if self._entries else None

    def done(self, entry: QueuedCall) -> None:
        """The call has been measured."""
        with self._counting:
            self.held -= entry.held


def sized(answered: EndedCall) -> EndedCall:
    """The call with the sizes of its answers in place of the answers."""
    before = _size_only(answered.before)
    after = before if answered.after is answered.before else _size_only(answered.after)
    return msgspec.structs.replace(answered, before=before, after=after)


def _size_only(payload: CallPayload) -> CallPayload:
    return payload if payload is None or isinstance(payload, Menu) else SizeOnly(held_size(payload))


def held_size(payload: CallPayload) -> int:
    """Roughly the bytes of an answer's text, found without parsing it."""
    if type(payload) is dict:
        content = payload.get("content")
        return sum(map(_item_size, content)) if type(content) is list else 0
    if payload is None or isinstance(payload, Menu):  # a menu is held by its gateway anyway
        return 0
    if isinstance(payload, str):
        return len(payload)
    if isinstance(payload, SizeOnly):
        return payload.size
    if isinstance(payload, tuple):  # RawResult, which only other modules can import in time
        return len(payload.data)
    return held_size(dict(payload))


def _item_size(item: object) -> int:
    if type(item) is not dict:
        return 0
    text = item.get("text")
    return len(text) if type(text) is str else _item_size(item.get("resource"))


class Ledger:
    """The ledger of a folder; None is one in memory. `notes` says what went wrong, once each, for the log."""

    def __init__(self, folder: Path | None, most_held: int = limits.LEDGER_HELD) -> None:
        self.notes: list[str] = []
        self._folder = folder
        self._queue = CallQueue(most_held)
        self._store: store.LedgerStore | None = None
        self._thread: threading.Thread | None = None
        self._starting = threading.Lock()
        self._some = threading.Event()  # a call waits
        self._hurry = threading.Event()  # do not wait for more
        self._ending = False
        self._done = threading.Condition()
        self._written = 0

    def record(self, answered: EndedCall) -> None:
        """Record a call that has ended. Takes a microsecond, in any thread, and never fails."""
        wait = self._queue.put(answered)
        if not self._some.is_set():
            self._some.set()
        if wait >= limits.LEDGER_BATCH and not self._hurry.is_set():
            self._hurry.set()
        if self._thread is None:
            self._start()

    def flush(self) -> None:
        """Return when all that was recorded before is committed."""
        goal = self._queue.taken_in
        with self._done:
            while self._written < goal and self._thread is not None and self._thread.is_alive():
                self._hurry.set()
                self._done.wait(limits.LEDGER_PAUSE)

    def stats(
        self,
        since: float | None = None,
        session: str | None = None,
        model: str | None = None,
        principal: str | None = None,
    ) -> store.Stats:
        """The statistics of all calls; those that are given choose among them."""
        self.flush()
        row_filter = store.RowFilter(since, session=_digest(session), principal=principal)
        return self._opened_store().statistics(row_filter, model)

    def recent(self, n: int, session: str | None = None, principal: str | None = None) -> list[store.Row]:
        """The latest rows, the last first."""
        self.flush()
        return self._opened_store().rows(
            store.RowFilter(session=_digest(session), principal=principal, limit=n)
        )

    def close(self) -> None:
        """Commit everything, and end the thread; what is recorded later starts a new one."""
        with self._starting:
            thread, self._ending = self._thread, True
            self._some.set()
            self._hurry.set()
        if thread is not None:
            thread.join()
        with self._starting:
            self._write_all()  # calls that came while the thread was ending
            self._thread, self._ending = None, False
            if self._store is not None:
                self._store.close()

    def _start(self) -> None:
        with self._starting:
            if self._thread is None and not self._ending:
                thread = threading.Thread(target=self._run, name="toolbooth-ledger", daemon=True)
                try:
                    thread.start()
                except RuntimeError:  # the interpreter is ending, or the system has no thread left
                    self._note("the ledger has no thread to write with; the next call tries again")
                    return
                self._thread = thread

    def _run(self) -> None:
        ending = False
        while not ending:
            self._some.wait()
            self._hurry.wait(limits.LEDGER_PAUSE)
            self._hurry.clear()
            self._some.clear()
            ending = self._ending  # after the two are cleared: whoever sets it sets them next
            self._write_all()

    def _write_all(self) -> None:
        while rows := self._measured():
            try:
                self._opened_store().append(rows)
            except Exception as error:  # not even memory took them: the next rows may succeed
                self._note(f"the ledger lost {len(rows)} rows: {type(error).__name__}")
            with self._done:
                self._written += len(rows)
                self._done.notify_all()

    def _measured(self) -> list[store.Row]:
        from toolbooth.gateway.ledger.measure import measure

        rows: list[store.Row] = []
        while len(rows) < limits.LEDGER_BATCH and (entry := self._queue.take()) is not None:
            rows.append(measure(entry))
            self._queue.done(entry)
        return rows

    def _opened_store(self) -> store.LedgerStore:
        with self._done:
            if self._store is None:
                self._store = store.open_ledger(self._folder, self._note)
            return self._store

    def _note(self, words: str) -> None:
        line = safetext.for_log(words)
        if line not in self.notes:
            self.notes.append(line)


def _digest(session: str | None) -> str | None:
    return None if session is None else store.session_digest(session)
