"""Titles, people and times → new, changed and removed events."""

from dataclasses import asdict
from datetime import timedelta
from typing import Any

from toolbooth.demo.calendar.diary import CALENDARS, Diary, Slot, moment
from toolbooth.demo.calendar.lookup import EVENT, TIME
from toolbooth.demo.calendar.server import server
from toolbooth.demo.schemas import choice, many, takes, text, whole
from toolbooth.demo.toolkit import ADD, DELETE, SET, ToolError
from toolbooth.demo.world import NOW, stamp

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
