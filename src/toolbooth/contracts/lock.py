"""A lock: the accepted contracts, the budgets, the reasons for accepted changes, and the signature."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from toolbooth.contracts import contract
from toolbooth.contracts.budgets import Budgets
from toolbooth.contracts.digest import digest_of
from toolbooth.contracts.finding import Finding, Level


@dataclass(frozen=True)
class Acceptance:
    """Why a change was accepted. `what` is `server.tool` or a server; `digest` is its digest then, empty if removed.

    `at` is the time in UTC, `by` a name, `findings` the accepted scan rules. Version 1 has none of these.
    """

    what: str
    digest: str
    reason: str
    at: str = ""
    by: str = ""
    findings: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """As the lock stores it; unknown values are left out."""
        fields = {"what": self.what, "digest": self.digest, "reason": self.reason}
        more = {"at": self.at, "by": self.by, "findings": list(self.findings)}
        return {**fields, **{key: value for key, value in more.items() if value}}

    def __str__(self) -> str:
        when = f" on {self.at[:10]}" if self.at else ""
        who = f" by {self.by}" if self.by else ""
        return f"{self.what} was accepted{when}{who}: {self.reason}"


@dataclass(frozen=True)
class Signature:
    """`key` is the signer's public key, `value` the signature of the lock's digest; both in base64."""

    key: str
    value: str
    algorithm: str = "ed25519"

    def as_json(self) -> dict[str, Any]:
        """As the lock stores it."""
        return {"algorithm": self.algorithm, "key": self.key, "value": self.value}


@dataclass(frozen=True)
class Lock:
    """The content of a `toolbooth.lock`."""

    contracts: contract.Contracts
    budgets: Budgets = field(default_factory=Budgets)
    accepted: tuple[Acceptance, ...] = ()
    signature: Signature | None = None

    @property
    def version(self) -> int:
        """The format version it needs. An older lock and its signature stay valid until a new change is accepted."""
        return 2 if any(each.at or each.by or each.findings for each in self.accepted) else 1

    def with_findings(self, findings: Iterable[Finding]) -> "Lock":
        """Record the rules of accepted high findings beside the reasons."""
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
        """Add reasons; only the last one for each tool or server is kept."""
        known = {each.what: each for each in (*self.accepted, *new)}
        return replace(self, accepted=tuple(known[what] for what in sorted(known)))


def server_text_digest(server: contract.ServerContract) -> str:
    """The digest of everything a server sends except its tools."""
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
