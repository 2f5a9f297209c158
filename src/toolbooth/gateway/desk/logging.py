"""The level of log messages that a client of the handshake era wants: kept, and passed on to the servers."""

import anyio

from toolbooth.gateway.caller import LEVELS, Caller
from toolbooth.gateway.desk.registry import Params, Result, answers
from toolbooth.gateway.refusal import INVALID_PARAMS, Refusal
from toolbooth.gateway.view import View


@answers("logging/setLevel")
async def set_level(view: View, caller: Caller, params: Params) -> Result:
    """For servers that run now and for those that start later."""
    level = params.get("level")
    if level not in LEVELS:
        raise Refusal(INVALID_PARAMS, f"level must be one of {', '.join(LEVELS)}")
    caller.session.log_level = str(level)
    async with (
        anyio.create_task_group() as tasks
    ):  # a server that does not answer must not hold up the others
        for backend in view.gateway.backends.values():
            tasks.start_soon(backend.set_log_level, caller.session, str(level))
    return {}
