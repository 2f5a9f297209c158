"""What a transport gives to the link above it: messages out, messages in, and why it ended."""

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from toolbooth.catalog.connect.messages import Message
from toolbooth.errors import BackendFault

Deliver = Callable[[Message, "int | str | None"], None]
"""Takes a message, and the id of our request that it belongs to where the transport knows that."""


class Wire(Protocol):
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
