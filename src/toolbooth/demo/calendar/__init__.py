"""The demo server `calendar`: a season of events in memory → tools to look up, plan and change them."""

from toolbooth.demo.calendar import lookup, planning  # noqa: F401  # the tools register themselves
from toolbooth.demo.calendar.server import server

__all__ = ["server"]
