"""The command `toolbooth demo`."""

from toolbooth.cli.demo.command import parser, run

__all__ = ["parser", "run"]
