"""Runs of agents → the same runs without a secret in them."""

from toolbooth.suite.redaction.redactor import REDACTED, Redactor

__all__ = ["REDACTED", "Redactor"]
