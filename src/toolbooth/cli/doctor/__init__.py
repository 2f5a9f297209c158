"""The command `toolbooth doctor`."""

from toolbooth.cli.doctor.command import parser, run

__all__ = ["parser", "run"]
