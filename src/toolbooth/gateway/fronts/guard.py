"""An HTTP request → let through, or refused before any of it is read: key, Host, Origin, size, shutdown."""

import secrets
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

import anyio
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from toolbooth.limits import MAX_HTTP_BODY, MIB

_LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})
_ANYWHERE = frozenset({"0.0.0.0", "::"})  # noqa: S104 - compared with, not bound to


class Guard:
    """Wraps the app; also counts what is in flight, so that a stop loses nothing."""

    def __init__(self, host: str, key: str | None) -> None:
        self._host, self._key = host, key
        self.port = 0
        self.draining = False
        self._posts = 0

    def admits(self, authorization: str | None) -> bool:
        """Whether the key is right; compared in constant time."""
        if self._key is None:
            return True
        kind, _, given = (authorization or "").partition(" ")
        return kind.lower() == "bearer" and secrets.compare_digest(given.strip().encode(), self._key.encode())

    def around(self, app: ASGIApp) -> ASGIApp:
        """The app behind the guard."""

        async def guarded(scope: Scope, receive: Receive, send: Send) -> None:
            if scope["type"] != "http":
                return await app(scope, receive, send)
            headers = {key.decode("latin-1"): value.decode("latin-1") for key, value in scope["headers"]}
            refusal = self._refusal(scope["path"], headers)
            if refusal is not None:
                return await refusal(scope, receive, send)
            return await self._count(scope, app, _Body(receive, send), send)

        return guarded

    async def _count(self, scope: Scope, app: ASGIApp, body: "_Body", send: Send) -> None:
        posts = scope["method"] == "POST"
        self._posts += posts
        try:
            await app(scope, body.receive, body.send)
        except _TooLarge:
            await _refuse(413, f"a body may have {MAX_HTTP_BODY // MIB} MiB at most")(
                scope, body.receive, send
            )
        finally:
            self._posts -= posts

    def _refusal(self, path: str, headers: Mapping[str, str]) -> JSONResponse | None:
        if not self._own_host(headers.get("host", "")):
            return _refuse(403, "this Host is not served here")
        if not self._own_origin(headers.get("origin")):
            return _refuse(403, "this Origin is not allowed")
        if path == "/health":
            return None
        if not self.admits(headers.get("authorization")):
            refused = _refuse(401, "a key is wanted: send `Authorization: Bearer KEY`")
            refused.headers["www-authenticate"] = "Bearer"
            return refused
        if self.draining:
            return _refuse(503, "the gateway is shutting down")
        length = headers.get("content-length", "0")
        if length.isdigit() and int(length) > MAX_HTTP_BODY:
            return _refuse(413, f"a body may have {MAX_HTTP_BODY // MIB} MiB at most")
        return None

    def _own_host(self, host: str) -> bool:
        """A page of another site that resolves to us (DNS rebinding) sends its own name here."""
        return self._host in _ANYWHERE or _name(f"//{host}") in {self._host, *_LOOPBACK}

    def _own_origin(self, origin: str | None) -> bool:
        """Browsers say where a request comes from; other clients send none."""
        return origin is None or _name(origin) in {self._host, *_LOOPBACK}

    async def drain(self, grace: float) -> None:
        """Take nothing new; wait for the calls in flight."""
        self.draining = True
        with anyio.move_on_after(grace):
            while self._posts:  # noqa: ASYNC110 - the count has many writers and one reader
                await anyio.sleep(0.02)


class _TooLarge(Exception):
    pass


class _Body:
    """Counts a body that came without its length."""

    def __init__(self, receive: Receive, send: Send) -> None:
        self._receive, self._send = receive, send
        self._size = 0
        self._answered = False

    async def receive(self) -> Any:
        message = await self._receive()
        self._size += len(message.get("body", b""))
        if self._size > MAX_HTTP_BODY and not self._answered:
            raise _TooLarge
        return message

    async def send(self, message: Any) -> None:
        self._answered = True
        await self._send(message)


def _name(address: str) -> str:
    try:
        return (urlsplit(address).hostname or "").lower()
    except ValueError:
        return ""


def _refuse(status: int, why: str) -> JSONResponse:
    body = {"jsonrpc": "2.0", "id": None, "error": {"code": -32000, "message": why}}
    return JSONResponse(body, status_code=status)
