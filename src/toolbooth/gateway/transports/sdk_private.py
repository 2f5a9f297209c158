"""The private attributes of the SDK that the transports need, touched in this file and nowhere else.

Each has a test, so that a new version of the SDK that renames one fails there and not at a client.
"""

from typing import Any

from mcp.server.connection import Connection
from mcp.server.context import ServerRequestContext
from mcp.server.streamable_http import GET_STREAM_KEY, StreamableHTTPServerTransport
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.shared.dispatcher import DispatchContext

Context = ServerRequestContext[Any, Any]


def connection_of(context: Context) -> Connection:
    """The connection of a request, with a state dictionary and an exit stack of its own."""
    return context.session._connection


def request_channel(context: Context) -> "DispatchContext[Any]":
    """The stream of one request, for what is sent while it is answered."""
    return context.session._request_outbound


def has_open_request(transport: StreamableHTTPServerTransport, number: object) -> bool:
    """Whether a request of this id is open on a session."""
    return str(number) in transport._request_streams


def only_listens(transport: StreamableHTTPServerTransport) -> bool:
    """Whether the only open request of a session is its stream for messages outside requests."""
    return transport._requests_in_flight == 1 and GET_STREAM_KEY in transport._request_streams


class SessionManager(StreamableHTTPSessionManager):
    """The SDK's manager with its table of sessions, and with the hook for a new one, under public names."""

    @property
    def transports(self) -> dict[str, StreamableHTTPServerTransport]:
        """The open sessions by their ids."""
        return self._server_instances

    def admit_session(self, requestor: Any) -> StreamableHTTPServerTransport | None:
        """Open a session for a client; None at the limit."""
        return super()._admit_session(requestor)

    def end_session(self, session: str) -> None:
        """End a session as if it had been idle for too long."""
        scope = self._server_instances.pop(session).idle_scope
        self._session_owners.pop(session, None)
        if scope is not None:
            scope.cancel()

    def _admit_session(self, requestor: Any) -> StreamableHTTPServerTransport | None:
        return self.admit_session(requestor)
