"""The command `toolbooth bench`."""

from toolbooth.cli.bench.command import parser, run

__all__ = ["parser", "run"]
