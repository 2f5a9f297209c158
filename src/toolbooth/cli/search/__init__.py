"""The command `toolbooth search`."""

from toolbooth.cli.search.command import parser, run

__all__ = ["parser", "run"]
