"""Folders, ids and words → messages, attachments and addresses."""

from typing import Any

from toolbooth.demo.mail.mailbox import FOLDERS, Mailbox
from toolbooth.demo.mail.server import server
from toolbooth.demo.schemas import choice, flag, takes, text, whole
from toolbooth.demo.toolkit import READ, Blocks, ToolError, attachment, say
from toolbooth.demo.world import PEOPLE


@server.tool(
    "List messages of a folder, newest first, with the beginning of each.",
    takes(
        folder=choice("Folder to list", *FOLDERS, default="inbox"),
        unread_only=flag("Only messages that nobody has read", default=False),
        limit=whole("How many messages to return", default=50),
        page_token=text("Where to go on; the token of the page before"),
    ),
    hints=READ,
)
def list_messages(
    box: Mailbox,
    folder: str = "inbox",
    unread_only: bool = False,
    limit: int = 50,
    page_token: str | None = None,
) -> dict[str, Any]:
    """A token leads to the next page."""
    found = [message for message in reversed(box.messages.values()) if message.folder == folder]
    found = [message for message in found if message.unread or not unread_only]
    if page_token is not None and not (page_token.isdecimal() and len(page_token) < 7):
        raise ToolError(f"{page_token!r} is no page token")
    start = int(page_token or 0)
    end = start + max(limit, 1)
    token = str(end) if end < len(found) else None
    messages = [message.summary() for message in found[start:end]]
    return {"total": len(found), "messages": messages, "next_page_token": token}


@server.tool(
    "Get one message with its body. HTML is returned as it came.", takes("message_id", message_id=text())
)
def get_message(box: Mailbox, message_id: str) -> dict[str, Any]:
    """Newsletters are fat; a message that was got counts as read."""
    message = box.message(message_id)
    message.unread = False
    return message.detail()


@server.tool(
    "Search messages by words in subject, body and addresses, in all folders.",
    takes(
        "query",
        query=text("Words to look for; all must occur", minLength=1),
        limit=whole("Maximum number of messages", default=20, minimum=1, maximum=100),
    ),
    hints=READ,
)
def search_messages(box: Mailbox, query: str, limit: int = 20) -> dict[str, Any]:
    """Newest first."""
    words = query.lower().split()
    found = [
        message.summary()
        for message in reversed(box.messages.values())
        if all(
            word in f"{message.subject} {message.body} {message.sender} {message.to}".lower()
            for word in words
        )
    ]
    return {"total": len(found), "messages": found[:limit]}


@server.tool(
    "Download an attachment of a message.",
    takes("message_id", "name", message_id=text(), name=text("Name of the attached file")),
    hints=READ,
)
def get_attachment(box: Mailbox, message_id: str, name: str) -> Blocks:
    """One line of text and the file in base64."""
    files = {file.name: file for file in box.message(message_id).attachments}
    if name not in files:
        raise ToolError(f"{message_id} has no attachment {name!r}; it has {', '.join(files) or 'none'}")
    file = files[name]
    line = say(f"{name}, {len(file.data)} bytes")
    return Blocks((line, attachment(f"mail://{message_id}/{name}", file.data, file.mime_type)))


@server.tool(
    "Search the address book by name, team or role. Without a query all people are returned.",
    takes(query=text("Part of a name, a team or a role")),
    hints=READ,
)
def search_contacts(_: Mailbox, query: str | None = None) -> dict[str, Any]:
    """Rows with phone numbers."""
    words = (query or "").lower().split()
    found = [person._asdict() for person in PEOPLE if all(word in " ".join(person).lower() for word in words)]
    return {"contacts": found}
