"""Keys and new values → filed, changed, assigned, commented and closed tickets."""

from typing import Any

from toolbooth.demo.schemas import choice, many, takes, text
from toolbooth.demo.tickets.board import LABELS, PRIORITIES, STATUSES, Board, Comment, Ticket
from toolbooth.demo.tickets.finding import DETAIL, KEY
from toolbooth.demo.tickets.server import server
from toolbooth.demo.toolkit import ADD, SET, ToolError
from toolbooth.demo.world import PEOPLE

_HANDLES = frozenset(person.handle for person in PEOPLE)


@server.tool(
    "Create a ticket.",
    takes(
        "title",
        title=text("", minLength=1, maxLength=200),
        body=text(),
        priority=choice("", *PRIORITIES, default="medium"),
        labels=many(choice("", *LABELS)),
        assignee=text("Handle"),
    ),
    outputs=DETAIL,
    hints=ADD,
)
def create_ticket(
    board: Board,
    title: str,
    body: str = "",
    priority: str = "medium",
    labels: list[str] | None = None,
    assignee: str | None = None,
) -> dict[str, Any]:
    """Open, reported by the caller."""
    _known(assignee)
    number = max(int(key.removeprefix("LF-")) for key in board.tickets) + 1
    now, names = board.clock.tick(), sorted(set(labels or []))
    ticket = Ticket(f"LF-{number}", title, body, "open", priority, names, "you", assignee, now, now)
    board.tickets[ticket.key] = ticket
    return ticket.detail()


def _known(handle: str | None) -> None:
    if handle is not None and handle not in _HANDLES:
        raise ToolError(f"Nobody has the handle {handle!r}. Handles: {', '.join(sorted(_HANDLES))}")


@server.tool(
    "Update fields of a ticket. Only given fields change.",
    takes(
        "key",
        key=KEY,
        title=text(),
        body=text(),
        status=choice("", *STATUSES),
        priority=choice("", *PRIORITIES),
        labels=many(choice("", *LABELS)),
    ),
    hints=SET,
)
def update_ticket(board: Board, key: str, **changes: Any) -> dict[str, Any]:
    """The ticket after the change."""
    if not changes:
        raise ToolError("Nothing to change: give at least one of title, body, status, priority, labels")
    return board.touch(board.ticket(key), **changes).detail()


@server.tool(
    "Assign a ticket to a person, replacing whoever had it.",
    takes("key", "assignee", key=KEY, assignee=text("Handle of the person, for example mira-ekman")),
    hints=SET,
)
def assign_ticket(board: Board, key: str, assignee: str) -> str:
    """One line."""
    _known(assignee)
    ticket = board.ticket(key)
    if ticket.status == "closed":
        raise ToolError(f"{ticket.key} is closed; reopen it with update_ticket first")
    board.touch(ticket, assignee=assignee)
    return f"{ticket.key} is now assigned to {assignee}"


@server.tool(
    "Add a comment to a ticket.",
    takes("key", "body", key=KEY, body=text("", minLength=1)),
    hints=ADD,
)
def add_comment(board: Board, key: str, body: str) -> str:
    """Also on closed tickets."""
    ticket = board.touch(board.ticket(key))
    ticket.comments.append(Comment("you", ticket.updated, body))
    return f"Comment {len(ticket.comments)} added to {ticket.key}"


@server.tool(
    "Close a ticket.",
    takes(
        "key",
        key=KEY,
        resolution=choice("", "fixed", "wont_fix", "duplicate", "cannot_reproduce", default="fixed"),
        comment=text("Last words"),
    ),
    hints=SET,
)
def close_ticket(board: Board, key: str, resolution: str = "fixed", comment: str | None = None) -> str:
    """The resolution is kept as a comment."""
    ticket = board.ticket(key)
    if ticket.status == "closed":
        raise ToolError(f"{ticket.key} is already closed")
    board.touch(ticket, status="closed")
    words = f"Closed as {resolution}." + (f" {comment}" if comment else "")
    ticket.comments.append(Comment("you", ticket.updated, words))
    return f"{ticket.key} closed as {resolution}"
