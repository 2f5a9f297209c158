"""The command `toolbooth score`."""

from toolbooth.cli.score.command import parser, run

__all__ = ["parser", "run"]
