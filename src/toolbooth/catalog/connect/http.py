"""A server spec → a `Channel` over Streamable HTTP or SSE, with bounded bodies and honest status codes."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import httpx2
from mcp.client.sse import sse_client
from mcp.client.streamable_http import streamable_http_client

from toolbooth.catalog.connect.channel import CLOSED, Channel, asked
from toolbooth.catalog.server_spec import ServerSpec
from toolbooth.errors import BackendCrashed, BackendFault, BackendProtocolError, BackendRefused, FrameTooLarge
from toolbooth.limits import CALL_TIMEOUT, MAX_FRAME, MIB

if TYPE_CHECKING:
    from toolbooth.catalog.connect.oauth.bearer import StoredBearer

# How the SDK's HTTP transports word what went wrong below the protocol, and what it is.
_SDK_SENTENCES: tuple[tuple[str, type[BackendFault], str], ...] = (
    ("Failed to parse", BackendProtocolError, "sent invalid JSON"),
    (
        "Unexpected content type",
        BackendProtocolError,
        "answered with something other than MCP; is the URL right?",
    ),
    (
        "SSE stream failed: Server-sent event exceeded",
        FrameTooLarge,
        f"sent one message over {MAX_FRAME // MIB} MiB",
    ),
    ("SSE stream failed", BackendProtocolError, "broke off its event stream"),
    ("SSE stream ended", BackendCrashed, "closed the connection"),
    ("Redirect to", BackendRefused, "redirects to another address; put that one in the config"),
)
# What they say where the server gave no JSON-RPC error of its own: the status knows more.
_STAND_INS = frozenset({CLOSED, "Server returned an error response", "Not Found", "Session terminated"})
_MEANINGS = {
    401: "it wants a key: add one under `headers`, or sign in with `toolbooth auth`",
    403: "the key is not allowed to do this",
    404: "nothing is served at that path",
    405: "this address speaks another transport",
    307: "it redirects; put the address it redirects to in the config",
    308: "it redirects; put the address it redirects to in the config",
    429: "it asks to slow down",
}


class HttpMemory:
    """Remembers how requests failed, each by its id: the SDK does not pass that on. `bearer` knows of tokens."""

    def __init__(self, bearer: "StoredBearer | None" = None) -> None:
        self.bearer = bearer
        self._statuses: dict[int | str | None, int | None] = {}
        self._faults: dict[int | str | None, BackendFault] = {}
        self._resumed: Callable[[], None] | None = None

    def on_resume(self, tell: Callable[[], None]) -> None:
        """Who wants to know that a stream is asked for again."""
        self._resumed = tell

    async def note(self, response: httpx2.Response) -> None:
        """Response hook of the HTTP client: keep a failing status, cap a plain body.

        Event streams stay as they are: the SDK caps them by event.
        """
        status = response.status_code if response.status_code >= 400 else None
        if status is None:
            self._statuses.pop(asked.get(), None)
        else:
            self._statuses[asked.get()] = self._statuses[None] = status
        is_events = response.headers.get("content-type", "").startswith("text/event-stream")
        if not is_events and isinstance(response.stream, httpx2.AsyncByteStream):
            response.stream = _Bounded(response.stream, self)
        if response.request.method == "GET" and "last-event-id" in response.request.headers and self._resumed:
            self._resumed()

    @property
    def status(self) -> int | None:
        """The last failing status."""
        return self._statuses.get(None)

    def too_large(self) -> BackendFault:
        """The body of the request at hand passed the cap."""
        fault = self._faults[asked.get()] = FrameTooLarge(f"sent one message over {MAX_FRAME // MIB} MiB")
        return fault

    def explain(self, wording: str, request_id: int | str | None = None) -> BackendFault | None:
        """The typed fault that stands behind a failed request, if HTTP knows one; told once."""
        fault = self._faults.pop(request_id, None) or self._faults.pop(None, None)
        status = self._statuses.pop(request_id, None) or self._statuses.get(None)
        if fault is not None:
            return fault
        if status in (401, 403) and self.bearer is not None and self.bearer.fault is not None:
            return self.bearer.fault
        if wording in _STAND_INS:
            return None if status is None else refused_by_status(status)
        return next((kind(said) for start, kind, said in _SDK_SENTENCES if wording.startswith(start)), None)


def refused_by_status(status: int) -> BackendRefused:
    """What a failing HTTP status means for the person who wrote the config."""
    return BackendRefused(f"answered HTTP {status}: {_MEANINGS.get(status, 'its own log may say why')}")


@asynccontextmanager
async def open_http(spec: ServerSpec) -> AsyncIterator[Channel]:
    """Streamable HTTP."""
    memory = _memory(spec)
    async with (
        bounded_client(memory, headers=dict(spec.headers), auth=memory.bearer) as client,
        streamable_http_client(spec.url, http_client=client, max_sse_event_size=MAX_FRAME) as (read, write),
    ):
        yield Channel(read, write, memory.explain, memory.on_resume)


@asynccontextmanager
async def open_sse(spec: ServerSpec) -> AsyncIterator[Channel]:
    """The older HTTP+SSE transport."""
    memory = _memory(spec)

    def factory(
        headers: dict[str, str] | None = None,
        timeout: httpx2.Timeout | None = None,
        auth: httpx2.Auth | None = None,
    ) -> httpx2.AsyncClient:
        return bounded_client(memory, headers=headers, timeout=timeout, auth=auth)

    opened = sse_client(
        spec.url, headers=dict(spec.headers), httpx_client_factory=factory, auth=memory.bearer
    )
    try:
        async with opened as (read, write):
            yield Channel(read, write, memory.explain)
    except httpx2.HTTPStatusError as error:
        if memory.bearer is None or memory.bearer.fault is None:
            raise
        raise memory.bearer.fault from error


def _memory(spec: ServerSpec) -> HttpMemory:
    from toolbooth.catalog.connect.oauth.bearer import (
        bearer_for,
    )  # its room signs in over a client of this file

    return HttpMemory(bearer_for(spec))


def bounded_client(memory: HttpMemory, **options: Any) -> httpx2.AsyncClient:
    """An HTTP client that reads no endless body and remembers what failed."""
    options = {key: value for key, value in options.items() if value is not None}
    options.setdefault("timeout", httpx2.Timeout(30.0, read=CALL_TIMEOUT * 5))
    # Uncompressed, because the cap counts bytes on the wire: 16 MiB of gzip can hold gigabytes.
    options["headers"] = {**(options.get("headers") or {}), "accept-encoding": "identity"}
    return httpx2.AsyncClient(event_hooks={"response": [memory.note]}, **options)


class _Bounded(httpx2.AsyncByteStream):
    """A response body that ends in FrameTooLarge at the cap."""

    def __init__(self, inner: httpx2.AsyncByteStream, memory: HttpMemory) -> None:
        self._inner, self._memory = inner, memory

    async def __aiter__(self) -> AsyncIterator[bytes]:
        size = 0
        async for chunk in self._inner:
            size += len(chunk)
            if size > MAX_FRAME:
                raise self._memory.too_large()
            yield chunk

    async def aclose(self) -> None:
        await self._inner.aclose()
