"""The demo server `tickets`: an issue tracker in memory → tools to find, file and move tickets."""

from toolbooth.demo.tickets import finding, moving  # noqa: F401  # the tools register themselves
from toolbooth.demo.tickets.server import server

__all__ = ["server"]
