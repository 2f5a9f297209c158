"""A served definition → the same with slim schemas; each tool is slimmed once, however often it is listed."""

from collections.abc import Iterable
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

from toolbooth.catalog import Tool
from toolbooth.gateway.served import served_definition


class _Schemas(NamedTuple):
    inputs: dict[str, Any]
    outputs: dict[str, Any] | None


_done: WeakKeyDictionary[Tool, _Schemas] = WeakKeyDictionary()


def slim_ahead(tools: Iterable[Tool]) -> None:
    """Slim these now, in a thread, so that a list of thousands does not hold up the event loop (1 ms each)."""
    for tool in tools:
        slim_definition(tool, served_definition(tool))


def slim_definition(tool: Tool, definition: dict[str, Any]) -> dict[str, Any]:
    """Nothing that a schema accepts or tells is lost; 4,000 tools take seconds at first, and then none."""
    from toolbooth.economics import slim

    known = _done.get(tool)
    if known is None:
        outputs = tool.output_schema
        known = _done[tool] = _Schemas(
            _typed(slim(definition["inputSchema"], tool.name)),
            None if outputs is None else slim(outputs, tool.name),
        )
    slimmed = {**definition, "inputSchema": known.inputs}
    if definition.get("outputSchema") is not None and known.outputs is not None:
        slimmed["outputSchema"] = known.outputs
    return slimmed


def _typed(schema: dict[str, Any]) -> dict[str, Any]:
    """SDKs want `type: object` at the root, even where it says nothing new."""
    return schema if schema.get("type") == "object" else {"type": "object", **schema}
