"""Renewing an access token with its refresh token, by one request to the authorization server."""

from dataclasses import dataclass, field

import anyio
import httpx2
from mcp.client.auth import OAuthTokenError
from mcp.client.auth.oauth2 import OAuthContext
from mcp.shared.auth import OAuthClientInformationFull, OAuthClientMetadata, OAuthToken
from pydantic import ValidationError

from toolbooth import errors, limits
from toolbooth.catalog.connect.oauth.address import (
    NetworkZone,
    check_zone,
    is_safe_route,
    written_zone,
    zone_of,
)
from toolbooth.catalog.connect.oauth.grant import Grant
from toolbooth.catalog.http_clients import BodyTooLarge, ResponseRefused, http_client


@dataclass
class StagedTokens:
    """Holds what the SDK stores during a sign-in, until all of it has succeeded."""

    client: OAuthClientInformationFull | None = field(default=None, repr=False)
    tokens: OAuthToken | None = field(default=None, repr=False)

    async def get_tokens(self) -> OAuthToken | None:
        """The token of this sign-in."""
        return self.tokens

    async def set_tokens(self, tokens: OAuthToken) -> None:
        """Called when the code has been exchanged."""
        self.tokens = tokens

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        """The registered client, if there is one."""
        return self.client

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        """Called when a client has been registered."""
        self.client = client_info


_TRY_LATER = frozenset({408, 425, 429})
_HEADERS = {"Accept": "application/json"}


class RefreshRefused(Exception):
    """The authorization server no longer renews this token; a person must sign in."""


async def refresh(grant: Grant) -> Grant:
    """Renew a grant; raises RefreshRefused for a final refusal, and a BackendFault if a later try may succeed."""
    try:
        with anyio.fail_after(limits.REFRESH_TIMEOUT):
            answer = await _ask(grant)
    except TimeoutError:
        raise errors.BackendTimeout(
            "its token could not be renewed: its authorization server did not answer"
        ) from None
    except BodyTooLarge:
        raise _not_now("the answer is too long") from None
    except ResponseRefused as refused:
        raise _not_now(f"its authorization server {refused}") from None
    except httpx2.HTTPError as error:
        raise _not_now(type(error).__name__) from None
    try:
        return grant.with_token(OAuthToken.model_validate_json(answer))
    except ValidationError:  # its text quotes the answer, which holds tokens
        raise _not_now("the answer is not a token") from None


async def _ask(grant: Grant) -> bytes:
    request = _request(grant)
    known = grant.home or written_zone(grant.url)

    def check(url: str, place: NetworkZone) -> None:
        try:
            check_zone(url, place, known or "public")
        except errors.BackendProtocolError:
            if known is None:  # an early record; its server may be private, which a new sign-in finds out
                raise RefreshRefused from None
            raise

    def look(url: httpx2.URL, address: str) -> None:
        check(str(url), zone_of(address))

    check(grant.token_endpoint, written_zone(grant.token_endpoint) or known or "public")
    async with http_client(
        limits.MAX_TOKEN_ANSWER, on_connect=look, timeout=limits.REFRESH_TIMEOUT
    ) as client:
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
    if not grant.refresh_token or not is_safe_route(grant.token_endpoint, grant.url):
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
    """The SDK's context, which knows how a client authenticates at a token endpoint."""
    about = OAuthClientMetadata(redirect_uris=client.redirect_uris or None)
    return OAuthContext(url, about, StagedTokens(), None, None, client_info=client)


def _not_now(why: str) -> errors.BackendFault:
    return errors.BackendRefused(
        f"its token could not be renewed ({why}); its authorization server may be down"
    )
