"""HTTP authorization with a stored token: it is sent with each request and renewed in time.

This never opens a browser; where a new sign-in is needed, the fault says so.
"""

from collections.abc import AsyncGenerator
from contextlib import suppress
from typing import NamedTuple

import anyio
import httpx2
from mcp.client.auth.utils import extract_field_from_www_auth

from toolbooth import errors, limits
from toolbooth.catalog.connect.oauth import address, token_store
from toolbooth.catalog.connect.oauth.grant import Grant
from toolbooth.catalog.connect.oauth.refresh import RefreshRefused, refresh
from toolbooth.catalog.server_spec import ServerSpec


def bearer_for(spec: ServerSpec) -> "StoredBearer | None":
    """The authorization for a server; None if its config has a header, or a user and password, for that."""
    named = any(name.lower() == "authorization" for name in spec.headers)
    return None if named or httpx2.URL(spec.url).userinfo else StoredBearer(spec)


def sign_in_words(spec: ServerSpec) -> str:
    """The sentence that tells a person to sign in."""
    name = "URL` with its address" if spec.source == "the command line" else f"{spec.name}`"
    return f"wants you to sign in: run `toolbooth auth {name}"


class _Rest(NamedTuple):
    """The authorization server failed with `fault` and is not asked again before `until`."""

    until: float
    fault: errors.BackendFault


class StoredBearer(httpx2.Auth):
    """Signs the requests of one server. `fault` says why the last one was refused, if the token is the reason.

    The SDK's provider is not used: it holds a lock during each request, so that one slow call stops all others.
    """

    def __init__(self, spec: ServerSpec, store: token_store.TokenStore | None = None) -> None:
        self._spec, self._home = spec, httpx2.URL(spec.url)
        self._safe = address.is_safe_route(spec.url, spec.url)
        self._url, self._store = address.canonical_url(spec.url), store or token_store.TokenStore()
        self._lock = anyio.Lock()
        self._grant: Grant | None = None
        self._loaded = False
        self._refused: Grant | None = None  # its refresh token was refused and is not sent again
        self._fault: errors.BackendFault | None = None
        self._rest: _Rest | None = None
        self.fault: errors.BackendFault | None = None

    async def async_auth_flow(
        self, request: httpx2.Request
    ) -> AsyncGenerator[httpx2.Request, httpx2.Response]:
        """Sign the request if it goes to the server's own origin; renew the token once if it is refused."""
        if not self._safe or not address.same_origin(request.url, self._home):
            yield request
            return
        grant = await self._ready()
        response = yield _signed(request, grant)
        if response.status_code == 401 and self._fault is None:
            newer = await self._newer_than(grant)
            if newer is not None:
                response = yield _signed(request, newer)
        self.fault = self._why(response)

    async def _ready(self) -> Grant | None:
        """The grant to use; if it cannot be renewed, the old one until it expires."""
        self._fault = None
        if not self._loaded:
            await self._load()
        grant = self._grant
        if grant is not None and grant.is_due():
            return await self._newer_than(grant) or (None if grant.is_over() else grant)
        return grant

    async def _load(self) -> None:
        async with self._lock:
            if not self._loaded:
                self._grant = await self._read()
                self._loaded = True

    async def _read(self) -> Grant | None:
        try:
            return await self._store.read(self._url)
        except errors.ConfigError as error:
            self._fault = errors.BackendRefused(f"its token is not used: {error}")
            return None

    async def _newer_than(self, stale: Grant | None) -> Grant | None:
        async with self._lock:
            if self._grant is not stale:  # another request has renewed it while this one waited
                return self._grant
            if self._rest is not None and anyio.current_time() < self._rest.until:
                self._fault = self._rest.fault
                return None
            try:
                newer = await self._renewed(stale)
            except RefreshRefused:
                self._fault = errors.SignInNeeded(sign_in_words(self._spec))
            except errors.ConfigError as error:
                self._fault = errors.BackendRefused(f"its token cannot be renewed: {error}")
            except errors.BackendFault as fault:
                self._fault, self._rest = fault, _Rest(anyio.current_time() + limits.REFRESH_PAUSE, fault)
            else:
                self._grant = newer or self._grant
                return newer
        return None

    async def _renewed(self, stale: Grant | None) -> Grant | None:
        """The grant that another process has stored meanwhile, or a renewed one; None if nothing is stored."""
        if await self._read() is None:
            return None
        async with self._store.locked(self._url):
            kept = await self._read()
            if kept is None or (
                kept.access_token != getattr(stale, "access_token", None) and not kept.is_due()
            ):
                return kept
            if kept.refresh_token in (None, getattr(self._refused, "refresh_token", None)):
                raise RefreshRefused
            return await self._exchange(kept)

    async def _exchange(self, kept: Grant) -> Grant:
        """Renew a grant. Shielded, so that a cancelled call does not lose a new refresh token before it is stored."""
        fresh = kept
        with anyio.CancelScope(shield=True):
            try:
                fresh = await refresh(kept)
            except RefreshRefused:
                self._refused = kept
                raise
            # A full disk must not fail the call: the grant stays in memory
            with suppress(errors.ConfigError):
                await self._store.write(fresh)
        return fresh

    def _why(self, response: httpx2.Response) -> errors.BackendFault | None:
        if response.status_code == 401:
            if self._fault is None and (self._grant or _is_challenge(response)):
                return errors.SignInNeeded(sign_in_words(self._spec))
            return self._fault
        if (
            response.status_code == 403
            and extract_field_from_www_auth(response, "error") == "insufficient_scope"
        ):
            return errors.SignInNeeded(f"{sign_in_words(self._spec)} (the token does not allow this)")
        return None


def _signed(request: httpx2.Request, grant: Grant | None) -> httpx2.Request:
    if grant is not None:
        request.headers["Authorization"] = f"Bearer {grant.access_token}"
    return request


def _is_challenge(response: httpx2.Response) -> bool:
    return "bearer" in response.headers.get("www-authenticate", "").lower()
