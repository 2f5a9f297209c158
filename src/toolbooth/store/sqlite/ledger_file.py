"""`ledger.sqlite3`: rows in a file that many processes share; owner-only, bounded in bytes and age, intact after
a kill.
"""

import sqlite3
from collections.abc import Iterable, Sequence
from contextlib import closing
from typing import Any, Final, NamedTuple

from toolbooth import limits
from toolbooth.store.rows import Row, RowFilter, digest_of, session_number, storable
from toolbooth.store.sqlite.ledger_migrations import SCHEMA
from toolbooth.store.sqlite.sqlite_file import SqliteFile

NAME: Final = "ledger.sqlite3"
_SHARE: Final = 10  # a tenth of all rows is deleted at once, so that this is rare
_SORT: Final = "server, tool, kind, outcome, estimated, risk, advisory, steps"
_CALL: Final = "at, session, us, bytes_before, bytes_after, tokens_before, tokens_after"
JOINED: Final = "calls JOIN sorts ON sorts.id = calls.sort"
_SAME_SORT: Final = f"SELECT id FROM sorts WHERE ({_SORT}) = (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)"  # noqa: S608 - ours
_ADD_SORT: Final = (  # no INSERT OR IGNORE: in a later version's file a sort may be unique by more columns
    f"INSERT INTO sorts ({_SORT}) SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8 WHERE NOT EXISTS ({_SAME_SORT})"
)
_ADD_PRINCIPAL: Final = (
    "INSERT INTO principals (principal) SELECT ?1 WHERE NOT EXISTS "
    "(SELECT number FROM principals WHERE principal = ?1)"
)
_ADD_CALL: Final = (
    f"INSERT INTO calls ({_CALL}, caller, sort) "  # noqa: S608
    "VALUES (?, ?, ?, ?, ?, ?, ?, (SELECT number FROM principals WHERE principal = ?), "
    f"(SELECT id FROM sorts WHERE ({_SORT}) = (?, ?, ?, ?, ?, ?, ?, ?)))"
)
_PAGES: Final = "(page_count - freelist_count) * page_size"
_SIZE: Final = f"SELECT {_PAGES} FROM pragma_page_count, pragma_freelist_count, pragma_page_size"  # noqa: S608


class Bounds(NamedTuple):
    """What a ledger may hold."""

    bytes: int = limits.MAX_LEDGER_BYTES
    age: float = limits.LEDGER_AGE


BOUNDS: Final = Bounds()


class LedgerFile(SqliteFile):
    """The rows in one file."""

    schema = SCHEMA

    def insert(self, rows: Sequence[Row]) -> None:
        """Commit these rows together."""
        with self.writing() as connection:
            connection.executemany(_ADD_SORT, dict.fromkeys(map(_sort, rows)))
            connection.executemany(_ADD_PRINCIPAL, dict.fromkeys((storable(row.principal),) for row in rows))
            connection.executemany(_ADD_CALL, map(_values, rows))

    def prune(self, now: float, bounds: Bounds = BOUNDS) -> None:
        """Delete the oldest rows: those past their age, and a tenth while there are too many bytes."""
        with self.writing() as connection:
            gone = connection.execute(
                "DELETE FROM calls WHERE id < coalesce((SELECT id FROM calls WHERE at >= ? ORDER BY id LIMIT 1), "
                "(SELECT max(id) + 1 FROM calls))",
                (now - bounds.age,),
            ).rowcount
            while _number(connection, _SIZE) > bounds.bytes:
                fewer = connection.execute(
                    f"DELETE FROM calls WHERE id <= (SELECT min(id) + (max(id) - min(id)) / {_SHARE} FROM calls)"  # noqa: S608
                ).rowcount
                gone += fewer
                if not fewer:
                    break
            if gone:
                connection.execute("DELETE FROM sorts WHERE id NOT IN (SELECT sort FROM calls)")
                connection.execute(
                    "DELETE FROM principals WHERE number <> 0 AND number NOT IN (SELECT caller FROM calls)"
                )

    def rows(self, row_filter: RowFilter) -> list[Row]:
        """The rows that match, the latest first."""
        where = condition(row_filter)
        most = "" if row_filter.limit is None else " LIMIT ?"
        query = f"{_ROWS} WHERE {where.sql} ORDER BY calls.id DESC{most}"
        bound = () if row_filter.limit is None else (row_filter.limit,)
        return _read_rows(self.connection, query, (*where.values, *bound))

    def all_rows(self) -> list[Row]:
        """Every row, the oldest first."""
        return _read_rows(self.connection, f"{_ROWS} ORDER BY calls.id", ())


