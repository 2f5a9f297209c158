"""Tools: the menu, and calls to what stands in it."""

from toolbooth.gateway.account import Account
from toolbooth.gateway.aside import aside, size_of
from toolbooth.gateway.call_report import CallReport, wants_report
from toolbooth.gateway.caller import Caller
from toolbooth.gateway.desk.calls import call_backend, held_back
from toolbooth.gateway.desk.eras import input_required
from toolbooth.gateway.desk.jobs import do_job
from toolbooth.gateway.desk.lists import listed
from toolbooth.gateway.desk.menus import enter_menu
from toolbooth.gateway.desk.registry import Params, Result, answers
from toolbooth.gateway.desk.servers import servers_not_up
from toolbooth.gateway.desk.shape import is_error
from toolbooth.gateway.names import server_in
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
    shown = [each for each in menu if each["name"] not in hidden] if hidden else menu
    enter_menu(view, caller.session, shown)
    return listed(caller, "tools", shown)


@answers("tools/call")
async def call_tool(view: View, caller: Caller, params: Params) -> Result:
    """A tool of the menu. However the call ends, it has its row; a question on the way has one of its own kind."""
    account = caller.account = caller.account or Account(view.gateway.ledger, caller.session.id)
    report = caller.report = CallReport() if wants_report(params) else None
    try:
        result = await _called(view, caller, account, params)
    except BaseException as error:
        account.failed(error)
        account.close(None)
        raise
    size = size_of(result)
    if await aside(size, input_required, result) is not None:
        account.asks()
    account.close(result, error=await aside(size, is_error, result))
    return result if report is None else report.on(result)


async def _called(view: View, caller: Caller, account: Account, params: Params) -> Result:
    """One of our jobs, or a backend's own tool."""
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
        account.own(name)
        return await do_job(view, caller, name, arguments, params)
    if view.changes:
        await view.gateway.ready(caller.session)
        tool = view.pinned(name)
        if tool is not None:
            return await call_backend(view, caller, tool, arguments, params)
    held = view.gateway.book.held_back(name)
    if held is not None:
        return held_back(caller, held)
    account.outcome = "unknown_tool"
    missing = servers_not_up(view.gateway)
    if (server := server_in(name, missing)) is not None:
        raise Refusal(INVALID_PARAMS, f"{server} is configured but not up: {missing[server]}")
    raise Refusal(INVALID_PARAMS, unknown_tool(view.gateway.book, name, view.surface.jobs))
