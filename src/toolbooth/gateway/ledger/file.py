"""Rows → a SQLite file that many processes share: owner-only, bounded in bytes and age, whole after a kill."""

import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final, NamedTuple, Self

from toolbooth.gateway.ledger.row import Row, session_number
from toolbooth.limits import LEDGER_AGE, LEDGER_BUSY, MAX_LEDGER_BYTES

FORMAT: Final = 1
NAME: Final = "ledger.sqlite3"
_SHARE: Final = 10  # a tenth of all rows goes at once, so that this is rare
_SORT: Final = "server, tool, kind, outcome, estimated, risk, advisory, steps"
_SCHEMA: Final = (
    """CREATE TABLE sorts (
        id INTEGER PRIMARY KEY, server TEXT NOT NULL, tool TEXT NOT NULL, kind TEXT NOT NULL, outcome TEXT NOT NULL,
        estimated INTEGER NOT NULL, risk TEXT NOT NULL, advisory TEXT NOT NULL, steps TEXT NOT NULL,
        UNIQUE (server, tool, kind, outcome, estimated, risk, advisory, steps))""",
    """CREATE TABLE calls (
        id INTEGER PRIMARY KEY, at REAL NOT NULL, sort INTEGER NOT NULL, session INTEGER NOT NULL,
        us INTEGER NOT NULL, bytes_before INTEGER NOT NULL, bytes_after INTEGER NOT NULL,
        tokens_before INTEGER NOT NULL, tokens_after INTEGER NOT NULL)""",
    f"PRAGMA user_version = {FORMAT}",
)
COLUMNS: Final = f"at, session, us, bytes_before, bytes_after, tokens_before, tokens_after, {_SORT}"
JOINED: Final = "calls JOIN sorts ON sorts.id = calls.sort"
_ADD_SORT: Final = f"INSERT OR IGNORE INTO sorts ({_SORT}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"  # noqa: S608 - ours
_ADD_CALL: Final = (
    "INSERT INTO calls (at, session, us, bytes_before, bytes_after, tokens_before, tokens_after, sort) "  # noqa: S608
    f"VALUES (?, ?, ?, ?, ?, ?, ?, (SELECT id FROM sorts WHERE ({_SORT}) = (?, ?, ?, ?, ?, ?, ?, ?)))"
)
_PAGES: Final = "(page_count - freelist_count) * page_size"
_SIZE: Final = f"SELECT {_PAGES} FROM pragma_page_count, pragma_freelist_count, pragma_page_size"  # noqa: S608


class NewerFormat(Exception):
    """The file was written by a later Toolbooth, and is left as it is."""


class NotALedger(Exception):
    """The file is none of ours, or damaged."""


class Bounds(NamedTuple):
    """What a ledger may hold."""

    bytes: int = MAX_LEDGER_BYTES
    age: float = LEDGER_AGE


BOUNDS: Final = Bounds()


