"""The command `toolbooth wrap`."""

from toolbooth.cli.wrap.command import parser, run

__all__ = ["parser", "run"]
