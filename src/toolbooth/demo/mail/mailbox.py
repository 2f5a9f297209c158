"""A seed → 180 messages in memory, some with attachments, some as long HTML newsletters."""

import random
from dataclasses import asdict, dataclass, field
from datetime import timedelta
from typing import Any, Self

from toolbooth.demo.prose import paragraph, sentence
from toolbooth.demo.toolkit import ToolError
from toolbooth.demo.world import NOW, PEOPLE, Clock, dice, stamp

FOLDERS = ("inbox", "sent", "archive")
_ME = PEOPLE[0].email
_SUBJECTS = (
    "Roster for next week", "Question about the group fare", "Ramp at berth 2", "Minutes of our call",
    "Lunch on Thursday?", "Invoice of the yard", "Seat map feedback", "Storm plan",
)  # fmt: skip
# Facts that tasks can ask for; everything else is generated around them.
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
