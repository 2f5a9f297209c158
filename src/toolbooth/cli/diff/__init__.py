"""The command `toolbooth diff`."""

from toolbooth.cli.diff.command import parser, run

__all__ = ["parser", "run"]
