"""What was agreed: contracts, budgets, the reasons for which changes were accepted, and who signed it."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from toolbooth.contracts.budgets import Budgets
from toolbooth.contracts.contract import Contracts, ServerContract
from toolbooth.contracts.digest import digest_of
from toolbooth.contracts.finding import Finding, Level


@dataclass(frozen=True)
class Acceptance:
    """Why a change was taken in. `what` is `server.tool` or a server, `digest` what it was then; empty if removed.

    `at` is when (UTC), `by` who, `findings` what of the scan was accepted with it; version 1 of the file has none.
    """

    what: str
    digest: str
    reason: str
    at: str = ""
    by: str = ""
    findings: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """For the lock; what is not known is left out."""
        said = {"what": self.what, "digest": self.digest, "reason": self.reason}
        more = {"at": self.at, "by": self.by, "findings": list(self.findings)}
        return {**said, **{key: value for key, value in more.items() if value}}

    def __str__(self) -> str:
        when = f" on {self.at[:10]}" if self.at else ""
        who = f" by {self.by}" if self.by else ""
        return f"{self.what} was accepted{when}{who}: {self.reason}"


@dataclass(frozen=True)
class Signature:
    """`key` is the signer's public key, `value` the signature over the lock's digest; both in base64."""

    key: str
    value: str
    algorithm: str = "ed25519"

    def as_json(self) -> dict[str, Any]:
        """For the lock."""
        return {"algorithm": self.algorithm, "key": self.key, "value": self.value}


@dataclass(frozen=True)
class Lock:
    """The content of a `toolbooth.lock`."""

    contracts: Contracts
    budgets: Budgets = field(default_factory=Budgets)
    accepted: tuple[Acceptance, ...] = ()
    signature: Signature | None = None

    @property
    def version(self) -> int:
        """Of the format that it needs: an older lock stays as it is, signature and all, until something is accepted."""
        return 2 if any(each.at or each.by or each.findings for each in self.accepted) else 1

    def with_findings(self, findings: Iterable[Finding]) -> "Lock":
        """What of the scan was accepted stands beside the reason, by its rules."""
        rules: dict[str, set[str]] = {}
        for finding in findings:
            if finding.level is Level.HIGH:
                rules.setdefault(finding.where, set()).add(finding.rule)
        accepted = (
            replace(each, findings=tuple(sorted(rules.get(each.what, each.findings))))
            for each in self.accepted
        )
        return replace(self, accepted=tuple(accepted))

    def with_accepted(self, new: Iterable[Acceptance]) -> "Lock":
        """The last reason for each thing is kept."""
        known = {each.what: each for each in (*self.accepted, *new)}
        return replace(self, accepted=tuple(known[what] for what in sorted(known)))


def server_text_digest(server: ServerContract) -> str:
    """Of what a server says beside its tools."""
    return digest_of(
        [
            server.title,
            server.version,
            server.instructions,
            list(server.prompts),
            list(server.resources),
            list(server.templates),
        ]
    )
