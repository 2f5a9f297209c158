"""Helpers: what the scan reports on a text in a tool, or on the tools of servers."""

from typing import Any

from toolbooth.catalog import Catalog, ServerTools, Tool
from toolbooth.contracts import Finding, Level
from toolbooth.contracts.scan import scan


def tool(name: str = "lookup", **raw: Any) -> dict[str, Any]:
    return {"name": name, **raw}


def catalog(**servers: list[dict[str, Any]]) -> Catalog:
    return Catalog(
        tuple(
            ServerTools(server, tuple(Tool.from_raw(server, raw) for raw in raw_tools))
            for server, raw_tools in servers.items()
        )
    )


def findings_in(*raw_tools: dict[str, Any]) -> tuple[Finding, ...]:
    return scan(catalog(home=list(raw_tools)))


def said_of(text: str) -> dict[str, Level]:
    """Each rule that has something to say of a description, with how bad it is."""
    return {finding.rule: finding.level for finding in findings_in(tool(description=text))}


def said_of_input(name: str, **schema: Any) -> dict[str, Level]:
    raw = tool(description="Looks up.", inputSchema={"type": "object", "properties": {name: schema}})
    return {finding.rule: finding.level for finding in findings_in(raw)}


def level_of(rule: str, text: str) -> Level | None:
    return said_of(text).get(rule)
