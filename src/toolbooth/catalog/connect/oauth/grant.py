"""The tokens that an authorization server granted for one server, and their stored record.

The record has two parts, so that the secrets can be in the OS keyring and everything else in a file.
"""

import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from mcp.shared.auth import OAuthToken
from msgspec import UNSET, UnsetType

from toolbooth import limits, own_json
from toolbooth.catalog.connect.oauth.address import NetworkZone

FORMAT: Final = "toolbooth-token"
VERSION: Final = 1
_PLAIN: Final = ("url", "token_endpoint", "obtained_at", "expires_at", "resource", "scope", "home")
_SECRET: Final = ("access_token", "refresh_token", "client")


@dataclass(frozen=True)
class Grant:
    """Tokens, the client they were granted to, and how to renew them. `url` is canonical."""

    url: str = field(repr=False)
    token_endpoint: str
    access_token: str = field(repr=False)
    client: Mapping[str, Any] = field(repr=False, hash=False)
    refresh_token: str | None = field(default=None, repr=False)
    obtained_at: float = 0.0
    expires_at: float | None = None
    resource: str | None = field(default=None, repr=False)
    scope: str | None = None
    home: NetworkZone | None = None  # the server's zone at the sign-in; older records do not have it

    def is_over(self) -> bool:
        """Whether the access token has expired."""
        return self.expires_at is not None and time.time() >= self.expires_at

    def is_due(self) -> bool:
        """Whether it expires soon: within a tenth of its lifetime, so that a short-lived token is not always due."""
        if self.expires_at is None:
            return False
        margin = min(limits.REFRESH_MARGIN, (self.expires_at - self.obtained_at) / 10)
        return time.time() >= self.expires_at - margin

    def with_token(self, token: OAuthToken) -> "Grant":
        """The grant with a new token; what the token answer omits stays unchanged (RFC 6749, 5.1 and 6)."""
        now = time.time()
        return replace(
            self,
            access_token=token.access_token,
            refresh_token=token.refresh_token or self.refresh_token,
            obtained_at=now,
            expires_at=now + token.expires_in if token.expires_in and token.expires_in > 0 else None,
            scope=token.scope or self.scope,
        )


@dataclass(frozen=True, kw_only=True)
class GrantSecrets:
    """The secret part of a record, for the keyring or an owner-only file."""

    access_token: str = field(repr=False)
    refresh_token: str | None = field(default=None, repr=False)
    client: dict[str, Any] = field(repr=False, hash=False)


@dataclass(frozen=True, kw_only=True)
class TokenRecord:
    """The stored record of a grant. Without its `secret` a list may show it; the secret is in the keyring then."""

    format: str = FORMAT
    version: int = VERSION
    url: str = field(repr=False)
    token_endpoint: str
    obtained_at: float
    expires_at: float | None = None
    resource: str | None = field(default=None, repr=False)
    scope: str | None = None
    home: NetworkZone | None = None
    renews: bool = False
    secret: GrantSecrets | UnsetType = UNSET


_DAMAGED: Final = "is damaged; remove it and sign in again"  # without the reason, which could quote a secret
RECORD: Final = own_json.OwnFormat(
    TokenRecord,
    FORMAT,
    VERSION,
    foreign=_DAMAGED,
    other_version="is of version {version}, which this Toolbooth does not know; remove it and sign in again",
    damaged=_DAMAGED,
)


def record_of(grant: Grant) -> TokenRecord:
    """The record without its secret."""
    return TokenRecord(
        **{name: getattr(grant, name) for name in _PLAIN}, renews=grant.refresh_token is not None
    )


def secrets_of(grant: Grant) -> GrantSecrets:
    """The secret part of its record."""
    return GrantSecrets(
        access_token=grant.access_token, refresh_token=grant.refresh_token, client=dict(grant.client)
    )


def grant_of(record: TokenRecord, secrets: GrantSecrets) -> Grant:
    """The grant from both parts of its record."""
    return Grant(
        **{name: getattr(record, name) for name in _PLAIN},
        **{name: getattr(secrets, name) for name in _SECRET},
    )
