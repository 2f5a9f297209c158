"""The demo server `mail` before its tools: what it says of itself and where its data comes from."""

from toolbooth.demo.mail.mailbox import Mailbox
from toolbooth.demo.schemas import like_pydantic
from toolbooth.demo.toolkit import DemoServer

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
