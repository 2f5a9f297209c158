"""Catalog × lock → verdict."""

from toolbooth.contracts.budgets import Budgets, with_limits
from toolbooth.contracts.change import Change, Diff, Severity
from toolbooth.contracts.contract import Contracts, Economics, ServerContract, ToolContract
from toolbooth.contracts.digest import canonical_bytes, digest_of
from toolbooth.contracts.finding import Finding, Level

__all__ = [
    "Budgets",
    "Change",
    "Contracts",
    "Diff",
    "Economics",
    "Finding",
    "Level",
    "ServerContract",
    "Severity",
    "ToolContract",
    "canonical_bytes",
    "digest_of",
    "with_limits",
]
