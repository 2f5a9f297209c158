"""The demo server `tickets` before its tools: what it says of itself and where its data comes from."""

from toolbooth.demo.schemas import like_openapi
from toolbooth.demo.tickets.board import Board
from toolbooth.demo.toolkit import DemoServer

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
