"""What a request is refused with: a JSON-RPC error, and which one a fault becomes."""

from typing import Any

from toolbooth.catalog.connect import ServerError
from toolbooth.errors import BackendFault

INVALID_REQUEST = -32600
INVALID_PARAMS = -32602
METHOD_NOT_FOUND = -32601
INTERNAL_ERROR = -32603
RESOURCE_NOT_FOUND = -32002


class Refusal(Exception):
    """The answer is an error."""

    def __init__(self, code: int, message: str, data: Any = None) -> None:
        self.code, self.message, self.data = code, message, data
        super().__init__(message)

    @property
    def wire(self) -> dict[str, Any]:
        """The error as JSON-RPC has it."""
        error: dict[str, Any] = {"code": self.code, "message": self.message}
        return error if self.data is None else {**error, "data": self.data}


def refusal_of(fault: BackendFault) -> Refusal:
    """A server's own error stays as it came; all else is an internal error with our words."""
    if isinstance(fault, ServerError):
        return Refusal(fault.code, fault.said, fault.data)
    return Refusal(INTERNAL_ERROR, str(fault))


def own_fault(error: Exception) -> Refusal:
    """Something failed that should not; a client waits for an answer all the same."""
    said = f"the gateway failed ({type(error).__name__}); this is a fault of Toolbooth"
    return Refusal(INTERNAL_ERROR, said)
