"""The open sessions of one surface over HTTP → which one goes when the table is full and a new client comes.

A client may open sessions and never come back; each would stand for an hour. When there is no room, the oldest idle
session of the address with the most sessions goes, and of these one with the fewest requests: who works keeps the
session. Where none is idle, one that only listens goes. Its client gets 404 if it comes back, and opens another, as
the protocol has it.
"""

import math
from collections import Counter
from collections.abc import Mapping
from contextvars import ContextVar

from mcp.server.streamable_http import GET_STREAM_KEY, StreamableHTTPServerTransport

PEER: "ContextVar[str]" = ContextVar(
    "peer", default=""
)  # the address of the client whose request is being answered


class SessionTable:
    """Who opened which session, and how often it was used since."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._peers: dict[str, str] = {}
        self._requests: Counter[str] = Counter()

    def opened(self, session: str, peer: str) -> None:
        """A new one."""
        self._peers[session] = peer

    def used(self, session: str) -> None:
        """A request came for it."""
        self._requests[session] += 1

    def make_room(self, sessions: Mapping[str, StreamableHTTPServerTransport]) -> str | None:
        """The session that has to go so that another fits; None where there is room, or all are at work."""
        if len(self._peers) > len(sessions):  # some have ended
            self._peers = {session: self._peers.get(session, "") for session in sessions}
            self._requests = Counter({session: self._requests[session] for session in sessions})
        if len(sessions) < self.most:
            return None
        held = Counter(self._peers.values())
        idle = {session: until for session, each in sessions.items() if (until := _idle_until(each))}
        idle = idle or {session: 0.0 for session, each in sessions.items() if _only_listens(each)}
        return min(
            idle, key=lambda each: (-held[self._peers[each]], self._requests[each], idle[each]), default=None
        )


def _idle_until(transport: StreamableHTTPServerTransport) -> float | None:
    """When it would end for want of requests: the sooner, the longer it is idle; None while one is being answered."""
    scope = transport.idle_scope
    if scope is None or scope.cancel_called or math.isinf(scope.deadline):
        return None
    return scope.deadline


def _only_listens(transport: StreamableHTTPServerTransport) -> bool:
    return transport._requests_in_flight == 1 and GET_STREAM_KEY in transport._request_streams
