"""What a transport gives to the protocol above it: two message streams, and why they ended."""

from dataclasses import dataclass, field
from typing import Protocol

from mcp.client._transport import ReadStream, WriteStream
from mcp.shared.message import SessionMessage

from toolbooth.errors import BackendFault


class Explains(Protocol):
    """Tells why a connection ended, as far as the transport knows."""

    def __call__(self) -> BackendFault | None: ...


def _no_reason() -> BackendFault | None:
    return None


@dataclass(frozen=True)
class Channel:
    """A duplex stream of JSON-RPC messages."""

    read: ReadStream[SessionMessage | Exception]
    write: WriteStream[SessionMessage]
    explain: Explains = field(default=_no_reason)
