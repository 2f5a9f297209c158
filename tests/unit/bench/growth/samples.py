"""A catalog of three servers with ten tools each, half of them with a schema, and sizes whose figures grow with it."""

from toolbooth.bench.growth import FIGURES
from toolbooth.bench.report import SizePoint
from toolbooth.catalog import Catalog, ServerTools, SetAside, Tool


def point(tools: int, **figures: float) -> SizePoint:
    plain = {name: float(tools) for name in FIGURES}
    return SizePoint(tools, 0, **{**plain, **figures})  # type: ignore[arg-type]


SCHEMA = {"type": "object", "properties": {"path": {"type": "string", "description": "Where it is."}}}


def tool(server: str, number: int) -> Tool:
    raw = {"name": f"tool_{number}", "description": "Reads a thing. It may take a while."}
    return Tool.from_raw(server, raw if number % 2 else {**raw, "inputSchema": SCHEMA})


CATALOG = Catalog(
    tuple(
        ServerTools(
            name, tuple(tool(name, at) for at in range(10)), set_aside=(SetAside(name, "x", "twice"),)
        )
        for name in ("a", "b", "c")
    )
)
