"""The demo server `database`: ferries, sailings and bookings in SQLite in memory, and tools to query them.

The database answers queries and refuses everything else.
"""

import csv
import io
import math
import random
import sqlite3
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

from toolbooth.demo.schemas import choice, gives, many, takes, text, whole
from toolbooth.demo.toolkit import READ, DemoServer, ToolError
from toolbooth.demo.world import HARBOURS, NOW, dice, stamp

Row = tuple[Any, ...]

_SCHEMA = """
CREATE TABLE harbours (code TEXT PRIMARY KEY, name TEXT NOT NULL, latitude REAL, longitude REAL);
CREATE TABLE ferries (id INTEGER PRIMARY KEY, name TEXT UNIQUE, seats INTEGER, car_spaces INTEGER,
  built INTEGER);
CREATE TABLE routes (id INTEGER PRIMARY KEY, origin TEXT REFERENCES harbours,
  destination TEXT REFERENCES harbours, minutes INTEGER, price_cents INTEGER);
CREATE TABLE sailings (id INTEGER PRIMARY KEY, route_id INTEGER REFERENCES routes,
  ferry_id INTEGER REFERENCES ferries, departs TEXT NOT NULL,
  status TEXT CHECK (status IN ('planned', 'sailed', 'cancelled')));
CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT, email TEXT UNIQUE, home TEXT, since TEXT);
CREATE TABLE bookings (id INTEGER PRIMARY KEY, sailing_id INTEGER REFERENCES sailings,
  customer_id INTEGER REFERENCES customers, seats INTEGER, vehicle TEXT, amount_cents INTEGER, booked TEXT);
CREATE INDEX bookings_by_sailing ON bookings (sailing_id);
CREATE VIEW revenue_by_month AS SELECT substr(s.departs, 1, 7) AS month, count(*) AS bookings,
  sum(b.amount_cents) AS cents FROM bookings b JOIN sailings s ON s.id = b.sailing_id GROUP BY month;
"""
_FERRIES = "Kittiwake Sandpiper Guillemot Turnstone Cormorant Fulmar Razorbill Shearwater Dunlin Gannet"
_FIRST = (
    "Anke Birk Carla Dirk Elin Finn Gesa Hauke Ida Jorn Klara Lasse Malin Nora Ole Piet Runa Sven Tove Uwe"
)
_LAST = (
    "Albers Boysen Carstens Detlef Ehlers Friis Gerdes Hansen Ibsen Jessen Kruse Lorenz Matzen Nissen Olsen"
)
_VEHICLES = (None, None, None, "bicycle", "car", "car", "caravan")

_ALLOWED = {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_RECURSIVE}


def open_store() -> sqlite3.Connection:
    """The database as every run finds it, closed for writing."""
    store = sqlite3.connect(":memory:")
    store.row_factory = sqlite3.Row
    store.executescript(_SCHEMA)
    for table, rows in _rows(dice("database")):
        kept = list(rows)
        marks = ", ".join("?" * len(kept[0]))
        store.executemany(f"INSERT INTO {table} VALUES ({marks})", kept)  # noqa: S608  # our own table names
    store.commit()
    store.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, 1_000_000)  # no answer holds a value longer than that
    store.set_authorizer(_only_reading)
    return store


def _only_reading(action: int, first: str | None, *_: str | None) -> int:
    harmless_pragma = action == sqlite3.SQLITE_PRAGMA and first in (
        "table_info",
        "foreign_key_list",
        "index_list",
    )
    return sqlite3.SQLITE_OK if action in _ALLOWED or harmless_pragma else sqlite3.SQLITE_DENY


def _rows(dice: random.Random) -> Iterator[tuple[str, Iterator[Row]]]:
    yield "harbours", (tuple(harbour) for harbour in HARBOURS)
    yield "ferries", _ferries(dice)
    routes = list(_routes(dice))
    yield "routes", iter(routes)
    sailings = list(_sailings(dice, len(routes)))
    yield "sailings", iter(sailings)
    yield "customers", _customers(dice)
    yield "bookings", _bookings(dice, routes, sailings)


def _ferries(dice: random.Random) -> Iterator[Row]:
    for number, name in enumerate(_FERRIES.split(), 1):
        yield number, name, 20 * dice.randrange(4, 20), dice.randrange(0, 60), dice.randrange(1984, 2024)


def _routes(dice: random.Random) -> Iterator[Row]:
    codes = [harbour.code for harbour in HARBOURS]
    pairs = [(a, b) for index, a in enumerate(codes) for b in codes[index + 1 : index + 3]]
    for number, (origin, destination) in enumerate(pairs, 1):
        yield number, origin, destination, 5 * dice.randrange(4, 25), 50 * dice.randrange(12, 70)


def _sailings(dice: random.Random, routes: int) -> Iterator[Row]:
    for number in range(1, 1201):
        departs = NOW - timedelta(days=100) + timedelta(minutes=130 * number)
        past = "cancelled" if dice.random() < 0.06 else "sailed"
        status = past if departs < NOW else "planned"
        yield number, dice.randrange(1, routes + 1), dice.randrange(1, 11), stamp(departs), status