class Condition(NamedTuple):
    """An SQL condition on rows of `calls`, and its values."""

    sql: str
    values: tuple[float | int | str, ...]


def condition(row_filter: RowFilter) -> Condition:
    """A filter as SQL. What rows have in common is looked up once, in the small tables."""
    parts: list[tuple[str, tuple[float | int | str, ...]]] = []
    if row_filter.since is not None:
        parts.append(("at >= ?", (row_filter.since,)))
    if row_filter.until is not None:
        parts.append(("at < ?", (row_filter.until,)))
    if row_filter.session is not None:
        parts.append(("session = ?", (session_number(row_filter.session),)))
    if row_filter.principal is not None:
        number = "(SELECT number FROM principals WHERE principal = ?)"
        parts.append((f"caller = {number}", (storable(row_filter.principal),)))
    sort = _sort_condition(row_filter)
    if sort.sql:
        parts.append((f"sort IN (SELECT id FROM sorts WHERE {sort.sql})", sort.values))  # noqa: S608 - ours
    return Condition(" AND ".join(sql for sql, _ in parts) or "1", sum((values for _, values in parts), ()))


def _sort_condition(row_filter: RowFilter) -> Condition:
    wanted = {
        "server": () if row_filter.server is None else (storable(row_filter.server),),
        "tool": () if row_filter.tool is None else (storable(row_filter.tool),),
        "kind": row_filter.kinds,
        "outcome": row_filter.outcomes,
    }
    wanted = {column: values for column, values in wanted.items() if values}
    parts = [f"{column} IN ({', '.join('?' * len(values))})" for column, values in wanted.items()]
    return Condition(" AND ".join(parts), sum(wanted.values(), ()))


def _number(connection: sqlite3.Connection, query: str) -> int:
    with closing(connection.execute(query)) as cursor:
        return int(cursor.fetchone()[0])


def _sort(row: Row) -> tuple[str | bool, ...]:
    """What many rows have in common is stored once: half the space, and sums in half the time."""
    return (
        storable(row.server),
        storable(row.tool),
        row.kind,
        row.outcome,
        row.estimated,
        row.risk or "",
        row.advisory or "",
        ",".join(row.steps),
    )


def _values(row: Row) -> tuple[object, ...]:
    sizes = (row.bytes_before, row.bytes_after, row.tokens_before, row.tokens_after)
    call = (row.at, session_number(row.session), quantised(row.ms), *sizes)
    return (*call, storable(row.principal), *_sort(row))


def quantised(ms: float) -> int:
    """Microseconds of three digits, as exact as the histograms, so that a million rows form few groups."""
    us = max(0, round(ms * 1000))
    step: int = 10 ** max(0, len(str(us)) - 3)
    return (us + step // 2) // step * step


_ROWS = f"SELECT {_CALL}, principal, {_SORT} FROM {JOINED} JOIN principals ON number = caller"  # noqa: S608 - ours


def _read_rows(connection: sqlite3.Connection, query: str, values: Iterable[Any]) -> list[Row]:
    with closing(connection.execute(query, tuple(values))) as cursor:
        return [_row(*values) for values in cursor]


def _row(at: float, session: int, us: int, *rest: Any) -> Row:
    *sizes, principal, server, tool, kind, outcome, estimated, risk, advisory, steps = rest
    names = tuple(steps.split(",")) if steps else ()
    about = (bool(estimated), risk or None, advisory or None, names, principal)
    return Row._make((at, server, tool, digest_of(session), kind, us / 1000, outcome, *sizes, *about))
