"""The demo server `calendar` before its tools: what it says of itself and where its data comes from."""

from toolbooth.demo.calendar.diary import Diary
from toolbooth.demo.toolkit import DemoServer

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
