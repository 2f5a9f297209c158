"""The surface `direct`: every backend tool under its public name."""

from typing import TYPE_CHECKING

from toolbooth.gateway.book import Book
from toolbooth.gateway.surfaces.surface import Surface, surface

if TYPE_CHECKING:
    from toolbooth.catalog.config import GatewaySettings


@surface("direct")
def direct(book: Book, settings: "GatewaySettings") -> Surface:
    """In the order of the config and of each server; schemas slim unless the settings want them as they came."""
    tools = {book.names.public(tool): tool for tool in book.catalog.tools}
    return Surface("direct", {}, tools, settings.slim)
