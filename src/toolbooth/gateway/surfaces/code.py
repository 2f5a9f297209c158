"""The surface `code`: find, write code that calls, read on; it is not offered yet."""

from typing import TYPE_CHECKING

from toolbooth.errors import UserMistake
from toolbooth.gateway.book import Book
from toolbooth.gateway.surfaces.surface import OFFERED, Surface, surface

if TYPE_CHECKING:
    from toolbooth.catalog.config import GatewaySettings


@surface("code")
def code(_book: Book, _settings: "GatewaySettings") -> Surface:
    """Raises UserMistake: its `call_tool_chain` needs the sandbox, which this version does not have."""
    raise UserMistake(f"the surface code is not offered in this version; choose {OFFERED}")
