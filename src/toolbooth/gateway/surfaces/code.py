"""The surface `code`: find, write code that calls, read on."""

from dataclasses import replace
from typing import TYPE_CHECKING

from toolbooth.gateway.book import Book
from toolbooth.gateway.jobs import CALL_TOOL_CHAIN, READ_RESULT
from toolbooth.gateway.jobs.search_tools import answer_for_code
from toolbooth.gateway.surfaces.search import short_search
from toolbooth.gateway.surfaces.surface import Surface, menu_of, surface

if TYPE_CHECKING:
    from toolbooth.catalog.config import GatewaySettings


@surface("code")
def code(book: Book, settings: "GatewaySettings") -> Surface:
    """Three short tools, and those that are pinned; a single call is a code of one line."""
    return menu_of(
        "code",
        (replace(short_search(), answer=answer_for_code), CALL_TOOL_CHAIN, READ_RESULT),
        book,
        settings,
    )
