"""The command `toolbooth scripts`."""

from toolbooth.cli.scripts.command import parser, run

__all__ = ["parser", "run"]
