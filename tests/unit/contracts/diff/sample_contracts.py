"""Contracts made of raw objects of tools, as they are gathered from a server."""

from typing import Any

from toolbooth.catalog import ServerTools, Tool
from toolbooth.contracts import Budgets, Contracts, Diff, with_limits
from toolbooth.contracts.diff import diff_contracts
from toolbooth.contracts.gather import server_contract

Json = Any
RawTool = dict[str, Json]


def tool(name: str = "find", **parts: Json) -> RawTool:
    """A tool that takes anything, but for what is said of it."""
    return {"name": name, "description": "Finds rows.", "inputSchema": {"type": "object"}, **parts}


def taking(schema: Json, **more: Json) -> RawTool:
    """A tool whose input `p` has this schema; `more` are keywords beside `properties`."""
    return tool(inputSchema={"type": "object", "properties": {"p": schema}, **more})


def giving(schema: Json, **more: Json) -> RawTool:
    """A tool whose answer has a field `p` of this schema."""
    return tool(outputSchema={"type": "object", "properties": {"p": schema}, **more})


def offered(*tools: RawTool, server: str = "rows", **said: Json) -> Contracts:
    """One server with these tools; `said` is what it says beside them."""
    from dataclasses import replace

    listed = ServerTools(server, tuple(Tool.from_raw(server, raw) for raw in tools))
    return Contracts({server: replace(server_contract(listed), **said)})


def changed(before: Contracts | RawTool, after: Contracts | RawTool, *budgets: str) -> Diff:
    """The diff of two contracts, or of two tools."""
    old, new = (each if isinstance(each, Contracts) else offered(each) for each in (before, after))
    return diff_contracts(old, new, with_limits(Budgets(), budgets))


def rules(diff: Diff) -> list[str]:
    """The ids, sorted."""
    return sorted(change.rule for change in diff.changes)
