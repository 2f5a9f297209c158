"""A negotiated link → the server's tools: every page, nothing lost to one bad entry."""

from collections.abc import Mapping
from typing import Any

from toolbooth.catalog.connect.link import Link
from toolbooth.catalog.tool import MalformedTool, ServerTools, SetAside, Tool
from toolbooth.errors import BackendProtocolError
from toolbooth.limits import LIST_TIMEOUT, MAX_PAGES, MAX_TOOLS


async def list_tools(link: Link, server: str, timeout: float = LIST_TIMEOUT) -> ServerTools:
    """Ask for all tools, page by page."""
    entries = await _all_entries(link, timeout) if link.era.offers_tools else []
    info = link.era.server_info
    return sort_entries(
        server,
        entries,
        instructions=_text(link.era.hello.get("instructions")),
        title=_text(info.get("title") or info.get("name")) or "",
        version=_text(info.get("version")) or "",
        protocol=link.era.version,
    )


def sort_entries(server: str, entries: list[Any], **about: Any) -> ServerTools:
    """Read each entry by itself: a malformed one, and a name that came before, are set aside and named."""
    tools: dict[str, Tool] = {}
    aside: list[SetAside] = []
    for entry in entries[:MAX_TOOLS]:
        try:
            tool = Tool.from_wire(server, entry)
        except MalformedTool as error:
            aside.append(SetAside(server, _name_of(entry), str(error)))
            continue
        if tool.name in tools:
            aside.append(SetAside(server, tool.name, "the name stands twice; the first one is kept"))
            continue
        tools[tool.name] = tool
    if len(entries) > MAX_TOOLS:
        aside.append(SetAside(server, "", f"only the first {MAX_TOOLS} of its tools are read"))
    return ServerTools(server, tuple(tools.values()), set_aside=tuple(aside), **about)


async def _all_entries(link: Link, timeout: float) -> list[Any]:
    entries: list[Any] = []
    cursor: str | None = None
    seen: set[str] = set()
    for _page in range(MAX_PAGES):
        result = await link.request("tools/list", {"cursor": cursor} if cursor else None, timeout)
        page = result.get("tools")
        if not isinstance(page, list):
            raise BackendProtocolError("answered tools/list without a list of tools")
        entries += page
        cursor = _text(result.get("nextCursor"))
        if not cursor or cursor in seen or len(entries) > MAX_TOOLS:
            break
        seen.add(cursor)
    return entries


def _name_of(entry: object) -> str:
    name = entry.get("name") if isinstance(entry, Mapping) else None
    return name if isinstance(name, str) else ""


def _text(value: object) -> str | None:
    return value if isinstance(value, str) and value else None
