"""The table of MCP methods that the gateway answers, with the one function registered for each.

`handlers/` fills the table; transports call `answer` and need no handler by name.
"""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final

from toolbooth.gateway.calls.tool_result import ToolResult
from toolbooth.gateway.session import METHOD_NOT_FOUND, Caller, Refusal
from toolbooth.gateway.surfaces.view import View

Params = Mapping[str, Any]
Result = dict[str, Any] | ToolResult
Handler = Callable[[View, Caller, Params], Awaitable[Result]]

HANDLERS: Final[dict[str, Handler]] = {}


def answers(method: str) -> Callable[[Handler], Handler]:
    """Register the one function that answers a method."""

    def register(handler: Handler) -> Handler:
        HANDLERS[method] = handler
        return handler

    return register


async def answer(view: View, caller: Caller, method: str, params: Params) -> Result:
    """Answer one request with what exists for its principal.

    Raises Refusal, or a BackendFault where the server failed and its own words are best.
    """
    handler = HANDLERS.get(method)
    if handler is None:
        raise Refusal(METHOD_NOT_FOUND, "Method not found", method)
    return await handler(view.shown_to(caller.session), caller, params)
