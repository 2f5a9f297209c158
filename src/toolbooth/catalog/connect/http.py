"""Streamable HTTP connections, and the record of how their requests failed.

The SDK reports a failed request with a generic message. `HttpFailures` watches the HTTP responses below it, so that a
fault can name the status, the size or the token that caused it.
"""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import anyio
import httpx2
from mcp.client.streamable_http import streamable_http_client

from toolbooth import errors, limits, safetext
from toolbooth.catalog.connect.transport import CONNECTION_CLOSED, Channel, asked
from toolbooth.catalog.http_clients import BodyTooLarge, ResponseRefused, http_client
from toolbooth.catalog.server_spec import ServerSpec

if TYPE_CHECKING:
    from toolbooth.catalog.connect.oauth.bearer import StoredBearer

# The beginnings of the SDK's messages for failures below the protocol, and what each one means.
_SDK_SENTENCES: tuple[tuple[str, type[errors.BackendFault], str], ...] = (
    ("Failed to parse", errors.BackendProtocolError, "sent invalid JSON"),
    (
        "Unexpected content type",
        errors.BackendProtocolError,
        "answered with something other than MCP; is the URL right?",
    ),
    (
        "SSE stream failed: Server-sent event exceeded",
        errors.FrameTooLarge,
        f"sent one message over {limits.MAX_FRAME // limits.MIB} MiB",
    ),
    ("SSE stream failed", errors.BackendProtocolError, "broke off its event stream"),
    ("SSE stream ended", errors.BackendCrashed, "closed the connection"),
    ("Redirect to", errors.BackendRefused, "redirects to another address; put that one in the config"),
)
# The SDK's messages where the server gave no JSON-RPC error of its own: the HTTP status says more.
_STAND_INS = frozenset(
    {CONNECTION_CLOSED, "Server returned an error response", "Not Found", "Session terminated"}
)
_MEANINGS = {
    401: "it needs a key; add one under `headers`, or sign in with `toolbooth auth`",
    403: "the key does not allow this",
    404: "nothing is served at this path",
    405: "this address uses another transport",
    307: "it redirects; put the address it redirects to in the config",
    308: "it redirects; put the address it redirects to in the config",
    429: "too many requests; try again later",
}


class HttpFailures:
    """How requests failed, by request id, which the SDK does not pass on. `bearer` explains refused tokens."""

    def __init__(self, bearer: "StoredBearer | None" = None) -> None:
        self.bearer = bearer
        self._statuses: dict[int | str | None, int | None] = {}
        self._faults: dict[int | str | None, errors.BackendFault] = {}
        self._resumed: Callable[[], None] | None = None
        self._streams: list[float] = []  # when each of the last few was requested

    def on_resume(self, tell: Callable[[], None]) -> None:
        """Call `tell` whenever a closed stream is requested again."""
        self._resumed = tell

    async def pace(self, request: httpx2.Request) -> None:
        """Request hook of the HTTP client: limits how often a server can make the SDK request a closed stream."""
        if request.method != "GET":
            return
        if len(self._streams) == limits.STREAM_BURST:
            await anyio.sleep(
                self._streams.pop(0) + limits.STREAM_BURST * limits.STREAM_PAUSE - anyio.current_time()
            )
        self._streams.append(anyio.current_time())

    async def note(self, response: httpx2.Response) -> None:
        """Response hook of the HTTP client: record a failing status."""
        status = response.status_code if response.status_code >= 400 else None
        if status is None:
            self._statuses.pop(asked.get(), None)
        else:
            self._statuses[asked.get()] = self._statuses[None] = status
        if response.request.method == "GET" and "last-event-id" in response.request.headers and self._resumed:
            self._resumed()

    @property
    def status(self) -> int | None:
        """The last HTTP status that was an error."""
        return self._statuses.get(None)

    def refuse(self, refused: ResponseRefused) -> None:
        """Record that the response to the current request is not read."""
        self._faults[asked.get()] = refusal_fault(refused)

    def explain(self, wording: str, request_id: int | str | None = None) -> errors.BackendFault | None:
        """The typed fault behind a failed request, if HTTP recorded one; each is returned once."""
        fault = self._faults.pop(request_id, None) or self._faults.pop(None, None)
        status = self._statuses.pop(request_id, None) or self._statuses.get(None)
        if fault is not None:
            return fault
        if status in (401, 403) and self.bearer is not None and self.bearer.fault is not None:
            return self.bearer.fault
        if wording in _STAND_INS:
            return None if status is None else refused_by_status(status)
        return next((kind(said) for start, kind, said in _SDK_SENTENCES if wording.startswith(start)), None)


def refusal_fault(refused: ResponseRefused) -> errors.BackendFault:
    """The fault of a request whose response is not read."""
    return (errors.FrameTooLarge if isinstance(refused, BodyTooLarge) else errors.BackendProtocolError)(
        str(refused)
    )


def refused_by_status(status: int) -> errors.BackendRefused:
    """The fault of a failing HTTP status, with advice for the person who wrote the config."""
    return errors.BackendRefused(
        f"answered HTTP {status}: {_MEANINGS.get(status, 'its own log may say why')}"
    )


def http_fault(error: BaseException) -> errors.BackendFault | None:
    """The fault of an HTTP client's exception; None for any other exception."""
    if isinstance(error, ResponseRefused):
        return refusal_fault(error)
    if isinstance(error, httpx2.HTTPStatusError):
        return refused_by_status(error.response.status_code)
    if isinstance(error, httpx2.ConnectError | httpx2.InvalidURL | httpx2.UnsupportedProtocol):
        return errors.BackendNotFound(
            f"could not be reached: {safetext.for_terminal(str(error)) or 'connection failed'}"
        )
    if isinstance(error, httpx2.TimeoutException):
        return errors.BackendTimeout("did not answer in time")
    if isinstance(error, httpx2.NetworkError | httpx2.RemoteProtocolError):
        return errors.BackendCrashed("closed the connection before it answered")
    if isinstance(error, httpx2.SSEError) and "exceeded" in str(error):
        return errors.FrameTooLarge(f"sent one message over {limits.MAX_FRAME // limits.MIB} MiB")
    if isinstance(error, httpx2.HTTPError | httpx2.StreamError):
        return errors.BackendProtocolError(f"broke off its answer ({type(error).__name__})")
    return None


@asynccontextmanager
async def open_http(spec: ServerSpec) -> AsyncIterator[Channel]:
    """Connect to a server over Streamable HTTP."""
    failures = failures_for(spec)
    async with (
        server_client(failures, headers=dict(spec.headers), auth=failures.bearer) as client,
        streamable_http_client(spec.url, http_client=client, max_sse_event_size=limits.MAX_FRAME) as (
            read,
            write,
        ),
    ):
        yield Channel(read, write, failures.explain, failures.on_resume)


def failures_for(spec: ServerSpec) -> HttpFailures:
    """A new record for one connection."""
    # Imported here because the OAuth package imports this module.
    from toolbooth.catalog.connect.oauth.bearer import bearer_for

    return HttpFailures(bearer_for(spec))


def server_client(failures: HttpFailures, **options: Any) -> httpx2.AsyncClient:
    """An HTTP client for one server, which records its failures."""
    options = {key: value for key, value in options.items() if value is not None}
    options.setdefault("timeout", httpx2.Timeout(30.0, read=limits.CALL_TIMEOUT * 5))
    return http_client(
        limits.MAX_FRAME,
        header_deadlines=True,
        count_parts=True,
        on_request=failures.pace,
        on_response=failures.note,
        on_refusal=failures.refuse,
        **options,
    )
