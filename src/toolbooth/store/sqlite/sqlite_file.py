"""One SQLite file of ours: opened for its owner alone, migrated, written in transactions, and told apart from damage.

WAL, so that readers and a writer do not wait for each other, and a kill loses no commit.
"""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import ClassVar, Final, Self

from toolbooth import files, limits
from toolbooth.store.sqlite.migrations import (
    Schema,
    is_current,
    migrate,
    pending,
    refuse_foreign,
    refuse_later,
    refuse_other_columns,
)

_DAMAGE: Final = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
_COMPANIONS: Final = ("", "-wal", "-shm")


def is_damage(error: Exception) -> bool:
    """Whether the file is damaged, as opposed to busy or on a full disk."""
    code = getattr(error, "sqlite_errorcode", None)
    return code is not None and code & 0xFF in _DAMAGE


def inode_at(path: Path) -> int | None:
    """Which file is at this path now; None if there is none."""
    try:
        return path.stat().st_ino
    except OSError:
        return None


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


def remove(path: Path) -> None:
    """Delete the file and what belongs to it."""
    for suffix in _COMPANIONS:
        path.with_name(path.name + suffix).unlink(missing_ok=True)


class SqliteFile:
    """One connection, used by one thread at a time."""

    schema: ClassVar[Schema]
    pragmas: ClassVar[Sequence[str]] = ()  # of a file that is written, before its tables are made

    def __init__(self, connection: sqlite3.Connection, inode: int = 0) -> None:
        self.connection, self._inode = connection, inode

    @classmethod
    def in_memory(cls) -> Self:
        """A database that ends with its process."""
        file = cls(_connect(":memory:"))
        file._prepare()
        return file

    @classmethod
    def open(cls, path: Path) -> Self:
        """Open the file, or create it. Raises OSError (also NewerFormat and ForeignFile) or sqlite3.Error."""
        inode = files.private_file(path)  # SQLite gives its other files the mode of this one
        file = cls(_connect(str(path)), inode)
        try:
            refuse_later(file.connection, cls.schema)
            refuse_foreign(file.connection, cls.schema)
            for pragma in (*cls.pragmas, "journal_mode = WAL"):
                file.connection.execute(f"PRAGMA {pragma}").fetchall()
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
            refuse_later(file.connection, cls.schema)
            refuse_foreign(file.connection, cls.schema)
            if pending(file.connection, cls.schema):
                file = file._migrated_copy()
            refuse_other_columns(file.connection, cls.schema)
        except BaseException:
            file.close()
            raise
        return file

    def _migrated_copy(self) -> Self:
        copy = type(self)(_connect(":memory:"))
        with closing(self.connection):
            self.connection.backup(copy.connection)
        copy._prepare()
        return copy

    def _prepare(self) -> None:
        """Create the tables or bring them up to date, whichever process comes first."""
        if not is_current(self.connection, self.schema):
            with self.writing() as connection:
                migrate(connection, self.schema)
        refuse_later(self.connection, self.schema)
        refuse_other_columns(self.connection, self.schema)

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

    def is_still_at(self, path: Path) -> bool:
        """Whether this is the file that everybody else would open."""
        return inode_at(path) == self._inode

    def close(self) -> None:
        """Close the connection."""
        self.connection.close()


def _connect(target: str) -> sqlite3.Connection:
    return sqlite3.connect(
        target,
        timeout=limits.STORE_BUSY,
        isolation_level=None,
        check_same_thread=False,
        uri=target.startswith("file:"),
    )
