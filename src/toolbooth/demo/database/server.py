"""The demo server `database` before its tools: what it says of itself and where its data comes from."""

from toolbooth.demo.database.store import open_store
from toolbooth.demo.toolkit import DemoServer

server = DemoServer(
    name="database",
    title="Demo database",
    instructions=(
        "Read-only SQL on the booking database of Larkfield Ferries (SQLite). Amounts are in cents, times "
        "are "
        "UTC. Look at list_tables and describe_table before you write a query, and use LIMIT."
    ),
    seed=open_store,
)
