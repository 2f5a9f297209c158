"""Tools: the menu, and calls to what stands in it."""

from toolbooth.gateway.caller import Caller
from toolbooth.gateway.desk.calls import call_backend
from toolbooth.gateway.desk.jobs import do_job
from toolbooth.gateway.desk.lists import listed
from toolbooth.gateway.desk.registry import Params, Result, answers
from toolbooth.gateway.refusal import INVALID_PARAMS, Refusal
from toolbooth.gateway.texts import unknown_tool
from toolbooth.gateway.view import View


@answers("tools/list")
async def list_tools(view: View, caller: Caller, params: Params) -> Result:  # noqa: ARG001
    """The whole menu at once; where backends' tools stand in it, new servers get a moment to tell theirs."""
    if view.changes:
        await view.gateway.ready(caller.session)
    hidden = {
        name for name, tool in view.surface.tools.items() if not view.gateway.shows(tool, caller.session)
    }
    menu = view.tools(legacy=not caller.modern)
    return listed(caller, "tools", [each for each in menu if each["name"] not in hidden] if hidden else menu)


@answers("tools/call")
async def call_tool(view: View, caller: Caller, params: Params) -> Result:
    """A tool of the menu: one of our jobs, or a backend's own."""
    name, arguments = params.get("name"), params.get("arguments")
    if not isinstance(name, str):
        raise Refusal(INVALID_PARAMS, "name is missing")
    if arguments is None:
        arguments = {}
    elif not isinstance(arguments, dict):
        raise Refusal(INVALID_PARAMS, "arguments must be an object")
    tool = view.pinned(name)
    if tool is not None:
        return await call_backend(view, caller, tool, arguments, params)
    if name in view.surface.jobs:
        return await do_job(view, caller, name, arguments, params)
    if view.changes:
        await view.gateway.ready(caller.session)
        tool = view.pinned(name)
        if tool is not None:
            return await call_backend(view, caller, tool, arguments, params)
    raise Refusal(INVALID_PARAMS, unknown_tool(view.gateway.book, name, direct=not view.surface.jobs))
