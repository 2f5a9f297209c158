"""Orders and goods as CSV, as a report in columns, and as the tables of a SQLite file."""

import csv
import io
import sqlite3
from collections.abc import Iterable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from .goods import orders, products

_COLUMNS = ("id", "placed", "customer", "email", "city", "country", "status", "carrier", "total")


def orders_csv() -> str:
    """All orders, one a line."""
    return _csv(_COLUMNS, ([each[name] for name in _COLUMNS] for each in orders()))


def items_csv() -> str:
    """What was bought in the first half of them, with quotes and commas inside a column."""
    names = {each["sku"]: each["description"] for each in products()}
    rows = (
        [each["id"], item["sku"], item["quantity"], item["price"], names[item["sku"]]]
        for each in orders()[:600]
        for item in each["items"]
    )
    return _csv(("order", "sku", "quantity", "price", "description"), rows)


def _csv(head: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(head)
    writer.writerows(rows)
    return out.getvalue()


def stock_report() -> str:
    """A report as old programs print it: fixed columns, a total below."""
    lines = ["STOCK REPORT                                      Harrow and Finch", "=" * 78]
    lines.append(f"{'SKU':10}{'NAME':28}{'SHELF':10}{'PRICE':>10}{'STOCK':>8}{'VALUE':>12}")
    for each in products():
        value = each["price"] * each["stock"]
        lines.append(
            f"{each['sku']:10}{each['name']:28}{each['shelf']:10}{each['price']:10.2f}{each['stock']:8}{value:12.2f}"
        )
    total = sum(each["price"] * each["stock"] for each in products())
    return "\n".join([*lines, "-" * 78, f"{'TOTAL':58}{total:20.2f}"]) + "\n"


def write_database(path: Path) -> None:
    """Goods and orders as tables."""
    with closing(sqlite3.connect(path)) as database, database:
        database.execute(
            "CREATE TABLE goods (sku TEXT PRIMARY KEY, name TEXT, shelf TEXT, price REAL, stock INTEGER, "
            "description TEXT)"
        )
        database.execute(
            "CREATE TABLE orders (id TEXT PRIMARY KEY, placed TEXT, customer TEXT, city TEXT, status TEXT, total REAL)"
        )
        goods = ("sku", "name", "shelf", "price", "stock", "description")
        sold = ("id", "placed", "customer", "city", "status", "total")
        database.executemany(
            "INSERT INTO goods VALUES (?,?,?,?,?,?)", ([each[key] for key in goods] for each in products())
        )
        database.executemany(
            "INSERT INTO orders VALUES (?,?,?,?,?,?)", ([each[key] for key in sold] for each in orders())
        )
