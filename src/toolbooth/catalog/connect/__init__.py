"""Connections to servers: transports, protocol negotiation, requests, and the lists that servers offer."""

from toolbooth.catalog.connect.connecting import connected
from toolbooth.catalog.connect.joined_writes import JoinedWrites, take_all
from toolbooth.catalog.connect.listing import (
    Reached,
    ask,
    each_at_once,
    list_entries,
    list_timeout,
    list_tools,
    reach,
    reach_all,
)
from toolbooth.catalog.connect.messages import Notice, RawResult, ServerRequest
from toolbooth.catalog.connect.peer import (
    METHOD_NOT_FOUND,
    Peer,
    QuestionRefused,
    ServerError,
    copy_fault,
    settle,
)
from toolbooth.catalog.connect.protocol import (
    MEASURING_IDENTITY,
    TOOLBOOTH_IDENTITY,
    ClientIdentity,
    NegotiatedProtocol,
)
from toolbooth.catalog.connect.stdio import Frame, Framer, Oversized
from toolbooth.catalog.connect.transport import STREAM_CLOSED

__all__ = [
    "MEASURING_IDENTITY",
    "METHOD_NOT_FOUND",
    "STREAM_CLOSED",
    "TOOLBOOTH_IDENTITY",
    "ClientIdentity",
    "Frame",
    "Framer",
    "JoinedWrites",
    "NegotiatedProtocol",
    "Notice",
    "Oversized",
    "Peer",
    "QuestionRefused",
    "RawResult",
    "Reached",
    "ServerError",
    "ServerRequest",
    "ask",
    "connected",
    "copy_fault",
    "each_at_once",
    "list_entries",
    "list_timeout",
    "list_tools",
    "reach",
    "reach_all",
    "settle",
    "take_all",
]
