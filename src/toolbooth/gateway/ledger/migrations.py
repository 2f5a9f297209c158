"""Migrations of the ledger: a list of functions, and a table in the file of those that were applied.

A file of an earlier version is brought up to date in one transaction. A file of a later version is used as
long as its further migrations say that they are compatible; `ledger_file.py` also checks that it has the
known columns.
"""

import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from typing import Any, Final, NamedTuple

VERSION: Final = 2  # the `user_version`: 0.1 wrote 1, and leaves a higher one alone
TABLE: Final = "migrations"
_FIRST: Final = "0001_calls_and_sorts"  # files of 0.1 have this one without recording it


class Migration(NamedTuple):
    """`compatible`: an earlier Toolbooth that does not know it may continue to read and add rows."""

    name: str
    run: Callable[[sqlite3.Connection], None]
    compatible: bool


def _calls_and_sorts(connection: sqlite3.Connection) -> None:
    """The tables. What many rows have in common is stored once, in `sorts`."""
    connection.execute(
        """CREATE TABLE sorts (
        id INTEGER PRIMARY KEY, server TEXT NOT NULL, tool TEXT NOT NULL, kind TEXT NOT NULL, outcome TEXT NOT NULL,
        estimated INTEGER NOT NULL, risk TEXT NOT NULL, advisory TEXT NOT NULL, steps TEXT NOT NULL,
        UNIQUE (server, tool, kind, outcome, estimated, risk, advisory, steps))"""
    )
    connection.execute(
        """CREATE TABLE calls (
        id INTEGER PRIMARY KEY, at REAL NOT NULL, sort INTEGER NOT NULL, session INTEGER NOT NULL,
        us INTEGER NOT NULL, bytes_before INTEGER NOT NULL, bytes_after INTEGER NOT NULL,
        tokens_before INTEGER NOT NULL, tokens_after INTEGER NOT NULL)"""
    )


def _kinds_of_code_and_menus(connection: sqlite3.Connection) -> None:
    """0.1 wrote answers that only code read as calls whose client got nothing, and menus without what they
    replaced.

    No other call has an answer of which nothing was sent. What code returned is its own answer, before and
    after.
    """
    in_code = "bytes_after = 0 AND tokens_before > 0 AND sort IN (SELECT id FROM sorts WHERE kind = 'call')"
    others = "server, tool, outcome, estimated, risk, advisory, steps"
    connection.execute(
        f"INSERT INTO sorts (kind, {others}) SELECT 'code_call', {others} FROM sorts "  # noqa: S608 - no input
        f"WHERE id IN (SELECT DISTINCT sort FROM calls WHERE {in_code})"
    )
    connection.execute(
        "UPDATE calls SET sort = (SELECT new.id FROM sorts AS old JOIN sorts AS new USING "  # noqa: S608 - no input
        f"({others}) WHERE old.id = calls.sort AND new.kind = 'code_call') WHERE {in_code}"
    )
    connection.execute(
        "UPDATE calls SET bytes_before = bytes_after, tokens_before = tokens_after WHERE tokens_before = 0 "
        "AND sort IN (SELECT id FROM sorts WHERE kind = 'code' AND outcome = 'ok')"
    )
    connection.execute("UPDATE sorts SET kind = 'list' WHERE kind = 'menu'")


MIGRATIONS: Final = (
    Migration(_FIRST, _calls_and_sorts, compatible=False),
    Migration("0002_kinds_of_code_and_menus", _kinds_of_code_and_menus, compatible=False),
)


def pending(connection: sqlite3.Connection) -> list[Migration]:
    """Those that the file lacks; none if a later Toolbooth wrote it."""
    applied = _applied(connection)
    return [each for each in MIGRATIONS if each.name not in applied]


def is_newer_format(connection: sqlite3.Connection) -> bool:
    """Whether a later Toolbooth changed the meaning of rows, so that ours must not be added."""
    known = {each.name for each in MIGRATIONS}
    unknown = {name: compatible for name, compatible in _applied(connection).items() if name not in known}
    if not unknown:
        return _version(connection) > VERSION
    return not all(unknown.values())


def migrate(connection: sqlite3.Connection) -> None:
    """Apply what is pending, inside the caller's transaction."""
    lacking = pending(connection)
    if not lacking:
        return
    connection.execute(
        f"CREATE TABLE IF NOT EXISTS {TABLE} (name TEXT PRIMARY KEY, compatible INTEGER NOT NULL, at REAL NOT NULL)"
    )
    for each in MIGRATIONS:
        if each in lacking:
            each.run(connection)
        connection.execute(
            f"INSERT OR IGNORE INTO {TABLE} (name, compatible, at) VALUES (?, ?, ?)",  # noqa: S608
            (each.name, each.compatible, time.time()),
        )
    connection.execute(f"PRAGMA user_version = {VERSION}")


def _applied(connection: sqlite3.Connection) -> dict[str, bool]:
    tables = {name for (name,) in _rows(connection, "SELECT name FROM sqlite_master WHERE type = 'table'")}
    if TABLE in tables:
        return {
            str(name): bool(compatible)
            for name, compatible in _rows(connection, f"SELECT name, compatible FROM {TABLE}")  # noqa: S608
        }
    # A later one that lost its table, or never had one: nothing of ours applies
    if _version(connection) > VERSION:
        return {each.name: each.compatible for each in MIGRATIONS}
    return {_FIRST: False} if tables else {}


def _version(connection: sqlite3.Connection) -> int:
    return int(_rows(connection, "PRAGMA user_version")[0][0])


def _rows(connection: sqlite3.Connection, query: str) -> list[tuple[Any, ...]]:
    with closing(connection.execute(query)) as cursor:
        return cursor.fetchall()
