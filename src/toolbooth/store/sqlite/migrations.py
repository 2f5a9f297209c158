"""Migrations of our SQLite files: a numbered list of functions, and a table in the file of those that were applied.

A file of an earlier version is brought up to date in one transaction, and loses nothing. A file of a later version is
used as long as its further migrations say that they are compatible, and it has all columns that we know and no other
one that must be filled in. Any other later file is refused and left unchanged.
"""

import sqlite3
import time
from collections.abc import Callable, Mapping
from contextlib import closing
from typing import Any, Final, NamedTuple

TABLE: Final = "migrations"


class NewerFormat(OSError):
    """A later Toolbooth wrote the file in a format that we do not know; it is left unchanged."""

    def __init__(self) -> None:
        super().__init__("it was written by a later Toolbooth and is left unchanged")


class ForeignFile(OSError):
    """The file is a database of something else and is left unchanged."""

    def __init__(self) -> None:
        super().__init__("it is a database of something else and is left unchanged")


class Migration(NamedTuple):
    """`compatible`: an earlier Toolbooth that does not know it may continue to read and write the file."""

    name: str
    run: Callable[[sqlite3.Connection], None]
    compatible: bool


class Schema(NamedTuple):
    """One kind of file. `version` is its `user_version`, by which a Toolbooth before the table knew it.

    `columns` are those that we read and write, by table. `known_by` are columns of the first version: a file
    without a table of migrations that has them is one of ours.
    """

    version: int
    migrations: tuple[Migration, ...]
    columns: Mapping[str, frozenset[str]]
    known_by: Mapping[str, frozenset[str]]


def pending(connection: sqlite3.Connection, schema: Schema) -> list[Migration]:
    """Those that the file lacks; none if a later Toolbooth wrote it."""
    applied = _applied(connection, schema)
    return [each for each in schema.migrations if each.name not in applied]


def is_current(connection: sqlite3.Connection, schema: Schema) -> bool:
    """Whether nothing is pending, and that is recorded."""
    return TABLE in _tables(connection) and not pending(connection, schema)


def migrate(connection: sqlite3.Connection, schema: Schema) -> None:
    """Apply what is pending, and record it, inside the caller's transaction; raises ForeignFile."""
    refuse_foreign(connection, schema)
    lacking = pending(connection, schema)
    connection.execute(
        f"CREATE TABLE IF NOT EXISTS {TABLE} (name TEXT PRIMARY KEY, compatible INTEGER NOT NULL, at REAL NOT NULL)"
    )
    for each in schema.migrations:
        if each in lacking:
            each.run(connection)
        connection.execute(
            f"INSERT OR IGNORE INTO {TABLE} (name, compatible, at) VALUES (?, ?, ?)",  # noqa: S608
            (each.name, each.compatible, time.time()),
        )
    connection.execute(f"PRAGMA user_version = {schema.version}")


def refuse_later(connection: sqlite3.Connection, schema: Schema) -> None:
    """Raises NewerFormat if a later Toolbooth changed the meaning of the file, so that it must not be written."""
    known = {each.name for each in schema.migrations}
    applied = _applied(connection, schema)
    unknown = [compatible for name, compatible in applied.items() if name not in known]
    if not all(unknown) or (not unknown and _version(connection) > schema.version):
        raise NewerFormat


def refuse_other_columns(connection: sqlite3.Connection, schema: Schema) -> None:
    """Raises NewerFormat unless every known column exists, and no other one has to be filled in."""
    for table, columns in schema.columns.items():
        if not columns <= _columns(connection, table):
            raise NewerFormat
        if _columns(connection, table, '"notnull" AND dflt_value IS NULL AND NOT pk') - columns:
            raise NewerFormat


def refuse_foreign(connection: sqlite3.Connection, schema: Schema) -> None:
    """Raises ForeignFile. A database that has tables, and not ours, is neither changed nor moved."""
    tables = _tables(connection)
    ours = all(_columns(connection, table) >= columns for table, columns in schema.known_by.items())
    if tables and TABLE not in tables and not ours:
        raise ForeignFile


def _applied(connection: sqlite3.Connection, schema: Schema) -> dict[str, bool]:
    tables = _tables(connection)
    if TABLE in tables:
        return {
            str(name): bool(compatible)
            for name, compatible in _rows(connection, f"SELECT name, compatible FROM {TABLE}")  # noqa: S608
        }
    # A later one that lost its table, or never had one: nothing of ours applies
    if _version(connection) > schema.version:
        return {each.name: each.compatible for each in schema.migrations}
    first = schema.migrations[0]  # the first version had it without recording it
    return {first.name: first.compatible} if tables else {}


def _tables(connection: sqlite3.Connection) -> set[str]:
    return {name for (name,) in _rows(connection, "SELECT name FROM sqlite_master WHERE type = 'table'")}


def _version(connection: sqlite3.Connection) -> int:
    return int(_rows(connection, "PRAGMA user_version")[0][0])


def _columns(connection: sqlite3.Connection, table: str, where: str = "1") -> set[str]:
    query = f"SELECT name FROM pragma_table_info('{table}') WHERE {where}"  # noqa: S608 - no input
    return {name for (name,) in _rows(connection, query)}


def _rows(connection: sqlite3.Connection, query: str) -> list[tuple[Any, ...]]:
    with closing(connection.execute(query)) as cursor:
        return cursor.fetchall()
