"""Catalog × lock → verdict."""

from toolbooth.catalog import given_secrets, wire_without
from toolbooth.contracts.accepting import accept, changed_things
from toolbooth.contracts.approval import Approvals, Mode, Standing, changed_parts
from toolbooth.contracts.budgets import Budgets, with_limits
from toolbooth.contracts.change import Change, Diff, Severity
from toolbooth.contracts.changed_findings import changed_findings, name_of, unaccepted
from toolbooth.contracts.contract import Contracts, Economics, ServerContract, ToolContract
from toolbooth.contracts.digest import canonical_bytes, digest_of
from toolbooth.contracts.finding import Finding, Level
from toolbooth.contracts.finding_rule import FindingRule, worst_first
from toolbooth.contracts.lock import Acceptance, Lock, Signature, own_digest, same_contracts

__all__ = [
    "Acceptance",
    "Approvals",
    "Budgets",
    "Change",
    "Contracts",
    "Diff",
    "Economics",
    "Finding",
    "FindingRule",
    "Level",
    "Lock",
    "Mode",
    "ServerContract",
    "Severity",
    "Signature",
    "Standing",
    "ToolContract",
    "accept",
    "canonical_bytes",
    "changed_findings",
    "changed_parts",
    "changed_things",
    "digest_of",
    "given_secrets",
    "name_of",
    "own_digest",
    "same_contracts",
    "unaccepted",
    "wire_without",
    "with_limits",
    "worst_first",
]
