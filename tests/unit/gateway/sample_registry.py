"""A small tool registry that the tests of the gateway share; its search knows words only, and so needs no table."""

from tests.unit.search.sample_catalog import catalog

from toolbooth.catalog import ServerTools, Tool
from toolbooth.gateway.tool_registry import ToolRegistry
from toolbooth.search import SearchEngine

FORECAST = Tool.from_raw(
    "sky",
    {
        "name": "forecast",
        "description": "Weather of the next days. Needs a city.",
        "inputSchema": {
            "type": "object",
            "properties": {
                "city": {"type": "string", "description": "Where."},
                "days": {"type": "integer", "default": 3},
                "unit": {"enum": ["c", "f"]},
            },
            "required": ["city"],
        },
        "outputSchema": {
            "type": "object",
            "properties": {"low": {"type": "number"}, "text": {"type": "string"}},
        },
    },
)


def sample_registry() -> ToolRegistry:
    registry = ToolRegistry(
        [*(each.server for each in catalog().servers), "sky"], make_engine=lambda: SearchEngine(None)
    )
    for each in catalog().servers:
        registry.put(each)
    registry.put(ServerTools("sky", (FORECAST,)))
    return registry
