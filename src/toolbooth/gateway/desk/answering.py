"""Method × parameters of a caller → the answer of whoever is registered for it."""

from toolbooth.gateway.caller import Caller
from toolbooth.gateway.desk.registry import HANDLERS, Params, Result
from toolbooth.gateway.refusal import METHOD_NOT_FOUND, Refusal
from toolbooth.gateway.view import View


async def answer(view: View, caller: Caller, method: str, params: Params) -> Result:
    """Raises Refusal, or a BackendFault where a server failed and no words are better than its own."""
    handler = HANDLERS.get(method)
    if handler is None:
        raise Refusal(METHOD_NOT_FOUND, "Method not found", method)
    return await handler(view, caller, params)
