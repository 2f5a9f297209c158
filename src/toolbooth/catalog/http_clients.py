"""HTTP clients with limits on size and time; every HTTP client of the package is made here.

A client requests uncompressed bodies and reads no others: 1.5 MB of nested gzip expanded to 4.7 GB. A body is refused
once it is larger than a cap. An event stream has no end, so its reader caps each event instead.
"""

import time
from collections.abc import AsyncIterator, Awaitable, Callable
from math import inf
from typing import Any

import anyio
import httpx2

from toolbooth import limits, safetext
from toolbooth.catalog.strict_json import EventParts, PartCount

__all__ = ["BodyTooLarge", "ResponseRefused", "http_client"]

_EVENTS = "text/event-stream"
# A POST may take as long as its call, whose deadline its sender keeps.
_HEADER_DEADLINES = {"GET": limits.HTTP_OPEN, "DELETE": limits.HTTP_CLOSE}

OnRequest = Callable[[httpx2.Request], Awaitable[None]]
OnResponse = Callable[[httpx2.Response], Awaitable[None]]
OnConnect = Callable[[httpx2.URL, str], None]
"""Receives the address that a connection was really made to, before anything is sent; may raise."""


class ResponseRefused(httpx2.StreamError):
    """A response is not read any further. It is a StreamError, so the SDK fails only the one request."""


class BodyTooLarge(ResponseRefused):
    """A body is larger than the cap."""


OnRefusal = Callable[[ResponseRefused], None]


def _unheard(_refused: ResponseRefused) -> None:
    return None


def http_client(
    most: int,
    *,
    within: float = limits.HTTP_BODY_DEADLINE,
    header_deadlines: bool = False,
    count_parts: bool = False,
    on_request: OnRequest | None = None,
    on_response: OnResponse | None = None,
    on_refusal: OnRefusal = _unheard,
    on_connect: OnConnect | None = None,
    **options: Any,
) -> httpx2.AsyncClient:
    """A client that reads at most `most` bytes of one body, all of them within `within` seconds of the first.

    `header_deadlines` are for MCP servers: they limit how long opening a stream and closing a session may take.
    `count_parts` limits the number of JSON objects in each message. All other `options` are passed to HTTPX.
    """

    async def before(request: httpx2.Request) -> None:
        request.headers["accept-encoding"] = "identity"
        if on_connect is not None:
            request.extensions = {**request.extensions, "trace": _Watch(request.url, on_connect)}

    async def after(response: httpx2.Response) -> None:
        stream = response.stream
        if not isinstance(stream, httpx2.AsyncByteStream):
            return
        unasked = _unasked_encoding(response)
        if unasked:
            del response.headers["content-encoding"]  # otherwise HTTPX would decode it
        if response.request.method == "DELETE" or (unasked and response.status_code >= 400):
            response.stream = _Ignored(stream)  # the status says enough
        elif unasked:
            response.stream = _Unread(stream, unasked, on_refusal)
        elif not _is_event_stream(response):
            response.stream = _Bounded(stream, most, within, PartCount() if count_parts else None, on_refusal)
        elif count_parts:
            response.stream = _Bounded(stream, inf, inf, EventParts(), on_refusal)

    hooks: dict[str, list[Callable[..., Any]]] = {
        "request": [before, *([on_request] if on_request else [])],
        "response": [after, *([on_response] if on_response else [])],
    }
    return (_Client if header_deadlines else httpx2.AsyncClient)(event_hooks=hooks, **options)


class _Client(httpx2.AsyncClient):
    """A client with one deadline for all headers: the timeouts of HTTPX start again with every byte."""

    async def send(self, request: httpx2.Request, **options: Any) -> httpx2.Response:
        try:
            with anyio.fail_after(_HEADER_DEADLINES.get(request.method)):
                return await super().send(request, **options)
        except TimeoutError:
            raise httpx2.ReadTimeout("no answer in time", request=request) from None


def _unasked_encoding(response: httpx2.Response) -> str:
    named = response.headers.get_list("content-encoding", split_commas=True)
    unasked = [each.strip() for each in named if each.strip().lower() not in ("", "identity")]
    return safetext.for_terminal(", ".join(unasked), 40)


def _is_event_stream(response: httpx2.Response) -> bool:
    """Whether events were requested and are sent. The SDK reads all other bodies whole, whatever their type."""
    asked = _EVENTS in response.request.headers.get("accept", "")
    kind = response.headers.get("content-type", "").lower()
    return asked and response.status_code == 200 and kind.startswith(_EVENTS)


class _Ignored(httpx2.AsyncByteStream):
    """A body that is not needed; its reader sees it as empty."""

    def __init__(self, inner: httpx2.AsyncByteStream) -> None:
        self._inner = inner

    async def __aiter__(self) -> AsyncIterator[bytes]:
        return
        yield b""

    async def aclose(self) -> None:
        await self._inner.aclose()


class _Unread(_Ignored):
    """A body in an encoding that was not requested; reading it raises ResponseRefused."""

    def __init__(self, inner: httpx2.AsyncByteStream, encoding: str, on_refusal: OnRefusal) -> None:
        super().__init__(inner)
        self._encoding, self._on_refusal = encoding, on_refusal

    async def __aiter__(self) -> AsyncIterator[bytes]:
        refused = ResponseRefused(f"answered in an encoding that was not requested ({self._encoding})")
        self._on_refusal(refused)
        raise refused
        yield b""


class _Bounded(_Ignored):
    """A body that is refused if it is larger than the cap or takes too long."""

    def __init__(
        self,
        inner: httpx2.AsyncByteStream,
        most: float,
        within: float,
        parts: PartCount | EventParts | None,
        on_refusal: OnRefusal,
    ) -> None:
        super().__init__(inner)
        self._most, self._within, self._parts, self._on_refusal = most, within, parts, on_refusal

    async def __aiter__(self) -> AsyncIterator[bytes]:
        size, until = 0, 0.0
        async for chunk in self._inner:
            size += len(chunk)
            until = until or time.monotonic() + self._within
            if size > self._most:
                raise self._noted(BodyTooLarge(f"sent one message over {_size(self._most)}"))
            excess = self._parts.add(chunk) if self._parts is not None else ""
            if excess:
                raise self._noted(BodyTooLarge(f"sent one message of over {excess}"))
            if time.monotonic() > until:
                raise self._noted(ResponseRefused(f"took more than {self._within:g} s for one message"))
            yield chunk

    def _noted(self, refused: ResponseRefused) -> ResponseRefused:
        self._on_refusal(refused)
        return refused


def _size(count: float) -> str:
    return f"{count // limits.MIB:g} MiB" if count >= limits.MIB else f"{count // limits.KIB:g} KiB"


class _Watch:
    """Receives each step of a request (the `trace` extension of HTTPX) and checks new connections."""

    def __init__(self, url: httpx2.URL, on_connect: OnConnect) -> None:
        self._url, self._on_connect = url, on_connect
        self._direct = True

    async def __call__(self, event: str, info: dict[str, Any]) -> None:
        if event == "connection.connect_tcp.started":
            # Any other host is a proxy, which resolves the name itself.
            self._direct = info.get("host") == self._url.raw_host.decode("ascii")
        elif event == "connection.connect_tcp.complete" and self._direct:
            stream = info["return_value"]
            try:
                self._on_connect(self._url, str(stream.get_extra_info("server_addr")[0]))
            except Exception:
                await stream.aclose()
                raise
