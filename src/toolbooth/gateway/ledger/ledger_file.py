"""`ledger.sqlite3`: rows in a file that many processes share; owner-only, bounded in bytes and age, intact after
a kill.

A file that SQLite cannot read is renamed, so that a new one can be started.
"""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Final, NamedTuple, Self

from toolbooth import files, limits
from toolbooth.gateway.ledger.migrations import is_newer_format, migrate, pending
from toolbooth.gateway.ledger.row import Row, RowFilter, digest_of, session_number

_DAMAGE: Final = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
_COMPANIONS: Final = ("", "-wal", "-shm")


def is_damage(error: Exception) -> bool:
    """Whether the file is damaged, as opposed to busy or on a full disk."""
    code = getattr(error, "sqlite_errorcode", None)
    return code is not None and code & 0xFF in _DAMAGE


def put_aside(path: Path) -> Path:
    """Rename the file and what belongs to it; only the last damaged one is kept, since each may be large."""
    target = path.with_name(f"{path.stem}.damaged{path.suffix}")
    for suffix in _COMPANIONS:
        source, kept = (each.with_name(each.name + suffix) for each in (path, target))
        try:
            source.replace(kept)
        except FileNotFoundError:
            kept.unlink(missing_ok=True)
    return target


NAME: Final = "ledger.sqlite3"
_SHARE: Final = 10  # a tenth of all rows is deleted at once, so that this is rare
_SORT: Final = "server, tool, kind, outcome, estimated, risk, advisory, steps"
COLUMNS: Final = f"at, session, us, bytes_before, bytes_after, tokens_before, tokens_after, {_SORT}"
_OURS: Final = {"id", "sort", *COLUMNS.split(", ")}
_OF_CALLS: Final = {"at", "sort", "session", "tokens_before", "tokens_after"}  # the sorts of every version
JOINED: Final = "calls JOIN sorts ON sorts.id = calls.sort"
_SAME_SORT: Final = f"SELECT id FROM sorts WHERE ({_SORT}) = (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)"  # noqa: S608 - ours
_ADD_SORT: Final = (  # no INSERT OR IGNORE: in a later version's file a sort may be unique by more columns
    f"INSERT INTO sorts ({_SORT}) SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8 WHERE NOT EXISTS ({_SAME_SORT})"
)
_ADD_CALL: Final = (
    "INSERT INTO calls (at, session, us, bytes_before, bytes_after, tokens_before, tokens_after, sort) "  # noqa: S608
    f"VALUES (?, ?, ?, ?, ?, ?, ?, (SELECT id FROM sorts WHERE ({_SORT}) = (?, ?, ?, ?, ?, ?, ?, ?)))"
)
_PAGES: Final = "(page_count - freelist_count) * page_size"
_SIZE: Final = f"SELECT {_PAGES} FROM pragma_page_count, pragma_freelist_count, pragma_page_size"  # noqa: S608


class NewerFormat(Exception):
    """A later Toolbooth wrote the file in a format that we do not know; it is left unchanged."""


class NotALedger(Exception):
    """The file is a database of something else and is left unchanged."""


class Bounds(NamedTuple):
    """What a ledger may hold."""

    bytes: int = limits.MAX_LEDGER_BYTES
    age: float = limits.LEDGER_AGE


BOUNDS: Final = Bounds()


