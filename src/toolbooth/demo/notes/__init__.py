"""The demo server `notes`: a team's notebook in memory → tools to read and keep it."""

from toolbooth.demo.notes import reading, writing  # noqa: F401  # the tools register themselves
from toolbooth.demo.notes.server import server

__all__ = ["server"]
