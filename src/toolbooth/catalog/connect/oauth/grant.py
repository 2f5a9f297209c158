"""The tokens that an authorization server granted for one server, and their stored record.

The record has two parts, so that the secrets can be in the OS keyring and everything else in a file.
"""

import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, get_args

from mcp.shared.auth import OAuthToken

from toolbooth import limits
from toolbooth.catalog.connect.oauth.address import NetworkZone

FORMAT = "toolbooth-token"
VERSION = 1
_PLAIN = ("url", "token_endpoint", "obtained_at", "expires_at", "resource", "scope", "home")
_SECRET = ("access_token", "refresh_token", "client")


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
        """The same with a new token; what the token answer omits stays unchanged (RFC 6749, 5.1 and 6)."""
        now = time.time()
        return replace(
            self,
            access_token=token.access_token,
            refresh_token=token.refresh_token or self.refresh_token,
            obtained_at=now,
            expires_at=now + token.expires_in if token.expires_in and token.expires_in > 0 else None,
            scope=token.scope or self.scope,
        )


def plain_part(grant: Grant) -> dict[str, Any]:
    """The part of the record without secrets, which a list may show."""
    return {
        "format": FORMAT,
        "version": VERSION,
        **{name: getattr(grant, name) for name in _PLAIN},
        "renews": grant.refresh_token is not None,
    }


def secret_part(grant: Grant) -> dict[str, Any]:
    """The secret part, for the keyring or an owner-only file."""
    return {name: getattr(grant, name) for name in _SECRET}


def read_grant(plain: Mapping[str, Any], secret: object) -> Grant | None:
    """The grant from both parts of its record; None if they are not valid."""
    if plain.get("format") != FORMAT or plain.get("version") != VERSION or not isinstance(secret, Mapping):
        return None
    values: dict[str, Any] = {name: plain.get(name) for name in _PLAIN} | {
        name: secret.get(name) for name in _SECRET
    }
    return Grant(**values) if _is_whole(values) else None


def _is_whole(values: Mapping[str, Any]) -> bool:
    texts = ("url", "token_endpoint", "access_token")
    maybe_texts = ("refresh_token", "resource", "scope")
    return (
        all(isinstance(values[name], str) for name in texts)
        and all(isinstance(values[name], str | None) for name in maybe_texts)
        and values["home"] in (None, *get_args(NetworkZone))
        and isinstance(values["client"], Mapping)
        and isinstance(values["obtained_at"], int | float)
        and isinstance(values["expires_at"], int | float | None)
    )
