"""Messages of a stream → what a client that lost its connection asks for again, within bounds."""

from collections import OrderedDict
from typing import NamedTuple

from mcp.server.streamable_http import EventCallback, EventId, EventMessage, EventStore, StreamId
from mcp_types import JSONRPCMessage

from toolbooth.limits import MAX_REPLAYED_BYTES, MAX_REPLAYED_EVENTS


class _Event(NamedTuple):
    session: "SessionEvents"
    stream: StreamId
    message: JSONRPCMessage | None
    size: int


class EventShelf:
    """The last events of all sessions, oldest forgotten first."""

    def __init__(self, most: int = MAX_REPLAYED_EVENTS, room: int = MAX_REPLAYED_BYTES) -> None:
        self._events: OrderedDict[int, _Event] = OrderedDict()
        self._most, self._room = most, room
        self._last = 0

    def session(self) -> "SessionEvents":
        """The events of one session: the ids of its streams are its client's request ids, so others have the same."""
        return SessionEvents(self)

    def put(self, session: "SessionEvents", stream: StreamId, message: JSONRPCMessage | None) -> int:
        """Keep one event; its id is its number."""
        self._last += 1
        size = 0 if message is None else len(message.model_dump_json())
        self._events[self._last] = _Event(session, stream, message, size)
        self._room -= size
        while len(self._events) > self._most or self._room < 0:
            self._room += self._events.popitem(last=False)[1].size
        return self._last

    def after(self, session: "SessionEvents", number: int) -> tuple[StreamId, list[EventMessage]] | None:
        """The stream of an event of this session and what came on it later; None where it is not known."""
        event = self._events.get(number)
        if event is None or event.session is not session:
            return None
        later = [
            EventMessage(each.message, str(at))
            for at, each in self._events.items()
            if at > number and each[:2] == event[:2] and each.message is not None
        ]
        return event.stream, later


class SessionEvents(EventStore):
    """The part of the shelf that one session may see."""

    def __init__(self, shelf: EventShelf) -> None:
        self._shelf = shelf

    async def store_event(self, stream_id: StreamId, message: JSONRPCMessage | None) -> EventId:
        """Keep one event."""
        return str(self._shelf.put(self, stream_id, message))

    async def replay_events_after(
        self, last_event_id: EventId, send_callback: EventCallback
    ) -> StreamId | None:
        """What came on the same stream since; None where that is forgotten, or was never this session's."""
        known = self._shelf.after(self, int(last_event_id)) if _is_number(last_event_id) else None
        if known is None:
            return None
        stream, later = known
        for each in later:
            await send_callback(each)
        return stream


def _is_number(text: str) -> bool:
    """An id of ours; `isdigit` alone takes `²` too, and Python refuses to read thousands of digits."""
    return text.isascii() and text.isdigit() and len(text) < 20
