"""Contracts of tools: what servers offer under digests, and how it differs from a lock."""

from toolbooth.lazy import exports

TYPE_CHECKING = False  # as in `typing`, which takes too long to import

if TYPE_CHECKING:
    from toolbooth.contracts.acceptance import (
        accept as accept,
        changed_findings as changed_findings,
        changed_things as changed_things,
        name_of as name_of,
        unaccepted as unaccepted,
    )
    from toolbooth.contracts.approval import (
        Approvals as Approvals,
        ApprovalState as ApprovalState,
        Mode as Mode,
        changed_parts as changed_parts,
    )
    from toolbooth.contracts.budgets import Budgets as Budgets, with_limits as with_limits
    from toolbooth.contracts.change import Change as Change, Diff as Diff, Severity as Severity
    from toolbooth.contracts.contract import (
        Contracts as Contracts,
        Economics as Economics,
        ServerContract as ServerContract,
        ToolContract as ToolContract,
    )
    from toolbooth.contracts.digest import canonical_bytes as canonical_bytes, digest_of as digest_of
    from toolbooth.contracts.finding import (
        Finding as Finding,
        FindingRule as FindingRule,
        Level as Level,
        worst_first as worst_first,
    )
    from toolbooth.contracts.gather import (
        contracts_of as contracts_of,
        gather_contracts as gather_contracts,
        left_out_of as left_out_of,
    )
    from toolbooth.contracts.lock import Acceptance as Acceptance, Lock as Lock, Signature as Signature
    from toolbooth.contracts.signing import (
        fingerprint as fingerprint,
        new_key as new_key,
        private_key as private_key,
        public_key as public_key,
        signed as signed,
        verify as verify,
    )
    from toolbooth.contracts.toolbooth_lock import read_lock as read_lock, write_lock as write_lock
else:
    __getattr__, __dir__, __all__ = exports(
        __name__,
        {
            "acceptance": "accept changed_findings changed_things name_of unaccepted",
            "approval": "ApprovalState Approvals Mode changed_parts",
            "budgets": "Budgets with_limits",
            "change": "Change Diff Severity",
            "contract": "Contracts Economics ServerContract ToolContract",
            "digest": "canonical_bytes digest_of",
            "finding": "Finding FindingRule Level worst_first",
            "gather": "contracts_of gather_contracts left_out_of",
            "lock": "Acceptance Lock Signature",
            "signing": "fingerprint new_key private_key public_key signed verify",
            "toolbooth_lock": "read_lock write_lock",
        },
    )
