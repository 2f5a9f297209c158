"""The guard before the HTTP app: key, Host, Origin, slow bodies and shutdown are checked before a request is
read.

An address that keeps sending wrong keys is answered more slowly, and logged at a bounded rate.
"""

import ipaddress
import re
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import Any, Final, Protocol

import anyio
from mcp.shared.inbound import MCP_METHOD_HEADER
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from toolbooth import limits
from toolbooth.access import LOCAL_USER, AccessKeys, Principal

Note = Callable[[str], None]


class LoginThrottle:
    """Slows down wrong keys; a client with the right key is never slowed, wherever it comes from."""

    def __init__(self, note: Note, clock: Callable[[], float] = time.monotonic) -> None:
        self._note, self._clock = note, clock
        self._failures: OrderedDict[str, tuple[int, float]] = OrderedDict()
        self._unsaid = 0
        self._quiet_until = float("-inf")

    def failed(self, address: str) -> float:
        """A wrong key came from this address; returns the seconds that the answer waits."""
        now, who = self._clock(), network_of(address)
        count, last = self._failures.pop(who, (0, now))
        count = 1 if now - last > limits.LOGIN_MEMORY else count + 1
        self._failures[who] = (count, now)
        if len(self._failures) > limits.MAX_LOGIN_ADDRESSES:
            self._failures.popitem(last=False)
        self._tell(address, now)
        doublings = min(count - limits.LOGIN_FREE, 16)
        return (
            0.0
            if doublings <= 0
            else min(limits.LOGIN_DELAY * 2.0 ** (doublings - 1), limits.MAX_LOGIN_DELAY)
        )

    def _tell(self, address: str, now: float) -> None:
        self._unsaid += 1
        if now >= self._quiet_until:
            several = f" ({self._unsaid} since the last such line)" if self._unsaid > 1 else ""
            self._note(f"a request with a wrong key was refused, from {address}{several}")
            self._unsaid, self._quiet_until = 0, now + limits.LOGIN_NOTE_EVERY


def network_of(address: str) -> str:
    """The network of an address: one user of IPv6 has 2⁶⁴ addresses."""
    try:
        known = ipaddress.ip_address(address)
    except ValueError:
        return address
    if known.version == 4 or known.ipv4_mapped:
        return str(known)
    return str(ipaddress.ip_network((known, 64), strict=False))


_LOOPBACK: Final = frozenset({"127.0.0.1", "localhost", "::1"})
_ANYWHERE: Final = frozenset({"0.0.0.0", "::"})  # noqa: S104 - compared with, not bound to
_HOST: Final = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[\w.-]+)(?::\d*)?", re.ASCII)
_LAST: Final = frozenset({401, 403, 408, 503})  # clients without the key, and bodies that nobody reads
_ENDING: Final = "the gateway is shutting down"
# Under `state` of a scope: the connection that the request came on, and whose key it has.
CONNECTION: Final = "connection"
PRINCIPAL: Final = "principal"


class GuardedConnection(Protocol):
    """What the guard reports of a request."""

    def admit(self, *, standing: bool) -> bool:
        """A request with the key came, `standing` if its answer never ends; False if there is no slot for it."""
        ...


