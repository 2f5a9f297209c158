"""The command `toolbooth stats`."""

from toolbooth.cli.stats.command import parser, run

__all__ = ["parser", "run"]
