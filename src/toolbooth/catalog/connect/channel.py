"""What a transport gives to the protocol above it: two message streams, and why they ended."""

from dataclasses import dataclass
from typing import Protocol

from mcp.client._transport import ReadStream, WriteStream
from mcp.shared.message import SessionMessage

from toolbooth.errors import BackendFault

CLOSED = "Connection closed"  # how the SDK words it to every caller that still waits


class Explains(Protocol):
    """The fault behind an error of this wording, where it comes from the transport and not from the server."""

    def __call__(self, wording: str) -> BackendFault | None: ...


@dataclass(frozen=True)
class Channel:
    """A duplex stream of JSON-RPC messages."""

    read: ReadStream[SessionMessage | Exception]
    write: WriteStream[SessionMessage]
    explain: Explains