def _customers(dice: random.Random) -> Iterator[Row]:
    names = [f"{first} {last}" for first in _FIRST.split() for last in _LAST.split()]
    for number, name in enumerate(names, 1):
        email = f"{name.lower().replace(' ', '.')}@mail.example"
        since = NOW - timedelta(days=dice.randrange(10, 2500))
        yield number, name, email, dice.choice(HARBOURS).name, f"{since:%Y-%m-%d}"


def _bookings(dice: random.Random, routes: list[Row], sailings: list[Row]) -> Iterator[Row]:
    for number in range(1, 3001):
        sailing = sailings[dice.randrange(len(sailings))]
        seats, vehicle = dice.randrange(1, 6), dice.choice(_VEHICLES)
        extra = {"bicycle": 600, "car": 4100, "caravan": 6750}.get(vehicle or "", 0)
        amount = seats * routes[sailing[1] - 1][4] + extra
        booked = NOW - timedelta(minutes=dice.randrange(200_000, 400_000))
        yield number + 20_000, sailing[0], dice.randrange(1, 301), seats, vehicle, amount, stamp(booked)


server = DemoServer(
    name="database",
    title="Demo database",
    instructions=(
        "Read-only SQL on the booking database of Larkfield Ferries (SQLite). Amounts are in cents, times "
        "are "
        "UTC. Look at list_tables and describe_table before you write a query, and use LIMIT."
    ),
    seed=open_store,
)


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
    """The answer is as large as the query asks."""
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
    """Similar to run_query, but with a limit."""
    return {"rows": _fetch(store, sql, [], limit)}


_TABLE = text("Name of the table or view")
_NAMES = "SELECT name, type FROM sqlite_master WHERE type IN ('table', 'view') ORDER BY name"


def known(store: sqlite3.Connection, table: str) -> str:
    """The name, if there is such a table; then it is safe in a statement."""
    names = [row["name"] for row in store.execute(_NAMES)]
    if table not in names:
        raise ToolError(f"There is no table {table!r}. Tables: {', '.join(names)}")
    return table


@server.tool(
    "List tables and views with their number of rows.",
    outputs=gives(
        "tables", tables=many(gives("name", "type", "rows", name=text(), type=text(), rows=whole()))
    ),
    hints=READ,
)
def list_tables(store: sqlite3.Connection) -> dict[str, Any]:
    """Seven rows."""
    return {"tables": [dict(row) | {"rows": _size(store, row["name"])} for row in store.execute(_NAMES)]}


def _size(store: sqlite3.Connection, table: str) -> int:
    return int(store.execute(f"SELECT count(*) FROM {table}").fetchone()[0])  # noqa: S608  # a known name


@server.tool(
    "Describe a table: columns, types, keys and the statement that created it.",
    takes("table", table=_TABLE),
    hints=READ,
)
def describe_table(store: sqlite3.Connection, table: str) -> dict[str, Any]:
    """As SQLite sees it."""
    name = known(store, table)
    columns = [dict(row) for row in store.execute(f"PRAGMA table_info({name})")]
    keys = [dict(row) for row in store.execute(f"PRAGMA foreign_key_list({name})")]
    ddl = store.execute("SELECT sql FROM sqlite_master WHERE name = ?", (name,)).fetchone()[0]
    return {"table": name, "columns": columns, "foreign_keys": keys, "ddl": ddl}


@server.tool(
    "Get statistics of each column of a table: number of distinct values, of empty values, smallest and "
    "largest.",
    takes("table", table=_TABLE),
    hints=READ,
)
def get_table_statistics(store: sqlite3.Connection, table: str) -> dict[str, Any]:
    """One row for each column."""
    name = known(store, table)
    columns = [row["name"] for row in store.execute(f"PRAGMA table_info({name})")]
    rows = [{"column": column} | _facts(store, name, column) for column in columns]
    return {"table": name, "rows": _size(store, name), "columns": rows}


def _facts(store: sqlite3.Connection, table: str, column: str) -> dict[str, Any]:
    counts = f"count(DISTINCT {column}) AS distinct_values, sum({column} IS NULL) AS nulls"
    bounds = f"min({column}) AS least, max({column}) AS most"
    return dict(store.execute(f"SELECT {counts}, {bounds} FROM {table}").fetchone())  # noqa: S608  # known names


@server.tool(
    "Export a whole table as CSV.",
    takes("table", table=_TABLE),
    hints=READ,
)
def export_table(store: sqlite3.Connection, table: str) -> str:
    """Large on purpose: there is no limit."""
    cursor = store.execute(f"SELECT * FROM {known(store, table)}")  # noqa: S608  # a known name
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([column[0] for column in cursor.description])
    writer.writerows(cursor)
    return out.getvalue()
