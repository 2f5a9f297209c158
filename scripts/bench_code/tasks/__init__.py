"""The tasks in the order in which they are done; those that change something come last."""

from ..task import Task
from . import (
    blocked_tickets,
    blockers_meeting,
    build_results,
    dry_dock,
    ferry_revenue,
    named_in_commits,
    passenger_sums,
    urgent_by_team,
    weather_now,
    windy_events,
)

TASKS: tuple[Task, ...] = (
    windy_events.TASK,
    urgent_by_team.TASK,
    ferry_revenue.TASK,
    passenger_sums.TASK,
    weather_now.TASK,
    named_in_commits.TASK,
    build_results.TASK,
    dry_dock.TASK,
    blockers_meeting.TASK,
    blocked_tickets.TASK,
)
