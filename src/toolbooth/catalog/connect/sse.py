"""The transport over HTTP with server-sent events, which older servers use.

Messages arrive on one event stream and are sent by POST. The SDK's client is not used: it waits for the `endpoint`
event without a deadline, and hangs if that event names another origin.
"""

from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import anyio
import httpx2
from anyio.streams.memory import MemoryObjectReceiveStream

from toolbooth import errors, limits, safetext
from toolbooth.catalog.connect import http, messages, transport
from toolbooth.catalog.connect.oauth.address import same_origin
from toolbooth.catalog.connect.sdk_private import request_within_origin, sse_within_origin
from toolbooth.catalog.server_spec import ServerSpec
from toolbooth.catalog.strict_json import encode_line

Events = AsyncIterator[httpx2.ServerSentEvent]


@asynccontextmanager
async def open_sse(spec: ServerSpec) -> AsyncIterator["SseTransport"]:
    """Open the event stream and read the endpoint from it, both within the spec's deadline."""
    failures = http.failures_for(spec)
    async with AsyncExitStack() as stack:
        client = await stack.enter_async_context(
            http.server_client(failures, headers=dict(spec.headers), auth=failures.bearer)
        )
        try:
            with anyio.fail_after(spec.timeout):
                opened = sse_within_origin(client, spec.url, max_event_size=limits.MAX_FRAME)
                source = await stack.enter_async_context(opened)
                source.response.raise_for_status()
                events = aiter(source)
                endpoint = await _endpoint(events, httpx2.URL(spec.url))
        except TimeoutError:
            raise errors.BackendTimeout(f"did not open an event stream within {spec.timeout:g} s") from None
        except httpx2.HTTPStatusError as error:
            if failures.bearer is None or failures.bearer.fault is None:
                raise
            raise failures.bearer.fault from error
        yield SseTransport(client, events, endpoint, failures)


async def _endpoint(events: Events, stream: httpx2.URL) -> httpx2.URL:
    """Where to send messages. It must be on the same origin, because it receives the headers for this server."""
    async for event in events:
        if event.event != "endpoint":
            continue
        try:
            endpoint = stream.join(event.data)
        except httpx2.InvalidURL:
            raise errors.BackendProtocolError("named an endpoint that is not a valid URL") from None
        if not same_origin(endpoint, stream):
            raise errors.BackendProtocolError(f"named an endpoint on another origin ({_origin(endpoint)})")
        return endpoint
    raise errors.BackendCrashed("closed its event stream before it named an endpoint")


def _origin(url: httpx2.URL) -> str:
    return safetext.for_terminal(f"{url.scheme}://{url.host}", 80)


class SseTransport:
    """Sends messages through a queue, one after the other."""

    def __init__(
        self, client: httpx2.AsyncClient, events: Events, endpoint: httpx2.URL, failures: http.HttpFailures
    ) -> None:
        self._client, self._events, self._endpoint, self._failures = client, events, endpoint, failures
        self._outbox, self._queue = anyio.create_memory_object_stream[Mapping[str, Any]](limits.MAX_UNSENT)

    def send(self, message: Mapping[str, Any], headers: Mapping[str, str] | None = None) -> None:  # noqa: ARG002
        """Queue a message. A queue is full only if the server takes nothing; its calls then time out."""
        try:
            self._outbox.send_nowait(message)
        except (anyio.WouldBlock, anyio.BrokenResourceError, anyio.ClosedResourceError):
            return

    async def run(self, deliver: transport.Deliver) -> errors.BackendFault:
        """Deliver messages until the event stream ends; returns the reason."""
        async with anyio.create_task_group() as tasks, self._outbox:
            tasks.start_soon(self._send_all, self._queue, deliver)
            try:
                async for event in self._events:
                    if event.event == "message" and event.data:
                        for message in messages.read_messages(event.data.encode()):
                            deliver(message, None)
                fault: errors.BackendFault | None = None
            except Exception as error:
                fault = http.http_fault(error)
                if fault is None:
                    raise
            tasks.cancel_scope.cancel()
        return (
            fault
            or self.explain(transport.CONNECTION_CLOSED, None)
            or errors.BackendCrashed("closed the connection")
        )

    def explain(self, wording: str, request_id: int | str | None) -> errors.BackendFault | None:
        """The fault that HTTP recorded for a failed request."""
        return self._failures.explain(wording, request_id)

    async def _send_all(
        self, queue: MemoryObjectReceiveStream[Mapping[str, Any]], deliver: transport.Deliver
    ) -> None:
        async with queue:
            async for message in queue:
                number = message.get("id") if "method" in message else None
                transport.asked.set(number)
                fault = await self._post(message)
                if fault is not None and isinstance(number, int):
                    deliver(messages.BrokenMessage(fault, number), None)

    async def _post(self, message: Mapping[str, Any]) -> errors.BackendFault | None:
        try:
            with anyio.fail_after(limits.CALL_TIMEOUT):
                response = await request_within_origin(
                    self._client,
                    "POST",
                    self._endpoint,
                    content=encode_line(message),
                    headers={"content-type": "application/json"},
                )
                response.raise_for_status()
        except TimeoutError:
            return errors.BackendTimeout("did not accept a message in time")
        except Exception as error:
            fault = http.http_fault(error)
            if fault is None:
                raise
            refused = self._failures.bearer.fault if self._failures.bearer is not None else None
            return refused if isinstance(error, httpx2.HTTPStatusError) and refused else fault
        return None
