"""`python -m toolbooth` is the command line."""

from toolbooth.cli.main import entry

entry()
