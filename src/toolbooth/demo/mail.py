"""The demo server `mail`: a mailbox and an address book in memory, and tools to read and write mail."""

import random
from dataclasses import asdict, dataclass, field
from datetime import timedelta
from typing import Any, Self

from toolbooth.demo.schemas import choice, flag, like_pydantic, many, takes, text, whole
from toolbooth.demo.toolkit import ADD, READ, Blocks, DemoServer, ToolError, attachment, say
from toolbooth.demo.world import NOW, PEOPLE, Clock, dice, paragraph, sentence, stamp

FOLDERS = ("inbox", "sent", "archive")
_ME = PEOPLE[0].email
_SUBJECTS = (
    "Roster for next week", "Question about the group fare", "Ramp at berth 2", "Minutes of our call",
    "Lunch on Thursday?", "Invoice of the yard", "Seat map feedback", "Storm plan",
)  # fmt: skip
# Fixed facts that tasks can ask for; everything else is generated around them.
_WRITTEN = (
    (12, "Your access to the yard", "The gate code for the Grayhaven yard is 7730 until the end of April."),
    (6, "Train to the offsite", "I booked coach 14, seats 61 to 64. We leave at 07:52 from platform 3."),
    (9, "Caravan fare", "The board agreed on 67.50 euro for caravans, valid from 1 April 2026."),
)


@dataclass
class Attachment:
    """A file that came with a message."""

    name: str
    mime_type: str
    data: bytes


@dataclass
class Message:
    """One mail."""

    id: str
    folder: str
    sender: str
    to: list[str]
    subject: str
    date: str
    body: str
    unread: bool = False
    html: bool = False
    attachments: list[Attachment] = field(default_factory=list)

    def summary(self) -> dict[str, Any]:
        """A row of a list."""
        keys = ("id", "folder", "sender", "to", "subject", "date", "unread")
        return {key: getattr(self, key) for key in keys} | {"preview": "" if self.html else self.body[:80]}

    def detail(self) -> dict[str, Any]:
        """Everything; attachments only named."""
        names = [
            {"name": file.name, "mime_type": file.mime_type, "size": len(file.data)}
            for file in self.attachments
        ]
        return asdict(self) | {"attachments": names}


@dataclass
class Mailbox:
    """Messages by id, oldest first."""

    messages: dict[str, Message] = field(default_factory=dict)
    clock: Clock = field(default_factory=Clock)

    @classmethod
    def seeded(cls) -> Self:
        """The mailbox as every run finds it."""
        random, box = dice("mail"), cls()
        for number in range(1, 178):
            message = _newsletter(random, number) if number % 30 == 0 else _letter(random, number)
            box.messages[message.id] = message
        for number, (sender, subject, body) in enumerate(_WRITTEN, 178):
            key, date = f"msg-{number:04}", _date(number)
            box.messages[key] = Message(
                key, "inbox", PEOPLE[sender].email, [_ME], subject, date, body, unread=True
            )
        return box

    def message(self, message_id: str) -> Message:
        """The message with an id."""
        if message_id not in self.messages:
            raise ToolError(f"There is no message {message_id}. Ids look like msg-0042; use search_messages.")
        return self.messages[message_id]

    def send(self, to: list[str], subject: str, body: str) -> Message:
        """A new message in the sent folder."""
        key = f"msg-{len(self.messages) + 1:04}"
        self.messages[key] = Message(key, "sent", _ME, to, subject, self.clock.tick(), body)
        return self.messages[key]


def _date(number: int) -> str:
    return stamp(NOW - timedelta(hours=9 * (181 - number)))


def _letter(dice: random.Random, number: int) -> Message:
    folder = dice.choice(("inbox", "inbox", "sent", "archive"))
    other = dice.choice(PEOPLE[1:])
    body = f"Hello,\n\n{paragraph(dice, dice.randrange(1, 6))}\n\nBest wishes"
    sender, to = (_ME, other.email) if folder == "sent" else (other.email, _ME)
    message = Message(f"msg-{number:04}", folder, sender, [to], dice.choice(_SUBJECTS), _date(number), body)
    message.unread = folder == "inbox" and dice.random() < 0.3
    if number % 11 == 0:
        rows = "\n".join(f"{row};{dice.randrange(100, 999)};{sentence(dice)}" for row in range(150))
        message.attachments.append(Attachment(f"list-{number}.csv", "text/csv", rows.encode()))
    return message


def _newsletter(dice: random.Random, number: int) -> Message:
    cells = "\n".join(
        '<tr><td style="font-family:Arial,sans-serif;font-size:14px;color:#223344;padding:8px 16px 8px 16px">'
        f'<h3 style="margin:0">{sentence(dice)}</h3><p style="margin:0">{paragraph(dice, 2)}</p>'
        f'<img src="https://news.larkfield.example/t/{dice.randrange(10**9)}.gif" width="1" '
        f'height="1"></td></tr>'
        for _ in range(90)
    )
    body = f'<html><body><table role="presentation" width="600">\n{cells}\n</table></body></html>'
    sender, subject = "news@larkfield.example", f"Harbour news {number // 30}"
    return Message(f"msg-{number:04}", "inbox", sender, [_ME], subject, _date(number), body, html=True)


server = DemoServer(
    name="mail",
    title="Demo mail",
    instructions=(
        "The mailbox of Ada Quist at Larkfield Ferries, with folders inbox, sent and archive. Message ids "
        "look "
        "like msg-0042. Nothing leaves this machine: sending puts the message into the sent folder. Use "
        "search_contacts to find an address before you send."
    ),
    seed=Mailbox.seeded,
    dialect=like_pydantic,
)


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
        raise ToolError(f"{page_token!r} is not a page token")
    start = int(page_token or 0)
    end = start + max(limit, 1)
    token = str(end) if end < len(found) else None
    messages = [message.summary() for message in found[start:end]]
    return {"total": len(found), "messages": messages, "next_page_token": token}


@server.tool(
    "Get one message with its body. HTML is returned as it came.", takes("message_id", message_id=text())
)
def get_message(box: Mailbox, message_id: str) -> dict[str, Any]:
    """Newsletters are large; a message counts as read afterwards."""
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


@server.tool(
    "Send an e-mail message.",
    takes(
        "to",
        "subject",
        "body",
        to=many(text(format="email"), "Addresses of the recipients", minItems=1),
        subject=text("Subject line"),
        body=text("Plain text"),
        reply_to=text("Id of the message that this one answers"),
    ),
    hints=ADD | {"openWorldHint": True},
)
def send_message(
    box: Mailbox, to: list[str], subject: str, body: str, reply_to: str | None = None
) -> dict[str, Any]:
    """Nothing leaves the process."""
    wrong = [address for address in to if address.count("@") != 1]
    if wrong:
        raise ToolError(f"No address: {', '.join(wrong)}. Use search_contacts to find addresses.")
    quoted = f"\n\n> {box.message(reply_to).subject}" if reply_to else ""
    return box.send(to, subject, body + quoted).summary()
