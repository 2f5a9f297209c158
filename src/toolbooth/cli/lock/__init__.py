"""The command `toolbooth lock`."""

from toolbooth.cli.lock.command import parser, run

__all__ = ["parser", "run"]
