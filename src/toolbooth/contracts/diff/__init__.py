"""Contracts × contracts → what changed, by a table of rules."""

from toolbooth.contracts.diff.contracts import diff_contracts
from toolbooth.contracts.diff.costs import tokens_of
from toolbooth.contracts.diff.rules import RULES, Rule

__all__ = ["RULES", "Rule", "diff_contracts", "tokens_of"]
