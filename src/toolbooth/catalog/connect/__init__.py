"""Server specs → live connections and the tools behind them."""

from toolbooth.catalog.connect.connected import connected
from toolbooth.catalog.connect.era import Era
from toolbooth.catalog.connect.face import OWN_FACE, Face
from toolbooth.catalog.connect.framing import Frame, Framer, Oversized
from toolbooth.catalog.connect.gather import Reached, ask, each_at_once, list_timeout, reach, reach_all
from toolbooth.catalog.connect.link import (
    METHOD_NOT_FOUND,
    Link,
    QuestionRefused,
    ServerError,
    own_copy,
    settle,
)
from toolbooth.catalog.connect.listing import list_entries, list_tools
from toolbooth.catalog.connect.messages import Notice, Question, RawResult
from toolbooth.catalog.connect.stream_wire import STREAM_CLOSED

__all__ = [
    "METHOD_NOT_FOUND",
    "OWN_FACE",
    "STREAM_CLOSED",
    "Era",
    "Face",
    "Frame",
    "Framer",
    "Link",
    "Notice",
    "Oversized",
    "Question",
    "QuestionRefused",
    "RawResult",
    "Reached",
    "ServerError",
    "ask",
    "connected",
    "each_at_once",
    "list_entries",
    "list_timeout",
    "list_tools",
    "own_copy",
    "reach",
    "reach_all",
    "settle",
]
