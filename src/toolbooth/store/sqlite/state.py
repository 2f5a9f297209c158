"""`state.sqlite3`: how often tools were called, counters of limits, and news between processes.

The file is opened at the first use. Another file in its place is noticed, as when a user deletes it.
"""

import math
import sqlite3
import threading
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, TypeVar

from toolbooth import files, limits, own_json
from toolbooth.store.protocols import LimitCheck, NewsBatch, NewsItem
from toolbooth.store.rows import storable
from toolbooth.store.sqlite.migrations import Migration, Schema
from toolbooth.store.sqlite.sqlite_file import SqliteFile, inode_at, is_damage, put_aside

_Done = TypeVar("_Done")


def _tables(connection: sqlite3.Connection) -> None:
    connection.execute("CREATE TABLE usage (tool TEXT PRIMARY KEY, calls INTEGER NOT NULL)")
    connection.execute("CREATE TABLE taken_over (file TEXT PRIMARY KEY)")
    connection.execute(
        """CREATE TABLE counters (
        key TEXT NOT NULL, length REAL NOT NULL, began REAL NOT NULL, used INTEGER NOT NULL,
        PRIMARY KEY (key, length, began))"""
    )
    connection.execute(
        """CREATE TABLE news (
        cursor INTEGER PRIMARY KEY AUTOINCREMENT, topic TEXT NOT NULL, payload TEXT NOT NULL, at REAL NOT NULL)"""
    )


_COLUMNS: Final = {
    "usage": frozenset({"tool", "calls"}),
    "taken_over": frozenset({"file"}),
    "counters": frozenset({"key", "length", "began", "used"}),
    "news": frozenset({"cursor", "topic", "payload", "at"}),
}


class StateFile(SqliteFile):
    """One connection to the file."""

    schema = Schema(
        1, (Migration("0001_usage_counters_news", _tables, compatible=False),), _COLUMNS, _COLUMNS
    )


