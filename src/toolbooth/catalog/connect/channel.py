"""What the SDK's transports give to the wire above them: two message streams, and why requests failed."""

from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Protocol

from mcp.client._transport import ReadStream, WriteStream
from mcp.shared.message import SessionMessage

from toolbooth.errors import BackendFault

CLOSED = "Connection closed"  # how the SDK words it to every caller that still waits


# The SDK hands the context of a request's sender to everything that is done, and comes, for that request.
asked: ContextVar[int | str | None] = ContextVar("asked", default=None)


class Explains(Protocol):
    """The fault behind an error of this wording, where it comes from the transport and not from the server."""

    def __call__(self, wording: str, request_id: int | str | None = None) -> BackendFault | None: ...


def _never(_tell: Callable[[], None]) -> None:
    return None


@dataclass(frozen=True)
class Channel:
    """A duplex stream of JSON-RPC messages."""

    read: ReadStream[SessionMessage | Exception]
    write: WriteStream[SessionMessage]
    explain: Explains
    on_resume: Callable[[Callable[[], None]], None] = _never
    """Tells, in the context of a request, that its server closed the request's stream and is asked again for it."""
