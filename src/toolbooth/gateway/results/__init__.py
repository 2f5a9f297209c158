"""Answers that are too long → a part of them and a ref, by which all of the rest can be read."""

from toolbooth.gateway.results.read import is_quick, read
from toolbooth.gateway.results.store import ResultStore
from toolbooth.gateway.results.wish import Wish

__all__ = ["ResultStore", "Wish", "is_quick", "read"]