class LedgerFile:
    """One connection, used by one thread at a time."""

    def __init__(self, connection: sqlite3.Connection, bounds: Bounds = BOUNDS, inode: int = 0) -> None:
        self.connection, self._bounds, self._inode = connection, bounds, inode

    @classmethod
    def in_memory(cls, bounds: Bounds = BOUNDS) -> Self:
        """One that ends with its process."""
        file = cls(_connect(":memory:"), bounds)
        file._prepare()
        return file

    @classmethod
    def open(cls, path: Path, bounds: Bounds = BOUNDS) -> Self:
        """The file, made if need be. Raises OSError, sqlite3.Error, NewerFormat or NotALedger."""
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        inode = _own(path)  # SQLite gives its other files the mode of this one
        file = cls(_connect(str(path)), bounds, inode)
        try:
            file._not_newer()
            file.connection.execute("PRAGMA journal_mode = WAL")
            # A kill loses no commit even so, and a power cut at most the last ones: FULL would sync the disk for each.
            file.connection.execute("PRAGMA synchronous = NORMAL")
            file._prepare()
        except BaseException:
            file.close()
            raise
        return file

    @classmethod
    def reading(cls, path: Path) -> Self:
        """A file that somebody else may be writing; nothing is changed."""
        file = cls(_connect(f"{path.absolute().as_uri()}?mode=ro"))
        try:
            file._check()
        except BaseException:
            file.close()
            raise
        return file

    def _prepare(self) -> None:
        """Make the tables where there are none yet, whichever process comes first."""
        with self.writing() as connection:
            if not _number(connection, "SELECT count(*) FROM sqlite_master"):
                for statement in _SCHEMA:
                    connection.execute(statement)
        self._check()

    def _not_newer(self) -> None:
        if _number(self.connection, "PRAGMA user_version") > FORMAT:
            raise NewerFormat

    def _check(self) -> None:
        self._not_newer()
        try:
            self.connection.execute(f"SELECT {COLUMNS} FROM {JOINED} LIMIT 0")  # noqa: S608
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_ERROR:
                raise
            raise NotALedger from None

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """All of it or nothing."""
        self.connection.execute("BEGIN IMMEDIATE")
        try:
            yield self.connection
            self.connection.execute("COMMIT")
        except BaseException:
            if self.connection.in_transaction:
                self.connection.execute("ROLLBACK")
            raise

    def insert(self, rows: Sequence[Row]) -> None:
        """Commit these rows together."""
        with self.writing() as connection:
            connection.executemany(_ADD_SORT, dict.fromkeys(map(_sort, rows)))
            connection.executemany(_ADD_CALL, map(_values, rows))

    def prune(self, now: float) -> None:
        """Let the oldest go: those past their age, and a tenth while there are too many bytes."""
        with self.writing() as connection:
            gone = connection.execute(
                "DELETE FROM calls WHERE id < coalesce((SELECT id FROM calls WHERE at >= ? ORDER BY id LIMIT 1), "
                "(SELECT max(id) + 1 FROM calls))",
                (now - self._bounds.age,),
            ).rowcount
            while _number(connection, _SIZE) > self._bounds.bytes:
                fewer = connection.execute(
                    f"DELETE FROM calls WHERE id <= (SELECT min(id) + (max(id) - min(id)) / {_SHARE} FROM calls)"  # noqa: S608
                ).rowcount
                gone += fewer
                if not fewer:
                    break
            if gone:
                connection.execute("DELETE FROM sorts WHERE id NOT IN (SELECT sort FROM calls)")

    def is_still_at(self, path: Path) -> bool:
        """Whether this is the file that everybody else would open."""
        try:
            return path.stat().st_ino == self._inode
        except OSError:
            return False

    def close(self) -> None:
        """Let go of it."""
        self.connection.close()


def _connect(target: str) -> sqlite3.Connection:
    return sqlite3.connect(
        target,
        timeout=LEDGER_BUSY,
        isolation_level=None,
        check_same_thread=False,
        uri=target.startswith("file:"),
    )


def _own(path: Path) -> int:
    """The file, there and closed to others; its number on the disk."""
    handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        about = os.fstat(handle)
        if about.st_mode & 0o077 and os.name == "posix":
            os.fchmod(handle, 0o600)
        return about.st_ino
    finally:
        os.close(handle)


def _number(connection: sqlite3.Connection, query: str) -> int:
    with closing(connection.execute(query)) as cursor:
        return int(cursor.fetchone()[0])


def _sort(row: Row) -> tuple[str | bool, ...]:
    """What many rows have in common stands once: rows take half the room, and are summed in half the time."""
    return (
        row.server,
        row.tool,
        row.kind,
        row.outcome,
        row.estimated,
        row.risk or "",
        row.advisory or "",
        ",".join(row.steps),
    )


def _values(row: Row) -> tuple[object, ...]:
    sizes = (row.bytes_before, row.bytes_after, row.tokens_before, row.tokens_after)
    return (row.at, session_number(row.session), quantised(row.ms), *sizes, *_sort(row))


def quantised(ms: float) -> int:
    """Microseconds of three digits, as exact as the histograms: so that a million rows are few groups."""
    us = max(0, round(ms * 1000))
    step: int = 10 ** max(0, len(str(us)) - 3)
    return (us + step // 2) // step * step
