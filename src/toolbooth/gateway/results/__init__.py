"""Answers that are too long → a part of them and a ref, by which all of the rest can be read."""

from toolbooth.gateway.results.reading.read import is_quick, read
from toolbooth.gateway.results.reading.wish import Wish
from toolbooth.gateway.results.store import ResultStore

__all__ = ["ResultStore", "Wish", "is_quick", "read"]
