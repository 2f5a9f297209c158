"""What a transport gives to the peer above it: messages out, messages in, and why it ended.

The SDK's HTTP transports give two streams of messages (`Channel`); `SdkTransport` makes one of ours of them.
"""

from collections.abc import Callable, Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, Protocol

import anyio
from anyio.streams.memory import MemoryObjectReceiveStream
from mcp.client._transport import ReadStream, WriteStream
from mcp.shared.message import ClientMessageMetadata, SessionMessage
from mcp_types import (
    JSONRPCError,
    JSONRPCMessage,
    JSONRPCNotification,
    JSONRPCRequest,
    JSONRPCResponse,
)

from toolbooth.catalog.connect.messages import (
    BrokenMessage,
    ErrorResponse,
    Message,
    Notice,
    Question,
    Response,
    too_many_items,
)
from toolbooth.errors import BackendCrashed, BackendFault
from toolbooth.limits import MAX_UNSENT

Deliver = Callable[[Message, "int | str | None"], None]
"""Takes a message, and the id of our request that it belongs to where the transport knows that."""


class Transport(Protocol):
    """A duplex stream of JSON-RPC messages."""

    def send(self, message: Mapping[str, Any], headers: Mapping[str, str] | None = None) -> None:
        """Send without waiting; on a wire that ended nothing happens, `run` says why."""
        ...

    async def run(self, deliver: Deliver) -> BackendFault:
        """Deliver what comes until the wire ends; gives back why it did."""
        ...

    def explain(self, wording: str, request_id: int | str | None) -> BackendFault | None:
        """The fault behind an error of this wording, where it comes from the transport and not the server."""
        ...


CONNECTION_CLOSED = "Connection closed"  # how the SDK words it to every caller that still waits


# The SDK hands the context of a request's sender to everything that is done, and comes, for that request.
asked: ContextVar[int | str | None] = ContextVar("asked", default=None)


class Explains(Protocol):
    """The fault behind an error of this wording, where it comes from the transport and not from the server."""

    def __call__(self, wording: str, request_id: int | str | None = None) -> BackendFault | None: ...


def _never_resumed(_tell: Callable[[], None]) -> None:
    return None


@dataclass(frozen=True)
class Channel:
    """A duplex stream of JSON-RPC messages."""

    read: ReadStream[SessionMessage | Exception]
    write: WriteStream[SessionMessage]
    explain: Explains
    on_resume: Callable[[Callable[[], None]], None] = _never_resumed
    """Tells, in the context of a request, that its server closed the request's stream and is asked again for it."""


STREAM_CLOSED = "toolbooth/stream_closed"
"""A notice of our own: the server closed the stream of a request before its answer, to be asked for it again."""


class SdkTransport:
    """Sends through a queue, since the SDK's streams are awaited and a lean caller does not wait."""

    def __init__(self, channel: Channel) -> None:
        self._channel = channel
        self._outbox, self._queue = anyio.create_memory_object_stream[SessionMessage](MAX_UNSENT)

    def send(self, message: Mapping[str, Any], headers: Mapping[str, str] | None = None) -> None:
        """Queue a message; a full queue belongs to a server that takes nothing, and its calls time out."""
        metadata = ClientMessageMetadata(headers=dict(headers)) if headers else None
        try:
            self._outbox.send_nowait(SessionMessage(_model(message), metadata))
        except (anyio.WouldBlock, anyio.BrokenResourceError, anyio.ClosedResourceError):
            return

    async def run(self, deliver: Deliver) -> BackendFault:
        """Pump both ways until the SDK's transport closes its side."""
        self._channel.on_resume(lambda: deliver(Notice(STREAM_CLOSED, None), asked.get()))
        async with anyio.create_task_group() as tasks, self._outbox:
            tasks.start_soon(self._send_all, self._queue)
            async for item in self._channel.read:
                if isinstance(item, SessionMessage):
                    deliver(_message(item.message), _related(self._channel.read))
            tasks.cancel_scope.cancel()
        return self._channel.explain(CONNECTION_CLOSED) or BackendCrashed("closed the connection")

    def explain(self, wording: str, request_id: int | str | None) -> BackendFault | None:
        """What HTTP knows of a failed request."""
        return self._channel.explain(wording, request_id)

    async def _send_all(self, queue: MemoryObjectReceiveStream[SessionMessage]) -> None:
        async with queue:
            async for item in queue:
                asked.set(item.message.id if isinstance(item.message, JSONRPCRequest) else None)
                try:
                    await self._channel.write.send(item)
                except (anyio.BrokenResourceError, anyio.ClosedResourceError):
                    return


def _related(stream: object) -> int | str | None:
    context = getattr(stream, "last_context", None)
    return None if context is None else context.get(asked)


def _model(message: Mapping[str, Any]) -> JSONRPCMessage:
    """The SDK's own shape, built without a second validation."""
    if "method" not in message:
        kind = JSONRPCResponse if "result" in message else JSONRPCError
        return kind.model_validate(message)
    return (JSONRPCRequest if "id" in message else JSONRPCNotification).model_construct(**message)


def _message(model: JSONRPCMessage) -> Message:
    if isinstance(model, JSONRPCResponse):
        excess = too_many_items(model.result)
        number = model.id if isinstance(model.id, int) else None
        return Response(model.id, model.result) if excess is None else BrokenMessage(excess, number)
    if isinstance(model, JSONRPCError):
        return ErrorResponse(model.id, model.error.code, model.error.message, model.error.data)
    if isinstance(model, JSONRPCRequest):
        return Question(model.id, model.method, model.params)
    return Notice(model.method, model.params)
