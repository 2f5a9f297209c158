"""A kept result × what is wanted of it → that part, bounded, and how to go on."""

from toolbooth.gateway.results.reading.read import is_quick, read
from toolbooth.gateway.results.reading.wish import Wish

__all__ = ["Wish", "is_quick", "read"]
