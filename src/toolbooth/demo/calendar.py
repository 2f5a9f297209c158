"""The demo server `calendar`: tools to look up, plan and change the events of a season."""

from dataclasses import asdict
from datetime import timedelta
from itertools import islice
from typing import Any

from toolbooth.demo.calendar_data import CALENDARS, Diary, Slot, moment
from toolbooth.demo.schemas import choice, flag, gives, many, takes, text, whole
from toolbooth.demo.toolkit import ADD, DELETE, READ, SET, DemoServer, ToolError
from toolbooth.demo.world import NOW, stamp

server = DemoServer(
    name="calendar",
    title="Demo calendar",
    instructions=(
        "Calendars of Larkfield Ferries: team, harbour and personal. Times are UTC in ISO 8601; now is "
        "2026-03-16T09:00:00Z. Working hours are 08:00 to 17:00 on weekdays. Use create_event when the time "
        "is known and schedule_meeting when a free time has to be found."
    ),
    seed=Diary.seeded,
)


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
    """The schema has no maximum; with details the answer is large."""
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


_TITLE = text("Title of the event", minLength=1)
_PEOPLE = many(text(format="email"), "E-mail addresses of the people invited")


@server.tool(
    "Create an event at a known time.",
    takes(
        "title",
        "start",
        "end",
        title=_TITLE,
        start=TIME,
        end=TIME,
        calendar=choice("Calendar to write to", *CALENDARS, default="team"),
        location=text(),
        attendees=_PEOPLE,
        description=text(),
    ),
    outputs=EVENT,
    hints=ADD,
)
def create_event(
    diary: Diary,
    title: str,
    start: str,
    end: str,
    calendar: str = "team",
    location: str = "",
    attendees: list[str] | None = None,
    description: str = "",
) -> dict[str, Any]:
    """Overlaps are allowed, as in every calendar."""
    slot = Slot(moment(start), moment(end))
    return asdict(diary.add(calendar, title, slot, location, attendees or [], description))


@server.tool(
    "Schedule a meeting with one or more people at the first time at which all of them are free. You give "
    "the people, the length and the days between which the meeting may take place, and the tool looks "
    "through the calendars of all attendees, skips weekends and everything outside of working hours (08:00 "
    "to 17:00 UTC), takes the earliest slot that fits, writes the event to the team calendar, and invites "
    "everybody. Use this tool when the user says things like 'set up a meeting with', 'find a time for', "
    "'get us together next week' or 'book half an hour with'. Do NOT use this tool when the user already "
    "names a time: use create_event for that, because schedule_meeting never asks and never offers "
    "alternatives. Do NOT use it to move a meeting that exists already: use update_event. If you only want "
    "to know when people are free without booking anything, use find_free_slots. When no slot is long "
    "enough, the call fails and nothing is written; widen the window or shorten the meeting and try again. "
    "All addresses must be written in full. An address that nobody has is treated as a person who is "
    "always free, so check the spelling first.",
    takes(
        "title",
        "attendees",
        title=_TITLE,
        attendees=_PEOPLE | {"minItems": 1},
        duration_minutes=whole("Length of the meeting", default=30, minimum=15, maximum=480),
        earliest=text("Not before this time; now, if left out", format="date-time"),
        latest=text("Not after this time; two weeks after the earliest, if left out", format="date-time"),
    ),
    hints=ADD,
)
def schedule_meeting(
    diary: Diary,
    title: str,
    attendees: list[str],
    duration_minutes: int = 30,
    earliest: str | None = None,
    latest: str | None = None,
) -> dict[str, Any]:
    """The first slot that fits."""
    since = moment(earliest or stamp(NOW))
    until = min(moment(latest) if latest else since + timedelta(weeks=2), since + timedelta(days=92))
    slot = next(diary.free(attendees, Slot(since, until), duration_minutes), None)
    if slot is None:
        raise ToolError(
            f"Nobody found {duration_minutes} free minutes between {stamp(since)} and {stamp(until)}"
        )
    return asdict(diary.add("team", title, slot, "", attendees, ""))


@server.tool(
    "Change an event. What is left out stays as it is.",
    takes(
        "event_id",
        event_id=text(),
        title=text(),
        start=TIME,
        end=TIME,
        location=text(),
        attendees=_PEOPLE,
        description=text(),
    ),
    outputs=EVENT,
    hints=SET,
)
def update_event(diary: Diary, event_id: str, **changes: Any) -> dict[str, Any]:
    """The event after the change."""
    event = diary.event(event_id)
    times = {key: stamp(moment(changes[key])) for key in ("start", "end") if key in changes}
    if moment(times.get("end", event.end)) <= moment(times.get("start", event.start)):
        raise ToolError("The end must come after the start")
    for key, value in (changes | times).items():
        setattr(event, key, value)
    return asdict(event)


@server.tool("Delete an event.", takes("event_id", event_id=text()), hints=DELETE)
def delete_event(diary: Diary, event_id: str) -> str:
    """One line."""
    title = diary.event(event_id).title
    del diary.events[event_id]
    return f"Deleted {event_id}: {title}"
