"""Runs of agents → the same runs without a secret in them."""

from toolbooth.suite.redacted import REDACTED
from toolbooth.suite.redaction.redactor import Redactor

__all__ = ["REDACTED", "Redactor"]
