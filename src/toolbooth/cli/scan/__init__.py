"""The command `toolbooth scan`."""

from toolbooth.cli.scan.command import parser, run

__all__ = ["parser", "run"]
