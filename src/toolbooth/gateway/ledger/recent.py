"""A ledger → its rows, the latest first or all in their order."""

import sqlite3
from collections.abc import Iterable
from contextlib import closing
from typing import Any

from toolbooth.gateway.ledger.chosen import Chosen
from toolbooth.gateway.ledger.file import COLUMNS, JOINED
from toolbooth.gateway.ledger.row import Row, digest_of

_ROWS = f"SELECT {COLUMNS} FROM {JOINED}"  # noqa: S608 - no input


def recent_rows(
    connection: sqlite3.Connection, most: int, since: float | None = None, session: str | None = None
) -> list[Row]:
    """The latest rows, since a moment and of one session (its digest) where asked for."""
    chosen = Chosen.of(since, session)
    query = f"{_ROWS} WHERE {chosen.where} ORDER BY calls.id DESC LIMIT ?"
    return _read(connection, query, (*chosen.values, most))


def all_rows(connection: sqlite3.Connection) -> list[Row]:
    """Every row, the oldest first."""
    return _read(connection, f"{_ROWS} ORDER BY calls.id", ())


def _read(connection: sqlite3.Connection, query: str, values: Iterable[Any]) -> list[Row]:
    with closing(connection.execute(query, tuple(values))) as cursor:
        return [_row(*values) for values in cursor]


def _row(at: float, session: int, us: int, *rest: Any) -> Row:
    *sizes, server, tool, kind, outcome, estimated, risk, advisory, steps = rest
    told = tuple(steps.split(",")) if steps else ()
    about = (bool(estimated), risk or None, advisory or None, told)
    return Row._make((at, server, tool, digest_of(session), kind, us / 1000, outcome, *sizes, *about))
