"""A negotiated link → the server's tools, every page."""

from typing import Any

from toolbooth.catalog.connect.link import Link
from toolbooth.catalog.listing import sort_entries
from toolbooth.catalog.tool import ServerTools
from toolbooth.errors import BackendProtocolError
from toolbooth.limits import LIST_TIMEOUT, MAX_PAGES, MAX_TOOLS


async def list_tools(link: Link, server: str, timeout: float = LIST_TIMEOUT) -> ServerTools:
    """Ask for all tools, page by page."""
    entries, cut = await _all_entries(link, timeout) if link.era.offers_tools else ([], "")
    info = link.era.server_info
    return sort_entries(
        server,
        entries,
        cut=cut,
        instructions=_text(link.era.hello.get("instructions")),
        title=_text(info.get("title") or info.get("name")) or "",
        version=_text(info.get("version")) or "",
        protocol=link.era.version,
    )


async def _all_entries(link: Link, timeout: float) -> tuple[list[Any], str]:
    """Every entry, and why the list was left before its end, if it was."""
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
        if not cursor or len(entries) > MAX_TOOLS:
            return entries, ""
        if cursor in seen:
            return entries, "its pages go in a circle; the list may not be whole"
        seen.add(cursor)
    return entries, f"its list goes on after {MAX_PAGES} pages; the rest is not read"


def _text(value: object) -> str | None:
    return value if isinstance(value, str) and value else None
