"""About 130 generated events of a season in memory, and the free time between them."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple, Self

from toolbooth.demo.toolkit import ToolError
from toolbooth.demo.world import HARBOURS, NOW, PEOPLE, dice, sentence, stamp

CALENDARS = ("team", "harbour", "personal")
_KINDS = (
    "Stand-up", "Fare review", "Crew briefing", "Safety drill", "Design review", "Interview", "Planning",
    "Customer panel", "Ramp inspection", "One on one",
)  # fmt: skip
# Fixed facts that tasks can ask for; everything else is generated around them.
_WRITTEN = (
    ("harbour", "Dry dock of the Kittiwake", "2026-04-21T07:00:00Z", 600, "Grayhaven yard, berth 3", (2, 9)),
    ("team", "Launch of the new seat map", "2026-03-26T13:00:00Z", 60, "Room Lantern", (0, 4, 12)),
    ("personal", "Dentist", "2026-03-18T15:30:00Z", 45, "Mill Lane 7", (0,)),
    ("team", "Budget talk with the board", "2026-04-02T10:00:00Z", 120, "Room Anchor", (1, 6)),
)


class Slot(NamedTuple):
    """A stretch of time."""

    start: datetime
    end: datetime


@dataclass
class Event:
    """One entry of a calendar."""

    id: str
    calendar: str
    title: str
    start: str
    end: str
    location: str
    attendees: list[str]
    description: str

    def summary(self) -> dict[str, Any]:
        """Everything but the people and the text."""
        return {key: value for key, value in asdict(self).items() if key not in ("attendees", "description")}

    @property
    def slot(self) -> Slot:
        """When it takes place."""
        return Slot(moment(self.start), moment(self.end))


def moment(text: str) -> datetime:
    """Read a time as UTC, which a time without a zone also means."""
    try:
        read = datetime.fromisoformat(text)
    except ValueError:
        raise ToolError(f"{text!r} is not an ISO 8601 time; write it like 2026-03-16T09:00:00Z") from None
    if not 2000 <= read.year <= 2100:
        raise ToolError(f"{text!r} is not between 2000 and 2100")
    return read.astimezone(UTC) if read.tzinfo else read.replace(tzinfo=UTC)


@dataclass
class Diary:
    """Events by id."""

    events: dict[str, Event] = field(default_factory=dict)
    last: int = 0

    @classmethod
    def seeded(cls) -> Self:
        """The calendars as every run finds them."""
        random, diary = dice("calendar"), cls()
        monday = NOW.replace(hour=0) - timedelta(weeks=4)
        for number in range(126):
            day = monday + timedelta(weeks=number // 10, days=random.randrange(5))
            start = day + timedelta(minutes=30 * random.randrange(16, 33))
            end = start + timedelta(minutes=random.choice((30, 60, 60, 90)))
            people = sorted({random.choice(PEOPLE).email for _ in range(random.randrange(1, 6))})
            place = f"{random.choice(HARBOURS).name}, room {random.randrange(1, 9)}"
            title = f"{random.choice(_KINDS)} {random.choice(PEOPLE).team}"
            diary.add(random.choice(CALENDARS), title, Slot(start, end), place, people, sentence(random))
        for calendar, title, begin, minutes, place, indexes in _WRITTEN:
            slot = Slot(moment(begin), moment(begin) + timedelta(minutes=minutes))
            diary.add(calendar, title, slot, place, [PEOPLE[index].email for index in indexes], "")
        return diary

    def add(
        self, calendar: str, title: str, slot: Slot, location: str, attendees: list[str], description: str
    ) -> Event:
        """A new event with the next free id."""
        if slot.end <= slot.start:
            raise ToolError("The end must come after the start")
        self.last += 1
        key = f"evt-{self.last:04}"
        start, end = (stamp(time) for time in slot)
        self.events[key] = Event(key, calendar, title, start, end, location, attendees, description)
        return self.events[key]

    def event(self, event_id: str) -> Event:
        """The event with an id."""
        if event_id not in self.events:
            raise ToolError(
                f"There is no event {event_id}. Ids look like evt-0042; use search_events to find one."
            )
        return self.events[event_id]

    def ordered(self) -> list[Event]:
        """Every event, earliest first."""
        return sorted(self.events.values(), key=lambda event: (event.start, event.id))

    def free(self, people: list[str], window: Slot, minutes: int) -> Iterator[Slot]:
        """Half-hour starts in working hours at which none of the people has an event."""
        length = timedelta(minutes=minutes)
        busy = [event.slot for event in self.events.values() if set(people) & set(event.attendees)]
        start = window.start.replace(minute=0, second=0, microsecond=0)
        while start + length <= window.end:
            slot = Slot(start, start + length)
            if start >= window.start and _working(slot) and not any(_overlap(slot, other) for other in busy):
                yield slot
            start += timedelta(minutes=30)


def _working(slot: Slot) -> bool:
    closing = slot.start.replace(hour=17, minute=0)
    return slot.start.weekday() < 5 and slot.start.hour >= 8 and slot.end <= closing


def _overlap(one: Slot, other: Slot) -> bool:
    return one.start < other.end and other.start < one.end
