"""Tools for code to call, and a world that remembers which of them were called."""

from typing import Any

from toolbooth.catalog import Catalog, ServerTools, Tool
from toolbooth.sandbox import CodeScope, Namespace

STR, INT = {"type": "string"}, {"type": "integer"}


def tool(server: str, name: str, *required: str, **properties: Any) -> Tool:
    schema = {"type": "object", "properties": properties, "required": list(required)}
    return Tool(server, name, "", schema)


TOOLS = (
    tool("shop", "get", "key", key=STR),
    tool("shop", "sort", order={"enum": ["asc", "desc"]}, limit=INT),
    tool("shop", "take", value={}),
    tool("shop", "fail"),
    tool("my-server", "get-x", "key", key=STR),
    tool("time", "now", zone=STR),
)


def catalog(*tools: Tool) -> Catalog:
    servers = dict.fromkeys(each.server for each in tools)
    return Catalog(tuple(ServerTools(name, tuple(t for t in tools if t.server == name)) for name in servers))


def names(*tools: Tool) -> Namespace:
    return Namespace(catalog(*(tools or TOOLS)))


class Shop:
    """Every call is kept in `calls` and answered with what it was given; `fail` fails."""

    def __init__(self, *tools: Tool) -> None:
        self.calls: list[str] = []
        self.scope = CodeScope(names(*tools), self.call)

    async def call(self, tool: Tool, arguments: dict[str, Any]) -> Any:
        self.calls.append(tool.id)
        if tool.name == "fail":
            raise RuntimeError("the shop is closed")
        return {"tool": tool.id, **arguments}
