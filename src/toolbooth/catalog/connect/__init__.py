"""Server specs → live connections and the tools behind them."""

from toolbooth.catalog.connect.gather import Reached, reach, reach_all
from toolbooth.catalog.connect.link import Link, ServerError, open_link
from toolbooth.catalog.connect.listing import list_tools
from toolbooth.catalog.connect.negotiate import negotiate

__all__ = [
    "Link",
    "Reached",
    "ServerError",
    "list_tools",
    "negotiate",
    "open_link",
    "reach",
    "reach_all",
]
