"""The surface `full`: every job of the menu."""

from typing import TYPE_CHECKING

from toolbooth.gateway.book import Book
from toolbooth.gateway.jobs import (
    CALL_TOOL,
    CALL_TOOL_CHAIN,
    LIST_TOOLS,
    READ_RESULT,
    SEARCH_TOOLS,
    TOOL_INFO,
    manage_servers_job,
)
from toolbooth.gateway.surfaces.surface import Surface, menu_of, surface

if TYPE_CHECKING:
    from toolbooth.catalog.config import GatewaySettings


@surface("full")
def full(book: Book, settings: "GatewaySettings") -> Surface:
    """All of them, and the tools that are pinned."""
    jobs = (
        SEARCH_TOOLS,
        LIST_TOOLS,
        TOOL_INFO,
        CALL_TOOL,
        CALL_TOOL_CHAIN,
        READ_RESULT,
        manage_servers_job(settings.manage_servers),
    )
    return menu_of("full", jobs, book, settings)
