"""A negotiated link → the server's tools, or another of its lists, every page."""

from typing import Any, NamedTuple

from toolbooth.catalog.connect.link import Link
from toolbooth.catalog.listing import sort_entries
from toolbooth.catalog.tool import ServerTools
from toolbooth.errors import BackendProtocolError
from toolbooth.limits import LIST_TIMEOUT, MAX_PAGES, MAX_TOOLS


class Entries(NamedTuple):
    """All entries of a list as they were sent, and why it was left before its end, if it was."""

    entries: list[Any]
    cut: str = ""


async def list_tools(link: Link, server: str, timeout: float = LIST_TIMEOUT) -> ServerTools:
    """Ask for all tools, page by page."""
    listed = link.era.offers_tools
    entries, cut = await list_entries(link, "tools/list", "tools", timeout) if listed else Entries([])
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


async def list_entries(link: Link, method: str, key: str, timeout: float = LIST_TIMEOUT) -> Entries:
    """Ask for a list, page by page; `key` is where its entries stand in an answer."""
    entries: list[Any] = []
    cursor: str | None = None
    seen: set[str] = set()
    for _page in range(MAX_PAGES):
        result = await link.request(method, {"cursor": cursor} if cursor else None, timeout)
        page = result.get(key)
        if not isinstance(page, list):
            raise BackendProtocolError(f"answered {method} without a list of {key}")
        entries += page
        cursor = _text(result.get("nextCursor"))
        if not cursor or len(entries) > MAX_TOOLS:
            return Entries(entries)
        if cursor in seen:
            return Entries(entries, "its pages go in a circle; the list may not be whole")
        seen.add(cursor)
    return Entries(entries, f"its list goes on after {MAX_PAGES} pages; the rest is not read")


def _text(value: object) -> str | None:
    return value if isinstance(value, str) and value else None