class SharedStateFile:
    """The file, for any number of threads. `note` is called if a damaged one was set aside."""

    def __init__(self, path: Path, note: Callable[[str], None]) -> None:
        self._path, self._note = path, note
        self._file: StateFile | None = None
        self._tried = 0  # the file that was opened last, or could not be
        self._using = threading.Lock()

    @property
    def exists(self) -> bool:
        """Whether anything was stored yet."""
        return self._path.exists()

    def read(self, work: Callable[[sqlite3.Connection], _Done]) -> _Done:
        """Query the file. Raises OSError."""
        with self._using, _as_os_errors():
            return self._mended(lambda file: work(file.connection))

    def write(self, work: Callable[[sqlite3.Connection], _Done]) -> _Done:
        """Work in one transaction, which no other process can come between. Raises OSError."""

        def written(file: StateFile) -> _Done:
            with file.writing() as connection:
                return work(connection)

        with self._using, _as_os_errors():
            return self._mended(written)

    def _mended(self, work: Callable[[StateFile], _Done]) -> _Done:
        """A damaged file is set aside, and the work is done on a new one."""
        try:
            return work(self._ready())
        except sqlite3.DatabaseError as error:
            if not is_damage(error):
                raise
            self._set_aside()
            return work(self._ready())

    def _set_aside(self) -> None:
        """Unless another process has done so, and begun the new file that is there now."""
        self._let_go()
        if inode_at(self._path) == self._tried:
            kept = put_aside(self._path)
            self._note(
                f"{self._path.name} was damaged: it was set aside as {kept.name}, and a new one was started"
            )

    def _ready(self) -> StateFile:
        if self._file is not None and not self._file.is_still_at(self._path):
            self._let_go()
        if self._file is None:
            self._tried = files.private_file(self._path)
            self._file = StateFile.open(self._path)
        return self._file

    def close(self) -> None:
        """Close the file; a later use opens it again."""
        with self._using:
            self._let_go()

    def _let_go(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None


@contextmanager
def _as_os_errors() -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        raise OSError(str(error)) from error


class SqliteUsage:
    """Call counts of tools; the least used are forgotten beyond a number."""

    def __init__(self, file: SharedStateFile, older: Path | None = None) -> None:
        self._file, self._older = file, older

    def counts(self) -> dict[str, int]:
        """Calls by tool id."""
        if not self._file.exists and (self._older is None or not self._older.exists()):
            return {}
        taken = self._file.read(
            lambda connection: connection.execute("SELECT file FROM taken_over").fetchall()
        )
        if not taken and self._older is not None:
            self.add({})
        return dict(
            self._file.read(lambda connection: connection.execute("SELECT tool, calls FROM usage").fetchall())
        )

    def add(self, calls: Mapping[str, int]) -> None:
        """Add further calls; the first time also those of the file of an earlier version, which stays as it is."""

        def work(connection: sqlite3.Connection) -> None:
            if self._older is not None and not connection.execute("SELECT file FROM taken_over").fetchall():
                connection.execute("INSERT INTO taken_over VALUES (?)", (self._older.name,))
                _add(connection, _counts_in(self._older))
            _add(connection, calls)
            connection.execute(
                "DELETE FROM usage WHERE tool IN "
                "(SELECT tool FROM usage ORDER BY calls DESC, tool DESC LIMIT -1 OFFSET ?)",
                (limits.MAX_USAGE_ENTRIES,),
            )

        self._file.write(work)


def _add(connection: sqlite3.Connection, calls: Mapping[str, int]) -> None:
    connection.executemany(
        "INSERT INTO usage VALUES (?, ?) ON CONFLICT (tool) DO UPDATE SET calls = calls + excluded.calls",
        [(storable(tool), count) for tool, count in calls.items() if count > 0],
    )


def _counts_in(path: Path) -> dict[str, int]:
    """The counts in `usage.json`, format `toolbooth-usage` 1; nothing if it is missing or not readable as that."""
    try:
        with path.open("rb") as file:
            found = own_json.decode(file.read(limits.MAX_CACHE_FILE), dict)
    except (OSError, ValueError, RecursionError):
        return {}
    if (found.get("format"), found.get("version")) != ("toolbooth-usage", 1):
        return {}
    calls = found.get("calls")
    counts = calls.items() if isinstance(calls, dict) else ()
    return {str(tool): count for tool, count in counts if type(count) is int and 0 < count < 2**53}


class SqliteLimits:
    """Counters in windows, exact for all threads and processes that use the file."""

    def __init__(self, file: SharedStateFile) -> None:
        self._file = file

    def take(self, key: str, amount: int, most: int, window: float, now: float) -> LimitCheck:
        """Take an amount if no more than `most` is taken then."""
        name, began = _storable_key(key), math.floor(now / window) * window

        def work(connection: sqlite3.Connection) -> LimitCheck:
            found = connection.execute(
                "SELECT used FROM counters WHERE (key, length, began) = (?, ?, ?)", (name, window, began)
            ).fetchone()
            used = 0 if found is None else int(found[0])
            if used + amount > most:
                return LimitCheck(False, used, began + window)
            connection.execute(
                "INSERT OR REPLACE INTO counters VALUES (?, ?, ?, ?)", (name, window, began, used + amount)
            )
            if found is None:  # once in a window; another thread may still count in the window before
                connection.execute("DELETE FROM counters WHERE began + 2 * length <= ?", (now,))
            return LimitCheck(True, used + amount, began + window)

        return self._file.write(work)


def _storable_key(key: str) -> str:
    """Any key as a text that SQLite stores, with no two keys alike."""
    return key.encode("utf-8", "surrogatepass").hex()


class SqliteNews:
    """News, kept for an hour."""

    def __init__(self, file: SharedStateFile) -> None:
        self._file = file

    def publish(self, topic: str, payload: Mapping[str, object], now: float) -> None:
        """Tell all processes."""
        said = own_json.encode(dict(payload)).decode()
        if len(said) > limits.NEWS_PAYLOAD:
            raise ValueError(f"news of {len(said)} bytes; at most {limits.NEWS_PAYLOAD} are passed on")

        def work(connection: sqlite3.Connection) -> None:
            connection.execute("INSERT INTO news (topic, payload, at) VALUES (?, ?, ?)", (topic, said, now))
            connection.execute("DELETE FROM news WHERE at < ?", (now - limits.NEWS_AGE,))

        self._file.write(work)

    def position(self, at: float) -> int:
        """The cursor before the first item that was published at this moment or later."""
        if not self._file.exists:
            return 0
        query = (
            "SELECT coalesce((SELECT min(cursor) - 1 FROM news WHERE at >= ?), "
            "(SELECT seq FROM sqlite_sequence WHERE name = 'news'), 0)"
        )
        return int(self._file.read(lambda connection: connection.execute(query, (at,)).fetchone())[0])

    def since(self, cursor: int, topics: Collection[str]) -> NewsBatch:
        """The items of these topics after a cursor; what cannot be read is skipped."""
        if not self._file.exists:
            return NewsBatch([], cursor)
        marks = ", ".join(f"?{number}" for number in range(2, len(topics) + 2))
        last = "coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'news'), 0)"
        query = (  # a cursor beyond the last item is of another file, which somebody removed: all here is new
            f"SELECT cursor, topic, CAST(payload AS BLOB), at FROM news "  # noqa: S608
            f"WHERE cursor > iif(?1 > {last}, 0, ?1) AND topic IN ({marks}) ORDER BY cursor"
        )
        found = self._file.read(lambda connection: connection.execute(query, (cursor, *topics)).fetchall())
        items = [
            NewsItem(number, topic, said, at)
            for number, topic, payload, at in found
            if (said := _object_in(payload)) is not None
        ]
        return NewsBatch(items, found[-1][0] if found else cursor)


def _object_in(payload: bytes) -> dict[str, Any] | None:
    """None for what another program or version wrote there."""
    try:
        return own_json.decode(payload, dict)
    except (ValueError, RecursionError):
        return None


class StateStores:
    """The three stores of one file."""

    def __init__(self, path: Path, older_usage: Path | None, note: Callable[[str], None]) -> None:
        self._file = SharedStateFile(path, note)
        self.usage = SqliteUsage(self._file, older_usage)
        self.limits, self.news = SqliteLimits(self._file), SqliteNews(self._file)

    def close(self) -> None:
        """Close the file; a later use opens it again."""
        self._file.close()
