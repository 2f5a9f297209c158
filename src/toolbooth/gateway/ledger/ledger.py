"""Ended calls of any thread → rows that are kept, and accounts of them; measured and written in the background."""

import threading
from pathlib import Path
from typing import TYPE_CHECKING

from toolbooth.gateway.ledger.answered import Answered
from toolbooth.gateway.ledger.row import Row, session_digest
from toolbooth.gateway.ledger.waiting import Waiting
from toolbooth.limits import LEDGER_BATCH, LEDGER_HELD, LEDGER_PAUSE
from toolbooth.safetext import for_log

if TYPE_CHECKING:
    from toolbooth.gateway.ledger.keeping import Keeping
    from toolbooth.gateway.ledger.stats import Stats


class Ledger:
    """The ledger of a folder; None is one in memory. `notes` are what went wrong, each once, for the log."""

    def __init__(self, folder: Path | None, most_held: int = LEDGER_HELD) -> None:
        self.notes: list[str] = []
        self._folder = folder
        self._waiting = Waiting(most_held)
        self._kept: Keeping | None = None
        self._thread: threading.Thread | None = None
        self._starting = threading.Lock()
        self._some = threading.Event()  # a call waits
        self._hurry = threading.Event()  # do not wait for more
        self._ending = False
        self._done = threading.Condition()
        self._written = 0

    def record(self, answered: Answered) -> None:
        """Take in a call that has ended. Costs a microsecond, in any thread, and never fails."""
        wait = self._waiting.put(answered)
        if not self._some.is_set():
            self._some.set()
        if wait >= LEDGER_BATCH and not self._hurry.is_set():
            self._hurry.set()
        if self._thread is None:
            self._start()

    def flush(self) -> None:
        """Come back when all that was recorded before is committed."""
        goal = self._waiting.taken_in
        with self._done:
            while self._written < goal and self._thread is not None and self._thread.is_alive():
                self._hurry.set()
                self._done.wait(LEDGER_PAUSE)

    def stats(
        self, since: float | None = None, session: str | None = None, model: str | None = None
    ) -> "Stats":
        """The account of all calls; of those since a moment of the epoch, and of one session, where asked for."""
        from toolbooth.gateway.ledger.summing import account

        self.flush()
        named = None if session is None else session_digest(session)
        return self._keeping().look(lambda connection: account(connection, since, named, model))

    def recent(self, n: int, session: str | None = None) -> list[Row]:
        """The latest rows, the last first."""
        from toolbooth.gateway.ledger.recent import recent_rows

        self.flush()
        named = None if session is None else session_digest(session)
        return self._keeping().look(lambda connection: recent_rows(connection, n, session=named))

    def close(self) -> None:
        """Commit all, and end the thread; what is recorded later starts a new one."""
        with self._starting:
            thread, self._ending = self._thread, True
            self._some.set()
            self._hurry.set()
        if thread is not None:
            thread.join()
        with self._starting:
            self._write_all()  # what came while the thread was ending
            self._thread, self._ending = None, False
            if self._kept is not None:
                self._kept.close()

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
            self._hurry.wait(LEDGER_PAUSE)
            self._hurry.clear()
            self._some.clear()
            ending = self._ending  # after the two are cleared: whoever sets it sets them next
            self._write_all()

    def _write_all(self) -> None:
        while rows := self._measured():
            try:
                self._keeping().write(rows)
            except Exception as error:  # not even memory took them: the next rows may fare better
                self._note(f"the ledger lost {len(rows)} rows: {type(error).__name__}")
            with self._done:
                self._written += len(rows)
                self._done.notify_all()

    def _measured(self) -> list[Row]:
        from toolbooth.gateway.ledger.measure import measure

        rows: list[Row] = []
        while len(rows) < LEDGER_BATCH and (entry := self._waiting.take()) is not None:
            rows.append(measure(entry))
            self._waiting.done(entry)
        return rows

    def _keeping(self) -> "Keeping":
        from toolbooth.gateway.ledger.keeping import Keeping

        with self._done:
            if self._kept is None:
                self._kept = Keeping(self._folder, self._note)
            return self._kept

    def _note(self, words: str) -> None:
        line = for_log(words)
        if line not in self.notes:
            self.notes.append(line)
