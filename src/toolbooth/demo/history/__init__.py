"""The demo server `history`: the commits of one repository in memory → tools to look back."""

from toolbooth.demo.history import browsing, comparing  # noqa: F401  # the tools register themselves
from toolbooth.demo.history.server import server

__all__ = ["server"]
