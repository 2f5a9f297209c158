"""Table names → what there is to query: columns, keys, sizes, whole tables."""

import csv
import io
import sqlite3
from typing import Any

from toolbooth.demo.database.server import server
from toolbooth.demo.schemas import gives, many, takes, text, whole
from toolbooth.demo.toolkit import READ, ToolError

_TABLE = text("Name of the table or view")
_NAMES = "SELECT name, type FROM sqlite_master WHERE type IN ('table', 'view') ORDER BY name"


def known(store: sqlite3.Connection, table: str) -> str:
    """The name, if there is such a table; it may then stand in a statement."""
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
    """Fat on purpose: there is no limit."""
    cursor = store.execute(f"SELECT * FROM {known(store, table)}")  # noqa: S608  # a known name
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([column[0] for column in cursor.description])
    writer.writerows(cursor)
    return out.getvalue()
