"""SQL text → rows, a plan, or the reason why not."""

import math
import sqlite3
from typing import Any

from toolbooth.demo.database.server import server
from toolbooth.demo.schemas import choice, many, takes, text, whole
from toolbooth.demo.toolkit import READ, ToolError

_STEPS = 20_000_000  # a join of all bookings with all sailings is stopped after about a second
_STEPS_BETWEEN_LOOKS = 100_000
_ROWS = 5_000


def _fetch(store: sqlite3.Connection, sql: str, values: list[Any], limit: int) -> list[dict[str, Any]]:
    looks = iter(range(_STEPS // _STEPS_BETWEEN_LOOKS))
    store.set_progress_handler(lambda: next(looks, None) is None, _STEPS_BETWEEN_LOOKS)
    try:
        cursor = store.execute(sql, values)
        if cursor.description is None:
            raise ToolError("The statement returns no rows; only SELECT is allowed here")
        return [{key: _plain(row[key]) for key in row.keys()} for row in cursor.fetchmany(limit)]  # noqa: SIM118
    except (sqlite3.Error, sqlite3.Warning, OverflowError) as error:
        raise ToolError(_reason(error)) from error
    finally:
        store.set_progress_handler(None, 0)


def _plain(value: Any) -> Any:
    if isinstance(value, bytes):
        return value.hex()
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value


def _reason(error: Exception) -> str:
    text = str(error).rstrip(".")
    if text in ("not authorized", "authorization denied") or "prohibited" in text:
        return "This database is read-only: only SELECT statements are allowed"
    if text == "interrupted":
        return "The query took too long and was stopped; add a LIMIT or a condition"
    return f"SQL error: {text}. Use list_tables and describe_table to check the names."


@server.tool(
    "Run a read-only SQL query against the booking database and return the rows. The dialect is SQLite. "
    "Only a single SELECT statement (with or without WITH) is accepted per call; INSERT, UPDATE, DELETE, "
    "CREATE, DROP, ALTER, ATTACH, PRAGMA and transactions are refused. Text must be quoted with single "
    "quotes, identifiers with double quotes. Times are stored as text in ISO 8601 and compare correctly as "
    "text, so use departs >= '2026-03-01' for everything since the first of March, and substr(departs, 1, "
    "7) for the month. Amounts are stored as whole cents: divide by 100.0 to print euros. A cancelled "
    "sailing keeps its bookings, so join sailings and test the status if you sum up money. Use parameters "
    "(question marks in the statement, values in params) for everything that comes from a user. Without "
    "LIMIT the query returns all rows up to five thousand, which may be far more than you want to read: "
    "always add LIMIT unless you aggregate. Queries that run for too long are stopped. Formats: json "
    "returns a list of objects, table returns a text table for people. Examples: SELECT name, seats FROM "
    "ferries ORDER BY seats DESC LIMIT 3; SELECT status, count(*) FROM sailings GROUP BY status.",
    takes(
        "sql",
        sql=text("One SELECT statement", minLength=1),
        params=many({}, "Values for the question marks", default=[]),
        format=choice("", "json", "table", default="json"),
    ),
    hints=READ,
)
def run_query(
    store: sqlite3.Connection, sql: str, params: list[Any] | None = None, format: str = "json"
) -> str | dict[str, Any]:
    """Fat whenever the query is."""
    rows = _fetch(store, sql, params or [], _ROWS)
    return {"row_count": len(rows), "rows": rows} if format == "json" else _table(rows)


def _table(rows: list[dict[str, Any]]) -> str:
    if not rows:
        return "(no rows)"
    lines = [list(rows[0]), *([str(value) for value in row.values()] for row in rows)]
    widths = [max(len(cell) for cell in column) for column in zip(*lines, strict=True)]
    return "\n".join(
        " | ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
        for line in lines
    )


@server.tool(
    "Explain how SQLite would run a query, without running it.",
    takes("sql", sql=text("One SELECT statement", minLength=1)),
    hints=READ,
)
def explain_query(store: sqlite3.Connection, sql: str) -> str:
    """One line for each step of the plan."""
    return "\n".join(row["detail"] for row in _fetch(store, f"EXPLAIN QUERY PLAN {sql}", [], 200))


@server.tool(
    "Show the first rows of a query, at most 100: a cheap way to look at data before a real query.",
    takes(
        "sql",
        sql=text("One SELECT statement", minLength=1),
        limit=whole("How many rows", default=10, minimum=1, maximum=100),
    ),
    hints=READ,
)
def preview_query(store: sqlite3.Connection, sql: str, limit: int = 10) -> dict[str, Any]:
    """The near-duplicate of run_query that has a ceiling."""
    return {"rows": _fetch(store, sql, [], limit)}
