"""Renewing a token: a grant becomes the same grant with a new access token, by one request to its authorization
server.
"""

from dataclasses import dataclass, field

import anyio
import httpx2
from mcp.client.auth import OAuthTokenError
from mcp.client.auth.oauth2 import OAuthContext
from mcp.shared.auth import OAuthClientInformationFull, OAuthClientMetadata, OAuthToken
from pydantic import ValidationError

from toolbooth.catalog.connect.oauth.address import (
    NetworkZone,
    check_zone,
    is_safe_way,
    written_zone,
    zone_of,
)
from toolbooth.catalog.connect.oauth.grant import Grant
from toolbooth.catalog.http_client import BodyTooLarge, ResponseRefused, http_client
from toolbooth.errors import BackendFault, BackendProtocolError, BackendRefused, BackendTimeout
from toolbooth.limits import MAX_TOKEN_ANSWER, REFRESH_TIMEOUT


@dataclass
class StagedTokens:
    """Holds what the SDK hands over until the whole sign-in has worked."""

    client: OAuthClientInformationFull | None = field(default=None, repr=False)
    tokens: OAuthToken | None = field(default=None, repr=False)

    async def get_tokens(self) -> OAuthToken | None:
        """The token of this flow."""
        return self.tokens

    async def set_tokens(self, tokens: OAuthToken) -> None:
        """Called once the code was exchanged."""
        self.tokens = tokens

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        """A client that was registered before."""
        return self.client

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        """Called once a client is registered."""
        self.client = client_info


_TRY_LATER = frozenset({408, 425, 429})
_HEADERS = {"Accept": "application/json"}


class RefreshRefused(Exception):
    """The authorization server does not renew this token any more: a person has to sign in."""


async def refresh(grant: Grant) -> Grant:
    """Renew it; raises RefreshRefused for good, or a BackendFault where another time may do."""
    try:
        with anyio.fail_after(REFRESH_TIMEOUT):
            answer = await _ask(grant)
    except TimeoutError:
        raise BackendTimeout("its token could not be renewed: its authorization server is silent") from None
    except BodyTooLarge:
        raise _not_now("the answer is too long") from None
    except ResponseRefused as refused:
        raise _not_now(f"its authorization server {refused}") from None
    except httpx2.HTTPError as error:
        raise _not_now(type(error).__name__) from None
    try:
        return grant.with_token(OAuthToken.model_validate_json(answer))
    except ValidationError:  # its text quotes the answer, which holds tokens
        raise _not_now("the answer is no token") from None


async def _ask(grant: Grant) -> bytes:
    request = _request(grant)
    known = grant.home or written_zone(grant.url)

    def check(url: str, place: NetworkZone) -> None:
        try:
            check_zone(url, place, known or "public")
        except BackendProtocolError:
            if known is None:  # an early record; its server may be inside, which a sign-in finds out
                raise RefreshRefused from None
            raise

    def look(url: httpx2.URL, address: str) -> None:
        check(str(url), zone_of(address))

    check(grant.token_endpoint, written_zone(grant.token_endpoint) or known or "public")
    async with http_client(MAX_TOKEN_ANSWER, on_connect=look, timeout=REFRESH_TIMEOUT) as client:
        response = await client.send(request, stream=True)
        try:
            if response.status_code in (200, 201):
                return await response.aread()
            if 400 <= response.status_code < 500 and response.status_code not in _TRY_LATER:
                raise RefreshRefused
            raise _not_now(f"HTTP {response.status_code}")
        finally:
            await response.aclose()


def _request(grant: Grant) -> httpx2.Request:
    if not grant.refresh_token or not is_safe_way(grant.token_endpoint, grant.url):
        raise RefreshRefused
    try:
        client = OAuthClientInformationFull.model_validate(dict(grant.client))
        form = {
            "grant_type": "refresh_token",
            "refresh_token": grant.refresh_token,
            "client_id": client.client_id,
            **({"resource": grant.resource} if grant.resource else {}),
        }
        form, headers = _as_client(client, grant.url).prepare_token_auth(form, dict(_HEADERS))
    except (ValidationError, OAuthTokenError):
        raise RefreshRefused from None
    return httpx2.Request("POST", grant.token_endpoint, data=form, headers=headers)


def _as_client(client: OAuthClientInformationFull, url: str) -> OAuthContext:
    """The SDK knows the ways in which a client proves itself to a token endpoint."""
    about = OAuthClientMetadata(redirect_uris=client.redirect_uris or None)
    return OAuthContext(url, about, StagedTokens(), None, None, client_info=client)


def _not_now(why: str) -> BackendFault:
    return BackendRefused(f"its token could not be renewed ({why}); its authorization server may be down")