class Guard:
    """Wraps the app; it also knows what is in flight, so that a stop loses no answer."""

    def __init__(self, host: str, keys: AccessKeys | None, throttle: LoginThrottle) -> None:
        """Without keys everyone gets in, as the user of this machine."""
        self._host, self._keys = _plain(host), keys
        self._throttle = throttle
        self.draining = False
        self._running: set[_Exchange] = set()

    def principal(self, authorization: str | None) -> Principal | None:
        """Whose key it is; None if it is nobody's."""
        if self._keys is None:
            return LOCAL_USER
        kind, _, given = (authorization or "").partition(" ")
        owner = self._keys.owner(given.encode("latin-1", "replace"))
        return owner if kind.lower() == "bearer" else None

    def around(self, app: ASGIApp) -> ASGIApp:
        """The app behind the guard."""

        async def guarded(scope: Scope, receive: Receive, send: Send) -> None:
            if scope["type"] != "http":
                return None
            headers = _headers(scope)
            principal = self.principal(_credential(scope["path"], headers))
            refusal = self._refusal(scope, headers, principal)
            if refusal is not None:
                await anyio.sleep(self._delay(scope, headers) if refusal.status_code == 401 else 0)
                return await refusal(scope, receive, send)
            exchange = _Exchange(receive, send, _is_standing(scope, headers), last=principal is None)
            state = {**scope.get("state", {}), PRINCIPAL: principal}
            return await self._run(exchange, app, {**scope, "state": state})

        return guarded

    async def _run(self, exchange: "_Exchange", app: ASGIApp, scope: Scope) -> None:
        self._running.add(exchange)
        try:
            with exchange.scope:
                await app(scope, exchange.receive, exchange.send)
        finally:
            self._running.discard(exchange)
        if exchange.scope.cancelled_caught:
            await exchange.end(scope)

    def _delay(self, scope: Scope, headers: Mapping[str, str]) -> float:
        """Seconds that a refusal waits; only a client that sent a key has failed to log in."""
        client = scope.get("client")
        tried = _credential(scope["path"], headers) is not None
        return self._throttle.failed(client[0] if client else "?") if tried else 0.0

    def _refusal(
        self, scope: Scope, headers: Mapping[str, str], principal: Principal | None
    ) -> JSONResponse | None:
        path = scope["path"]
        if not self._own_host(headers.get("host", "")):
            return refused(403, "this Host is not served here")
        if not self._own_origin(headers.get("origin")):
            return refused(403, "this Origin is not allowed")
        if path == "/health" and principal is None and "authorization" not in headers:
            return None
        if principal is None:
            answer = refused(401, "a key is required: send `Authorization: Bearer KEY`")
            answer.headers["www-authenticate"] = "Bearer"
            return answer
        connection: GuardedConnection | None = scope.get("state", {}).get(CONNECTION)
        if connection is not None and not connection.admit(standing=_is_standing(scope, headers)):
            return refused(503, "too many connections; close some")
        return refused(503, _ENDING) if self.draining and path != "/health" else None

    def _own_host(self, host: str) -> bool:
        """A page of another site that resolves to us (DNS rebinding) sends its own name here."""
        return self._host in _ANYWHERE or _name(host) in {self._host, *_LOOPBACK}

    def _own_origin(self, origin: str | None) -> bool:
        """Browsers send where a request comes from; other clients send nothing."""
        if origin is None:
            return True
        scheme, _, host = origin.partition("://")
        return scheme.lower() in ("http", "https") and _name(host) in {self._host, *_LOOPBACK}

    async def drain(self, grace: float) -> None:
        """Accept nothing new, end the streams that would never end, and wait for calls in flight, but only so long."""
        self.draining = True
        self._end(standing=True)
        with anyio.move_on_after(grace):
            while self._running:  # noqa: ASYNC110 - the set has many writers and one reader
                await anyio.sleep(0.02)
        self._end(standing=False)

    def _end(self, *, standing: bool) -> None:
        for exchange in tuple(self._running):
            if exchange.standing or not standing:
                exchange.scope.cancel()


class _Exchange:
    """One request and its answer, which can be ended from outside."""

    def __init__(self, receive: Receive, send: Send, standing: bool, *, last: bool = False) -> None:
        """`last`: the connection closes with the answer."""
        self._receive, self._send = receive, send
        self.standing, self._last = standing, last
        self.scope = anyio.CancelScope()
        self._until = anyio.current_time() + limits.HTTP_BODY_DEADLINE
        self._whole = self._started = self._late = False

    async def receive(self) -> Message:
        """The body within its deadline; afterwards the client's end, whenever that comes."""
        if self._whole:
            return await self._receive()
        with anyio.CancelScope(deadline=self._until):
            message = await self._receive()
            self._whole = not message.get("more_body", False)
            return message
        self._late = True
        self.scope.cancel()  # not an exception: the SDK would turn it into a 500
        await anyio.sleep_forever()
        raise AssertionError

    async def send(self, message: Message) -> None:
        """Remember how far the answer is."""
        self._started = True
        if self._last and message["type"] == "http.response.start":
            message = {**message, "headers": [*message.get("headers", ()), (b"connection", b"close")]}
        await self._send(message)

    async def end(self, scope: Scope) -> None:
        """End an answer that was cut short properly, or say why there is none."""
        if self._started:
            await self._send({"type": "http.response.body", "body": b"", "more_body": False})
        else:
            why = refused(408, "the body took too long") if self._late else refused(503, _ENDING)
            await why(scope, self._receive, self._send)


def _credential(path: str, headers: Mapping[str, str]) -> str | None:
    """The key that was sent; on the paths of the API also in the header that such APIs commonly use."""
    given = headers.get("authorization")
    if given is None and path.startswith("/api/") and "x-api-key" in headers:
        return f"Bearer {headers['x-api-key']}"
    return given


def _is_standing(scope: Scope, headers: Mapping[str, str]) -> bool:
    return scope["method"] == "GET" or headers.get(MCP_METHOD_HEADER) == "subscriptions/listen"


def _headers(scope: Scope) -> dict[str, str]:
    """Values by name; if a name is given twice, both values are joined, so that neither passes for the other."""
    found: dict[str, str] = {}
    for key, value in scope["headers"]:
        name, text = key.decode("latin-1"), value.decode("latin-1")
        found[name] = f"{found[name]}, {text}" if name in found else text
    return found


def _name(host: str) -> str:
    """The name in `name:port`; empty for anything else, such as `user@name`."""
    found = _HOST.fullmatch(host)
    return _plain(found[1].strip("[]")) if found else ""


def _plain(host: str) -> str:
    """One spelling for each address."""
    try:
        return str(ipaddress.ip_address(host))
    except ValueError:
        return host.lower()


def refused(status: int, why: str) -> JSONResponse:
    """An error in the format of JSON-RPC, for a request whose id is not known."""
    body: dict[str, Any] = {"jsonrpc": "2.0", "id": None, "error": {"code": -32000, "message": why}}
    return JSONResponse(
        body, status_code=status, headers={"connection": "close"} if status in _LAST else None
    )
