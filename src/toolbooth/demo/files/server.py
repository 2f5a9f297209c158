"""The demo server `files` before its tools: what it says of itself and where its data comes from."""

from toolbooth.demo.files.tree import Tree
from toolbooth.demo.schemas import like_zod
from toolbooth.demo.toolkit import DemoServer

server = DemoServer(
    name="files",
    title="Demo file system",
    instructions=(
        "A working copy of the ferrydesk project. All paths are absolute and start with a slash. "
        "Use search_files for names and search_file_contents for text inside files. Logs under /logs are "
        "long: read them with head or tail."
    ),
    seed=Tree.seeded,
    dialect=like_zod,
)
