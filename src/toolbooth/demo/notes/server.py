"""The demo server `notes` before its tools: what it says of itself and where its data comes from."""

from toolbooth.demo.notes.notebook import Notebook
from toolbooth.demo.schemas import like_pydantic
from toolbooth.demo.toolkit import DemoServer

server = DemoServer(
    name="notes",
    title="Demo notes",
    instructions=(
        "The shared notebook of the Larkfield office. Notes have an id such as note-017, a title, a body in "
        "Markdown and tags. Search before you create, so that nothing is written down twice."
    ),
    seed=Notebook.seeded,
    dialect=like_pydantic,
)
