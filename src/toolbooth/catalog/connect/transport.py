"""The transport interface, and its implementation over the SDK's HTTP client.

A transport sends messages, delivers the messages that arrive, and says why it ended. The SDK's HTTP client provides
a pair of message streams (`Channel`); `SdkTransport` adapts such a pair to the interface.
"""

from collections.abc import Callable, Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, Protocol

import anyio
from anyio.streams.memory import MemoryObjectReceiveStream
from mcp.shared.message import ClientMessageMetadata, SessionMessage
from mcp_types import (
    JSONRPCError,
    JSONRPCMessage,
    JSONRPCNotification,
    JSONRPCRequest,
    JSONRPCResponse,
)

from toolbooth import errors, limits
from toolbooth.catalog.connect.messages import (
    BrokenMessage,
    ErrorResponse,
    Message,
    Notice,
    Response,
    ServerRequest,
    too_many_items,
)
from toolbooth.catalog.connect.sdk_private import ReadStream, WriteStream

Deliver = Callable[[Message, "int | str | None"], None]
"""Takes a message, and the id of the request of ours that it belongs to, if the transport knows it."""


class Transport(Protocol):
    """A duplex stream of JSON-RPC messages."""

    def send(self, message: Mapping[str, Any], headers: Mapping[str, str] | None = None) -> None:
        """Send without waiting. On a transport that has ended this does nothing; `run` returns the reason."""
        ...

    async def run(self, deliver: Deliver) -> errors.BackendFault:
        """Deliver messages until the transport ends; returns the reason."""
        ...

    def explain(self, wording: str, request_id: int | str | None) -> errors.BackendFault | None:
        """The fault behind an error with this message, if it comes from the transport and not from the server."""
        ...


CONNECTION_CLOSED = "Connection closed"  # the SDK's message to every caller that is still waiting


# The SDK runs everything that belongs to a request, in both directions, in the context of its sender.
asked: ContextVar[int | str | None] = ContextVar("asked", default=None)


class Explains(Protocol):
    """The fault behind an error with this message, if it comes from the transport and not from the server."""

    def __call__(self, wording: str, request_id: int | str | None = None) -> errors.BackendFault | None: ...


def _never_resumed(_tell: Callable[[], None]) -> None:
    return None


@dataclass(frozen=True)
class Channel:
    """A pair of message streams, as the SDK provides them, and what HTTP knows of failed requests."""

    read: ReadStream[SessionMessage | Exception]
    write: WriteStream[SessionMessage]
    explain: Explains
    on_resume: Callable[[Callable[[], None]], None] = _never_resumed
    """Registers a callback. It runs in the context of a request whose stream was closed and is requested again."""


STREAM_CLOSED = "toolbooth/stream_closed"
"""A notification of our own: the server closed a request's stream before it answered, and is asked for it again."""


class SdkTransport:
    """Sends through a queue: the SDK's streams must be awaited, and `send` does not wait."""

    def __init__(self, channel: Channel) -> None:
        self._channel = channel
        self._outbox, self._queue = anyio.create_memory_object_stream[SessionMessage](limits.MAX_UNSENT)

    def send(self, message: Mapping[str, Any], headers: Mapping[str, str] | None = None) -> None:
        """Queue a message. A queue is full only if the server takes nothing; its calls then time out."""
        metadata = ClientMessageMetadata(headers=dict(headers)) if headers else None
        try:
            self._outbox.send_nowait(SessionMessage(_model(message), metadata))
        except (anyio.WouldBlock, anyio.BrokenResourceError, anyio.ClosedResourceError):
            return

    async def run(self, deliver: Deliver) -> errors.BackendFault:
        """Pass messages in both directions until the SDK closes its side."""
        self._channel.on_resume(lambda: deliver(Notice(STREAM_CLOSED, None), asked.get()))
        async with anyio.create_task_group() as tasks, self._outbox:
            tasks.start_soon(self._send_all, self._queue)
            async for item in self._channel.read:
                if isinstance(item, SessionMessage):
                    deliver(_message(item.message), _related(self._channel.read))
            tasks.cancel_scope.cancel()
        return self._channel.explain(CONNECTION_CLOSED) or errors.BackendCrashed("closed the connection")

    def explain(self, wording: str, request_id: int | str | None) -> errors.BackendFault | None:
        """The fault that HTTP recorded for a failed request."""
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
    """The message as the SDK's model; a request of ours is not validated a second time."""
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
        return ServerRequest(model.id, model.method, model.params)
    return Notice(model.method, model.params)
