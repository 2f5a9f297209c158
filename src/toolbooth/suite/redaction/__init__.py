"""Redaction: runs of agents without the secrets in them."""

from toolbooth.suite.redaction.redactor import Redactor
from toolbooth.suite.trace import REDACTED

__all__ = ["REDACTED", "Redactor"]
