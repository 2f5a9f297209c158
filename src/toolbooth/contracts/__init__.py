"""Contracts of tools: what servers offer under digests, and how it differs from a lock."""

from toolbooth.catalog import given_secrets, redact_wire
from toolbooth.contracts.acceptance import accept, changed_findings, changed_things, name_of, unaccepted
from toolbooth.contracts.approval import Approvals, ApprovalState, Mode, changed_parts
from toolbooth.contracts.budgets import Budgets, with_limits
from toolbooth.contracts.change import Change, Diff, Severity
from toolbooth.contracts.contract import Contracts, Economics, ServerContract, ToolContract
from toolbooth.contracts.digest import canonical_bytes, digest_of
from toolbooth.contracts.finding import Finding, FindingRule, Level, worst_first
from toolbooth.contracts.lock import Acceptance, Lock, Signature, server_text_digest

__all__ = [
    "Acceptance",
    "ApprovalState",
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
    "ToolContract",
    "accept",
    "canonical_bytes",
    "changed_findings",
    "changed_parts",
    "changed_things",
    "digest_of",
    "given_secrets",
    "name_of",
    "redact_wire",
    "server_text_digest",
    "unaccepted",
    "with_limits",
    "worst_first",
]
