"""The surface `search`: find, call, read on."""

from dataclasses import replace
from typing import TYPE_CHECKING

from toolbooth.gateway.book import Book
from toolbooth.gateway.jobs import CALL_TOOL, READ_RESULT, SEARCH_TOOLS, Job
from toolbooth.gateway.surfaces.surface import Surface, menu_of, surface

if TYPE_CHECKING:
    from toolbooth.catalog.config import GatewaySettings


@surface("search")
def search(book: Book, settings: "GatewaySettings") -> Surface:
    """Three short tools, and those that are pinned."""
    return menu_of("search", (short_search(), CALL_TOOL, READ_RESULT), book, settings)


def short_search() -> Job:
    """`brief` is known and not named: an exact name tells all."""
    named = {name: kind for name, kind in SEARCH_TOOLS.parameters.items() if name != "brief"}
    return replace(SEARCH_TOOLS, parameters=named)
