"""The demo server `files`: a project's file tree in memory → tools to look at it and change it."""

from toolbooth.demo.files import changing, looking  # noqa: F401  # the tools register themselves
from toolbooth.demo.files.server import server

__all__ = ["server"]
