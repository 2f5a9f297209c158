"""A catalog of three servers with ten tools each; half of them have a schema."""

from toolbooth.catalog import Catalog, ServerTools, SetAside, Tool

SCHEMA = {"type": "object", "properties": {"path": {"type": "string", "description": "Where it is."}}}


def tool(server: str, number: int) -> Tool:
    wire = {"name": f"tool_{number}", "description": "Reads a thing. It may take a while."}
    return Tool.from_wire(server, wire if number % 2 else {**wire, "inputSchema": SCHEMA})


CATALOG = Catalog(
    tuple(
        ServerTools(
            name, tuple(tool(name, at) for at in range(10)), set_aside=(SetAside(name, "x", "twice"),)
        )
        for name in ("a", "b", "c")
    )
)
