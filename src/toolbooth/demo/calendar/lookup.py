"""Times, ids and words → events and free time."""

from dataclasses import asdict
from itertools import islice
from typing import Any

from toolbooth.demo.calendar.diary import CALENDARS, Diary, Slot, moment
from toolbooth.demo.calendar.server import server
from toolbooth.demo.schemas import choice, flag, gives, many, takes, text, whole
from toolbooth.demo.toolkit import READ, ToolError
from toolbooth.demo.world import stamp

TIME = text("Time in ISO 8601, UTC", format="date-time")
EVENT = gives(
    "id",
    "calendar",
    "title",
    "start",
    "end",
    id=text(),
    calendar=choice("", *CALENDARS),
    title=text(),
    start=text(format="date-time"),
    end=text(format="date-time"),
    location=text(),
    attendees=many(text(format="email")),
    description=text(),
)


@server.tool(
    "List events between two times, earliest first.",
    takes(
        start=TIME,
        end=TIME,
        calendar=choice("Only this calendar", *CALENDARS),
        attendee=text("Only events of this e-mail address"),
        includeDetails=flag("Also return attendees and descriptions", default=False),
        maxResults=whole("How many events to return", default=250, minimum=1),
    ),
    hints=READ,
)
def list_events(
    diary: Diary,
    start: str = "2000-01-01T00:00:00Z",
    end: str = "2100-01-01T00:00:00Z",
    calendar: str | None = None,
    attendee: str | None = None,
    includeDetails: bool = False,
    maxResults: int = 250,
) -> dict[str, Any]:
    """No maximum in the schema; with details the answer is fat."""
    since, until = moment(start), moment(end)
    events = [
        event
        for event in diary.ordered()
        if since <= moment(event.start) < until
        and calendar in (None, event.calendar)
        and (attendee is None or attendee in event.attendees)
    ]
    shown = [asdict(event) if includeDetails else event.summary() for event in events[:maxResults]]
    return {"total": len(events), "events": shown}


@server.tool(
    "Get one event with attendees and description.",
    takes("event_id", event_id=text("For example evt-0042")),
    outputs=EVENT,
    hints=READ,
)
def get_event(diary: Diary, event_id: str) -> dict[str, Any]:
    """The whole event."""
    return asdict(diary.event(event_id))


@server.tool(
    "Search events by words in title, location or description.",
    takes(
        "query",
        query=text("Words to look for", minLength=1),
        limit=whole("Maximum number of events", default=20, minimum=1, maximum=100),
    ),
    hints=READ,
)
def search_events(diary: Diary, query: str, limit: int = 20) -> dict[str, Any]:
    """All words must occur."""
    words = query.lower().split()
    found = [
        event.summary()
        for event in diary.ordered()
        if all(word in f"{event.title} {event.location} {event.description}".lower() for word in words)
    ]
    return {"total": len(found), "events": found[:limit]}


@server.tool(
    "Find times at which all given people are free, within working hours.",
    takes(
        "attendees",
        "start",
        "end",
        attendees=many(text(format="email"), "E-mail addresses", minItems=1),
        start=TIME,
        end=TIME,
        duration_minutes=whole("Length of the slot", default=30, minimum=15, maximum=480),
        limit=whole("Maximum number of slots", default=10, minimum=1, maximum=50),
    ),
    outputs=gives("slots", slots=many(gives("start", "end", start=text(), end=text()))),
    hints=READ,
)
def find_free_slots(
    diary: Diary, attendees: list[str], start: str, end: str, duration_minutes: int = 30, limit: int = 10
) -> dict[str, Any]:
    """Half-hour steps."""
    window = Slot(moment(start), moment(end))
    if (window.end - window.start).days > 92:
        raise ToolError("Ask for at most 92 days")
    slots = islice(diary.free(attendees, window, duration_minutes), limit)
    return {"slots": [{"start": stamp(slot.start), "end": stamp(slot.end)} for slot in slots]}
