"""The demo server `history` before its tools: what it says of itself and where its data comes from."""

from toolbooth.demo.history.growth import grown
from toolbooth.demo.toolkit import DemoServer

server = DemoServer(
    name="history",
    title="Demo repository history",
    instructions=(
        "The version history of the ferrydesk repository. A ref is a branch, a tag, HEAD, HEAD~3, or the "
        "first "
        "four or more characters of a commit id. The default branch is main. Nothing here changes files."
    ),
    seed=grown,
)
