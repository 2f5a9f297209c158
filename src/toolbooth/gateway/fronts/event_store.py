"""Messages of a stream → what a client that lost its connection asks for again, within bounds."""

from collections import OrderedDict
from typing import NamedTuple

from mcp.server.streamable_http import EventCallback, EventId, EventMessage, StreamId
from mcp.server.streamable_http import EventStore as Contract
from mcp_types import JSONRPCMessage

from toolbooth.limits import MAX_REPLAYED_EVENTS


class _Event(NamedTuple):
    stream: StreamId
    message: JSONRPCMessage | None


class EventStore(Contract):
    """The last events of all streams of one path, oldest forgotten first."""

    def __init__(self) -> None:
        self._events: OrderedDict[int, _Event] = OrderedDict()
        self._last = 0

    async def store_event(self, stream_id: StreamId, message: JSONRPCMessage | None) -> EventId:
        """Keep one event; its id is its number."""
        self._last += 1
        self._events[self._last] = _Event(stream_id, message)
        if len(self._events) > MAX_REPLAYED_EVENTS:
            self._events.popitem(last=False)
        return str(self._last)

    async def replay_events_after(
        self, last_event_id: EventId, send_callback: EventCallback
    ) -> StreamId | None:
        """What came on the same stream since; None where that is forgotten."""
        number = int(last_event_id) if last_event_id.isdigit() else 0
        event = self._events.get(number)
        if event is None:
            return None
        for later, each in tuple(self._events.items()):
            if later > number and each.stream == event.stream and each.message is not None:
                await send_callback(EventMessage(each.message, str(later)))
        return event.stream
