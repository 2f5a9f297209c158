"""The command `toolbooth profile`."""

from toolbooth.cli.profile.command import parser, run

__all__ = ["parser", "run"]
