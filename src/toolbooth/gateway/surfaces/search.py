"""The surface `search`: find, call, read on."""

from typing import TYPE_CHECKING

from toolbooth.gateway.book import Book
from toolbooth.gateway.jobs import CALL_TOOL, READ_RESULT, SEARCH_TOOLS
from toolbooth.gateway.surfaces.surface import Surface, menu_of, surface

if TYPE_CHECKING:
    from toolbooth.catalog.config import GatewaySettings


@surface("search")
def search(book: Book, settings: "GatewaySettings") -> Surface:
    """Three short tools, and those that are pinned."""
    return menu_of("search", (SEARCH_TOOLS, CALL_TOOL, READ_RESULT), book, settings)
