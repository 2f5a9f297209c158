"""Generated tickets in memory: 250 of them, with labels, people and comments."""

import random
from dataclasses import asdict, dataclass, field
from datetime import timedelta
from typing import Any, NamedTuple, Self

from toolbooth.demo.toolkit import ToolError
from toolbooth.demo.world import NOW, PEOPLE, Clock, dice, paragraph, sentence, stamp

STATUSES = ("open", "in_progress", "blocked", "closed")
PRIORITIES = ("low", "medium", "high", "urgent")
LABELS = (
    "bug",
    "feature",
    "booking",
    "fares",
    "harbour",
    "crew",
    "mobile",
    "security",
    "docs",
    "performance",
)
_AREAS = (
    "Seat map",
    "Fare engine",
    "Boarding list",
    "Crew roster",
    "Refunds",
    "Login",
    "Status board",
    "Receipts",
)
_FAULTS = (
    "is slow on Mondays", "shows yesterday's sailing", "forgets the bicycle", "rounds to the wrong cent",
    "fails without network", "needs a dark mode", "ignores the tide window", "sends two mails",
)  # fmt: skip


class _Written(NamedTuple):
    title: str
    body: str
    status: str
    priority: str
    labels: list[str]
    assignee: str


# Fixed facts that tasks can ask for; everything else is generated around them.
_WRITTEN = {
    142: _Written(
        "Double refund when a sailing is cancelled twice",
        "Booking 20931 was paid back two times, 164.00 euro in all. Seen first in release 4.7.2.",
        "in_progress", "urgent", ["bug", "fares"], "mira-ekman",
    ),
    187: _Written(
        "Caravan fare is missing for Bellrock",
        "The desk offers the car fare instead. The table says 67.50.",
        "open", "high", ["bug", "fares"], "jonas-brandt",
    ),
    203: _Written(
        "Session cookie survives logout",
        "Log out, press back, and the boarding list is still there. Reported by an outside tester.",
        "blocked", "urgent", ["bug", "security"], "falk-voss",
    ),
}  # fmt: skip


@dataclass
class Comment:
    """What someone said about a ticket."""

    author: str
    created: str
    body: str


@dataclass
class Ticket:
    """One thing to do."""

    key: str
    title: str
    body: str
    status: str
    priority: str
    labels: list[str]
    reporter: str
    assignee: str | None
    created: str
    updated: str
    comments: list[Comment] = field(default_factory=list)

    def summary(self) -> dict[str, Any]:
        """A row of a list."""
        keys = ("key", "title", "status", "priority", "labels", "assignee", "updated")
        return {name: getattr(self, name) for name in keys}

    def detail(self) -> dict[str, Any]:
        """Everything; comments only counted."""
        return asdict(self) | {"comments": len(self.comments)}


@dataclass
class Board:
    """Tickets by key, oldest first."""

    tickets: dict[str, Ticket] = field(default_factory=dict)
    clock: Clock = field(default_factory=Clock)

    @classmethod
    def seeded(cls) -> Self:
        """The tracker as every run finds it."""
        random, board = dice("tickets"), cls()
        for number in range(1, 251):
            ticket = _ticket(random, number)
            if number in _WRITTEN:
                for name, value in _WRITTEN[number]._asdict().items():
                    setattr(ticket, name, value)
            board.tickets[ticket.key] = ticket
        return board

    def ticket(self, key: str) -> Ticket:
        """The ticket with a key."""
        if key.upper() not in self.tickets:
            raise ToolError(
                f"There is no ticket {key}. Keys look like LF-142; use search_tickets to find one."
            )
        return self.tickets[key.upper()]

    def touch(self, ticket: Ticket, **changes: Any) -> Ticket:
        """Change fields and the time of the last change."""
        for name, value in changes.items():
            setattr(ticket, name, value)
        ticket.updated = self.clock.tick()
        return ticket


def _ticket(dice: random.Random, number: int) -> Ticket:
    created = NOW - timedelta(hours=26 * (251 - number))
    updated = created + timedelta(minutes=dice.randrange(10, 1500))
    status = "closed" if dice.random() < 0.45 else dice.choice(STATUSES[:3])
    assignee = dice.choice(PEOPLE).handle if dice.random() < 0.8 else None
    title = f"{dice.choice(_AREAS)} {dice.choice(_FAULTS)}"
    labels = sorted({dice.choice(LABELS), dice.choice(LABELS)})
    comments = [
        Comment(dice.choice(PEOPLE).handle, stamp(created + timedelta(minutes=7 * n + 3)), sentence(dice))
        for n in range(dice.randrange(0, 6))
    ]
    return Ticket(
        key=f"LF-{number}",
        title=title,
        body=paragraph(dice, 3),
        status=status,
        priority=dice.choice(PRIORITIES),
        labels=labels,
        reporter=dice.choice(PEOPLE).handle,
        assignee=assignee,
        created=stamp(created),
        updated=stamp(updated),
        comments=comments,
    )
