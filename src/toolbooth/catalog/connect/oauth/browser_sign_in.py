"""Signing in to a server in a browser. The tokens are stored only if the whole sign-in succeeds."""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from urllib.parse import urljoin

import anyio
import httpx2
from mcp.client.auth import OAuthClientProvider, OAuthFlowError, OAuthRegistrationError, OAuthTokenError
from mcp.client.auth.utils import is_valid_client_metadata_url
from mcp.shared.auth import OAuthClientInformationFull, OAuthClientMetadata, OAuthToken
from mcp.shared.inbound import MCP_PROTOCOL_VERSION_HEADER
from mcp_types.version import LATEST_HANDSHAKE_VERSION
from pydantic import AnyUrl, ValidationError

from toolbooth import __version__, errors, limits, safetext
from toolbooth.catalog.connect.http import HttpFailures, refusal_fault, refused_by_status
from toolbooth.catalog.connect.oauth import bearer, redirect, token_store
from toolbooth.catalog.connect.oauth.address import (
    NetworkZone,
    canonical_url,
    check_zone,
    is_safe_route,
    same_origin,
    shown_url,
    written_zone,
    zone_of,
)
from toolbooth.catalog.connect.oauth.grant import Grant
from toolbooth.catalog.connect.oauth.refresh import StagedTokens
from toolbooth.catalog.http_clients import ResponseRefused, http_client
from toolbooth.catalog.server_spec import ServerSpec

Show = Callable[[str], None]
# Needs no session, changes nothing, and is refused without a token
_PING = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "ping",
}
_METHODS = {"http": ("POST",), "sse": ("GET",), "auto": ("POST", "GET")}
_WRONG_METHOD = frozenset({404, 405})


async def sign_in(
    spec: ServerSpec, show: Show, timeout: float = limits.SIGN_IN_TIMEOUT, client_id: str = ""
) -> token_store.StoredToken | None:
    """Let a person sign in at the address that is passed to `show`, and store the tokens.

    Returns None if the server needs no token. `client_id` is a client that was registered by hand, or the address of
    a client metadata document; without it, Toolbooth registers itself.
    """
    _check(spec)
    try:
        with anyio.fail_after(timeout), _quiet():
            return await _Flow(spec, show, client_id).run()
    except TimeoutError:
        fault: errors.BackendFault = errors.BackendTimeout(
            f"nobody signed in within {timeout:g} s; allow more with --timeout"
        )
    except errors.BackendFault as known:
        fault = known
    except ResponseRefused as refused:
        fault = refusal_fault(refused)
    except httpx2.HTTPError as error:
        fault = errors.BackendNotFound(f"its sign-in could not be reached ({type(error).__name__})")
    fault.server = spec.name
    raise fault from None


def _check(spec: ServerSpec) -> None:
    if spec.transport == "stdio":
        raise errors.UserMistake(f"{spec.name} is a command on this machine and needs no sign-in")
    if bearer.bearer_for(spec) is None:
        raise errors.UserMistake(
            f"{spec.name} has its own authorization in the config, which is used instead; remove it there first"
        )
    if not is_safe_route(spec.url, spec.url):
        raise errors.UserMistake(
            f"{spec.name} has a plain http:// address, which would send the token unencrypted; use https://"
        )


@contextmanager
def _quiet() -> Iterator[None]:
    """Silence the SDK's log, which quotes states, codes and whole answers with tokens."""
    logger = logging.getLogger("mcp.client.auth.oauth2")
    before, logger.disabled = logger.disabled, True
    try:
        yield
    finally:
        logger.disabled = before


