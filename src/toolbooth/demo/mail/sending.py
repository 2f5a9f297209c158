"""Addresses and words → messages in the sent folder."""

from typing import Any

from toolbooth.demo.mail.mailbox import Mailbox
from toolbooth.demo.mail.server import server
from toolbooth.demo.schemas import many, takes, text
from toolbooth.demo.toolkit import ADD, ToolError


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
