"""The demo server `database`: ferries, sailings and bookings in SQLite in memory → tools to query them."""

from toolbooth.demo.database import querying, tables  # noqa: F401  # the tools register themselves
from toolbooth.demo.database.server import server

__all__ = ["server"]