class _Flow:
    def __init__(self, spec: ServerSpec, show: Show, client_id: str) -> None:
        self._spec, self._show, self._client_id = spec, show, client_id
        self._failures = HttpFailures()
        self._state = ""
        self._home: NetworkZone | None = None

    async def run(self) -> token_store.StoredToken | None:
        async with redirect.listening() as listener:
            try:
                return await self._attempt(listener, public=True)
            except OAuthRegistrationError:  # some servers register only clients with a secret
                return await self._last_attempt(listener)

    async def _last_attempt(self, listener: redirect.RedirectListener) -> token_store.StoredToken | None:
        try:
            return await self._attempt(listener, public=False)
        except OAuthRegistrationError:
            raise errors.BackendRefused(
                "does not let Toolbooth register itself; put its key under `headers`, or register a client by "
                "hand and name it with --client-id"
            ) from None

    async def _attempt(
        self, listener: redirect.RedirectListener, *, public: bool
    ) -> token_store.StoredToken | None:
        staged = StagedTokens(self._registered_by_hand())
        provider = self._provider(listener, staged, public)
        try:
            status = await self._ask(provider)
        except OAuthRegistrationError:
            raise
        except OAuthTokenError:
            raise errors.BackendRefused(
                f"its authorization server gave no token (HTTP {self._failures.status})"
            ) from None
        except OAuthFlowError as error:
            raise errors.BackendProtocolError(
                f"its sign-in is misconfigured: {safetext.for_terminal(str(error))}"
            ) from None
        except ValidationError:
            raise errors.BackendProtocolError(
                "its sign-in is misconfigured: an answer cannot be read"
            ) from None
        if staged.tokens is not None:
            if status in (401, 403):
                raise errors.BackendRefused(
                    f"refuses the token that it gave (HTTP {status}); only its operator can fix that"
                )
            return await _keep(_grant(self._spec, provider, staged.tokens, self._home))
        if status in (401, 403) or status >= 500 or 300 <= status < 400:
            raise refused_by_status(status)
        return None

    def _registered_by_hand(self) -> OAuthClientInformationFull | None:
        if not self._client_id or is_valid_client_metadata_url(self._client_id):
            return None
        return OAuthClientInformationFull(client_id=self._client_id, token_endpoint_auth_method="none")  # noqa: S106

    def _provider(
        self, listener: redirect.RedirectListener, staged: StagedTokens, public: bool
    ) -> OAuthClientProvider:
        async def open_browser(url: str) -> None:
            if len(url) > limits.MAX_SIGN_IN_URL or not is_safe_route(url, self._spec.url):
                raise errors.BackendProtocolError("its sign-in page has an address that is not safe to open")
            check_zone(url, written_zone(url) or self._place, self._place)
            self._state = redirect.state_of(url)
            self._show(url)

        return OAuthClientProvider(
            self._spec.url,
            OAuthClientMetadata(
                redirect_uris=[AnyUrl(listener.redirect_uri)],
                token_endpoint_auth_method="none" if public else None,
                client_name="Toolbooth",
                software_id="toolbooth",
                software_version=__version__,
            ),
            staged,
            open_browser,
            lambda: listener.wait_for(self._state),
            self._client_id if is_valid_client_metadata_url(self._client_id) else None,
        )

    async def _ask(self, provider: OAuthClientProvider) -> int:
        """Try each HTTP method until the server accepts one; the SDK signs in at the first 401."""
        headers = {
            **self._spec.headers,
            "accept": "application/json, text/event-stream",
            MCP_PROTOCOL_VERSION_HEADER: LATEST_HANDSHAKE_VERSION,
        }
        status = 0
        async with http_client(
            limits.MAX_TOKEN_ANSWER,
            on_request=self._check_route,
            on_response=self._failures.note,
            on_connect=self._look,
            timeout=limits.HTTP_OPEN,
            auth=provider,
        ) as client:
            for method in _METHODS[self._spec.transport]:
                body = _PING if method == "POST" else None
                async with client.stream(method, self._spec.url, json=body, headers=headers) as response:
                    status = response.status_code
                if status not in _WRONG_METHOD:
                    break
        return status

    def _look(self, url: httpx2.URL, address: str) -> None:
        """Check the address that was connected to: a name can resolve to another address at any time."""
        place = zone_of(address)
        if self._home is None and same_origin(url, httpx2.URL(self._spec.url)):
            self._home = place  # the server is asked first, and over TLS only the server itself can answer
        check_zone(str(url), place, self._place)

    @property
    def _place(self) -> NetworkZone:
        return self._home or written_zone(self._spec.url) or "public"

    async def _check_route(self, request: httpx2.Request) -> None:
        if not same_origin(request.url, httpx2.URL(self._spec.url)):
            check_zone(str(request.url), written_zone(str(request.url)) or self._place, self._place)
        if not is_safe_route(str(request.url), self._spec.url):
            raise errors.BackendProtocolError(
                f"its sign-in leads to {safetext.for_terminal(shown_url(str(request.url)), 100)}, which is "
                "not a safe address"
            )


def _grant(
    spec: ServerSpec, provider: OAuthClientProvider, token: OAuthToken, home: NetworkZone | None
) -> Grant:
    context = provider.context
    found = context.oauth_metadata
    endpoint = str(found.token_endpoint) if found else urljoin(spec.url, "/token")
    client = context.client_info
    empty = Grant(
        url=canonical_url(spec.url),
        token_endpoint=endpoint,
        access_token="",
        client=client.model_dump(mode="json", exclude_none=True) if client else {},
        resource=context.get_resource_url(),
        home=home,
    )
    return empty.with_token(token)


async def _keep(grant: Grant) -> token_store.StoredToken:
    store = token_store.TokenStore()
    async with store.locked(grant.url):
        with anyio.CancelScope(shield=True):
            kept_in = await store.write(grant)
    return token_store.StoredToken(grant.url, kept_in, grant.expires_at, grant.refresh_token is not None)
