"""Results that are too long: a part is shown, with a ref by which all of the rest can be read."""

from toolbooth.gateway.results.read_request import ReadRequest, is_quick, read
from toolbooth.gateway.results.store import ResultStore

__all__ = ["ReadRequest", "ResultStore", "is_quick", "read"]
