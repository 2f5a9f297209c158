"""Methods of the protocol → who answers them."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final

from toolbooth.catalog.connect import RawResult
from toolbooth.gateway.caller import Caller
from toolbooth.gateway.view import View

Params = Mapping[str, Any]
Result = dict[str, Any] | RawResult
Handler = Callable[[View, Caller, Params], Awaitable[Result]]

HANDLERS: Final[dict[str, Handler]] = {}


def answers(method: str) -> Callable[[Handler], Handler]:
    """Register the one function that answers a method."""

    def register(handler: Handler) -> Handler:
        HANDLERS[method] = handler
        return handler

    return register
