"""A server spec → a connection that is there when it is needed."""

from toolbooth.gateway.backends.backend import Backend
from toolbooth.gateway.backends.line import CAPABILITY_FOR, DIRECTLY, Ask, Call, Line, key_of
from toolbooth.gateway.backends.listening import listen_for_resource
from toolbooth.gateway.backends.tool_list import News

__all__ = [
    "CAPABILITY_FOR",
    "DIRECTLY",
    "Ask",
    "Backend",
    "Call",
    "Line",
    "News",
    "key_of",
    "listen_for_resource",
]
