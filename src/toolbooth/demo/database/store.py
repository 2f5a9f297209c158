"""A seed → an SQLite database in memory that answers queries and refuses everything else."""

import random
import sqlite3
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

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
