"""Answers that are too long → a part of them and a ref, by which all of the rest can be read."""

from toolbooth.gateway.results.fit import fit
from toolbooth.gateway.results.read import read_lines
from toolbooth.gateway.results.store import ResultStore

__all__ = ["ResultStore", "fit", "read_lines"]
