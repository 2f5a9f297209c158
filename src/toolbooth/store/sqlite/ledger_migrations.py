"""The migrations of `ledger.sqlite3`. A new column is a function at the end of the list."""

import sqlite3
from typing import Final

from toolbooth.store.rows import LOCAL_PRINCIPAL
from toolbooth.store.sqlite.migrations import Migration, Schema


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


def _principals(connection: sqlite3.Connection) -> None:
    """Who called. Rows of earlier versions, and those that an earlier Toolbooth still adds, are of the local user."""
    connection.execute("CREATE TABLE principals (number INTEGER PRIMARY KEY, principal TEXT NOT NULL UNIQUE)")
    connection.execute("INSERT INTO principals VALUES (0, ?)", (LOCAL_PRINCIPAL,))
    connection.execute("ALTER TABLE calls ADD COLUMN caller INTEGER NOT NULL DEFAULT 0")


_FIRST_CALLS: Final = frozenset({"at", "sort", "session", "tokens_before", "tokens_after"})
SCHEMA: Final = Schema(
    version=2,  # 0.1 wrote 1, and leaves a higher one alone
    migrations=(
        Migration("0001_calls_and_sorts", _calls_and_sorts, compatible=False),
        Migration("0002_kinds_of_code_and_menus", _kinds_of_code_and_menus, compatible=False),
        Migration("0003_principals", _principals, compatible=True),
    ),
    columns={
        "calls": _FIRST_CALLS | {"id", "us", "bytes_before", "bytes_after", "caller"},
        "sorts": frozenset(
            {"id", "server", "tool", "kind", "outcome", "estimated", "risk", "advisory", "steps"}
        ),
        "principals": frozenset({"number", "principal"}),
    },
    known_by={"calls": _FIRST_CALLS, "sorts": frozenset({"id"})},
)
