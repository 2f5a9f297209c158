"""The demo server `tickets`: tools to find, file and move the tickets of an issue tracker."""

import csv
import io
from collections import Counter
from dataclasses import asdict
from typing import Any

from toolbooth.demo.schemas import choice, gives, like_openapi, many, takes, text, whole
from toolbooth.demo.tickets_data import LABELS, PRIORITIES, STATUSES, Board, Comment, Ticket
from toolbooth.demo.toolkit import ADD, READ, SET, DemoServer, ToolError
from toolbooth.demo.world import PEOPLE

server = DemoServer(
    name="tickets",
    title="Demo issue tracker",
    instructions=(
        "The issue tracker of the ferrydesk project. Tickets have keys such as LF-142. People are named by "
        "their handle, for example mira-ekman. Closed tickets can be read and commented but not assigned."
    ),
    seed=Board.seeded,
    dialect=like_openapi,
    page_size=6,  # the one server whose tool list comes in pages, so that clients are tested on it
)


KEY = text("Ticket key, for example LF-142")
DETAIL = gives(
    "key",
    "title",
    "status",
    "priority",
    key=text(),
    title=text(),
    body=text(),
    status=choice("", *STATUSES),
    priority=choice("", *PRIORITIES),
    labels=many(text()),
    reporter=text(),
    assignee={"type": ["string", "null"]},
    created=text(),
    updated=text(),
    comments=whole("Number of comments"),
)


@server.tool(
    "List tickets, newest first.",
    takes(
        status=choice("", *STATUSES),
        label=choice("", *LABELS),
        priority=choice("", *PRIORITIES),
        assignee=text("Handle"),
        page=whole("Page number, starting at 1", default=1, minimum=1),
        per_page=whole("Tickets on a page", default=30, minimum=1, maximum=100),
    ),
    hints=READ,
)
def list_tickets(board: Board, page: int = 1, per_page: int = 30, **filters: str) -> dict[str, Any]:
    """One page of summaries."""
    found = [ticket.summary() for ticket in reversed(board.tickets.values()) if _fits(ticket, filters)]
    start = (page - 1) * per_page
    return {"total": len(found), "page": page, "tickets": found[start : start + per_page]}


def _fits(ticket: Ticket, filters: dict[str, str]) -> bool:
    return all(
        value in ticket.labels if name == "label" else getattr(ticket, name) == value
        for name, value in filters.items()
    )


@server.tool("Get one ticket.", takes("key", key=KEY), outputs=DETAIL, hints=READ)
def get_ticket(board: Board, key: str) -> dict[str, Any]:
    """With its text."""
    return board.ticket(key).detail()


@server.tool(
    "Search tickets by free text. The search looks at the key, the title, the text, the labels, the names "
    "of reporter and assignee, and all comments of every ticket, whether it is open or closed, and returns "
    "the full tickets, not just their titles, so that you can answer questions without a second call. All "
    "words of the query must occur, in any order and in any of the fields; upper and lower case do not "
    "matter; there are no operators, no wildcards and no quotes. Results are ordered by the time of the "
    "last change, newest first. The search does not support pagination, so a common word may return a very "
    "large number of tickets: prefer two or three specific words, or use list_tickets with a label and a "
    "status if you want to page through many tickets. Do not use this tool when you already know the key "
    "of a ticket: get_ticket is cheaper and also counts the comments. Do not use this tool to find out "
    "which labels exist: list_labels does that.",
    takes("query", query=text("", minLength=1), status=choice("", *STATUSES)),
    hints=READ,
)
def search_tickets(board: Board, query: str, status: str | None = None) -> dict[str, Any]:
    """Without a limit on purpose."""
    words = query.lower().split()
    found = [
        asdict(ticket)
        for ticket in sorted(board.tickets.values(), key=lambda ticket: ticket.updated, reverse=True)
        if status in (None, ticket.status) and all(word in _words(ticket) for word in words)
    ]
    return {"total": len(found), "tickets": found}


def _words(ticket: Ticket) -> str:
    comments = " ".join(comment.body for comment in ticket.comments)
    people = f"{ticket.reporter} {ticket.assignee or ''}"
    return f"{ticket.key} {ticket.title} {ticket.body} {' '.join(ticket.labels)} {people} {comments}".lower()


@server.tool("List the comments of a ticket, oldest first.", takes("key", key=KEY), hints=READ)
def list_comments(board: Board, key: str) -> dict[str, Any]:
    """Author, time and text."""
    return {"key": key.upper(), "comments": [asdict(comment) for comment in board.ticket(key).comments]}


@server.tool("List labels with the number of open and closed tickets.", hints=READ)
def list_labels(board: Board) -> dict[str, Any]:
    """Every label, used or not."""
    total, closed = Counter[str](), Counter[str]()
    for ticket in board.tickets.values():
        total.update(ticket.labels)
        closed.update(ticket.labels if ticket.status == "closed" else ())
    rows = [{"label": name, "open": total[name] - closed[name], "closed": closed[name]} for name in LABELS]
    return {"labels": rows}


@server.tool(
    "Export tickets as CSV with a header line.",
    takes(status=choice("", *STATUSES)),
)
def export_tickets(board: Board, status: str | None = None) -> str:
    """Large on purpose, and without annotations."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(
        ["key", "title", "status", "priority", "labels", "reporter", "assignee", "created", "body"]
    )
    for row in board.tickets.values():
        if status in (None, row.status):
            people = (row.reporter, row.assignee or "")
            facts = (row.key, row.title, row.status, row.priority, " ".join(row.labels))
            writer.writerow([*facts, *people, row.created, row.body])
    return out.getvalue()


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