class LedgerFile:
    """One connection, used by one thread at a time."""

    def __init__(self, connection: sqlite3.Connection, bounds: Bounds = BOUNDS, inode: int = 0) -> None:
        self.connection, self._bounds, self._inode = connection, bounds, inode

    @classmethod
    def in_memory(cls, bounds: Bounds = BOUNDS) -> Self:
        """A ledger that ends with its process."""
        file = cls(_connect(":memory:"), bounds)
        file._prepare()
        return file

    @classmethod
    def open(cls, path: Path, bounds: Bounds = BOUNDS) -> Self:
        """Open the file, or create it. Raises OSError, sqlite3.Error, NewerFormat or NotALedger."""
        inode = files.private_file(path)  # SQLite gives its other files the mode of this one
        file = cls(_connect(str(path)), bounds, inode)
        try:
            file._check_later()
            file.connection.execute("PRAGMA journal_mode = WAL")
            # Even so a kill loses no commit, and a power cut at most the last ones: FULL would sync the disk
            # for each.
            file.connection.execute("PRAGMA synchronous = NORMAL")
            file._prepare()
        except BaseException:
            file.close()
            raise
        return file

    @classmethod
    def reading(cls, path: Path) -> Self:
        """A file that somebody else may be writing. Nothing is changed: one of an earlier version is read as a copy."""
        file = cls(_connect(f"{path.absolute().as_uri()}?mode=ro"))
        try:
            file._check_later()
            if pending(file.connection):
                file = file._migrated_copy()
            file._check()
        except BaseException:
            file.close()
            raise
        return file

    def _migrated_copy(self) -> Self:
        copy = type(self)(_connect(":memory:"), self._bounds)
        with closing(self.connection):
            self.connection.backup(copy.connection)
        copy._prepare()
        return copy

    def _prepare(self) -> None:
        """Create the tables or bring them up to date, whichever process comes first."""
        if pending(self.connection):
            with self.writing() as connection:
                _refuse_foreign(connection)
                migrate(connection)
        self._check()

    def _check_later(self) -> None:
        if is_newer_format(self.connection):
            raise NewerFormat

    def _check(self) -> None:
        """Every column that is read exists, and no other one has to be filled in."""
        self._check_later()
        try:
            self.connection.execute(f"SELECT {COLUMNS} FROM {JOINED} LIMIT 0")  # noqa: S608
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_ERROR:
                raise
            raise NewerFormat from None
        for table in ("calls", "sorts"):
            if _columns(self.connection, table, '"notnull" AND dflt_value IS NULL AND NOT pk') - _OURS:
                raise NewerFormat

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """A transaction: all of it or nothing."""
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
        """Delete the oldest rows: those past their age, and a tenth while there are too many bytes."""
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
        """Close the connection."""
        self.connection.close()


def _connect(target: str) -> sqlite3.Connection:
    return sqlite3.connect(
        target,
        timeout=limits.LEDGER_BUSY,
        isolation_level=None,
        check_same_thread=False,
        uri=target.startswith("file:"),
    )


def _refuse_foreign(connection: sqlite3.Connection) -> None:
    """A database that has tables, and not ours, belongs to something else: it is neither changed nor moved."""
    tables = _number(connection, "SELECT count(*) FROM sqlite_master")
    if tables and not (_columns(connection, "calls") >= _OF_CALLS and _columns(connection, "sorts")):
        raise NotALedger


def _columns(connection: sqlite3.Connection, table: str, where: str = "1") -> set[str]:
    with closing(connection.execute(f"SELECT name FROM pragma_table_info('{table}') WHERE {where}")) as found:  # noqa: S608
        return {name for (name,) in found.fetchall()}


def _number(connection: sqlite3.Connection, query: str) -> int:
    with closing(connection.execute(query)) as cursor:
        return int(cursor.fetchone()[0])


def _sort(row: Row) -> tuple[str | bool, ...]:
    """What many rows have in common is stored once: half the space, and sums in half the time."""
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
    """Microseconds of three digits, as exact as the histograms, so that a million rows form few groups."""
    us = max(0, round(ms * 1000))
    step: int = 10 ** max(0, len(str(us)) - 3)
    return (us + step // 2) // step * step


_ROWS = f"SELECT {COLUMNS} FROM {JOINED}"  # noqa: S608 - no input


def recent_rows(
    connection: sqlite3.Connection, most: int, since: float | None = None, session: str | None = None
) -> list[Row]:
    """The latest rows, optionally since a moment and of one session (its digest)."""
    row_filter = RowFilter.of(since, session)
    query = f"{_ROWS} WHERE {row_filter.where} ORDER BY calls.id DESC LIMIT ?"
    return _read_rows(connection, query, (*row_filter.values, most))


def all_rows(connection: sqlite3.Connection) -> list[Row]:
    """Every row, the oldest first."""
    return _read_rows(connection, f"{_ROWS} ORDER BY calls.id", ())


def _read_rows(connection: sqlite3.Connection, query: str, values: Iterable[Any]) -> list[Row]:
    with closing(connection.execute(query, tuple(values))) as cursor:
        return [_row(*values) for values in cursor]


def _row(at: float, session: int, us: int, *rest: Any) -> Row:
    *sizes, server, tool, kind, outcome, estimated, risk, advisory, steps = rest
    names = tuple(steps.split(",")) if steps else ()
    about = (bool(estimated), risk or None, advisory or None, names)
    return Row._make((at, server, tool, digest_of(session), kind, us / 1000, outcome, *sizes, *about))
