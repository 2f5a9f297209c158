"""The changes between two contracts, by a table of rules."""

from toolbooth.contracts.diff.contracts import diff_contracts, tokens_of
from toolbooth.contracts.diff.rules import RULES, ChangeRule

__all__ = ["RULES", "ChangeRule", "diff_contracts", "tokens_of"]
