"""`tools/list` and `tools/call`, each with its row in the ledger.

The row of a list has what was sent beside the menus of all servers that it replaces: both are counted or
neither. A session's first list is counted; a later one is recorded but not summed, since the model has read
the menu already.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from toolbooth import limits
from toolbooth.gateway import agent_texts, methods, public_names, server_states
from toolbooth.gateway.calls import builtin_call, result_format, upstream_call
from toolbooth.gateway.calls.record import CallRecord, CallReport, wants_report
from toolbooth.gateway.handlers.merged_lists import listed
from toolbooth.gateway.ledger.ledger import Menu
from toolbooth.gateway.ledger.row import BUILTIN_SERVER, LIST, MENU
from toolbooth.gateway.offload import offload, size_of
from toolbooth.gateway.session import INVALID_PARAMS, Caller, Refusal, Session
from toolbooth.gateway.surfaces.view import View


def record_menu(view: View, session: Session, shown: Sequence[Mapping[str, Any]]) -> None:
    """Wait in the background for servers that are still starting: a client without us would have their tools."""
    gateway = view.gateway
    record = CallRecord(gateway.ledger, session.id, BUILTIN_SERVER, "tools/list")
    sent = view.sent(shown)
    if session.menu_counted:
        record.kind = LIST
        record.close(sent)
        return
    session.menu_counted = True
    record.kind, record.ms = MENU, 0.0
    if view.upstreams.keys() <= view.registry.servers.keys():
        _close(view, session, record, sent)
    else:
        gateway.spawn(_close_later, view, session, record, sent)


async def _close_later(view: View, session: Session, record: CallRecord, sent: Menu) -> None:
    try:
        await view.gateway.known(limits.MENU_WAIT)
    finally:  # a client that leaves at once has its row, too
        _close(view, session, record, sent)


def _close(view: View, session: Session, record: CallRecord, sent: Menu) -> None:
    record.before = view.replaced(session)
    if record.before is None:
        record.kind = LIST  # no server is known: there is nothing to compare it with
    record.close(sent)


@methods.answers("tools/list")
async def list_tools(view: View, caller: Caller, params: methods.Params) -> methods.Result:  # noqa: ARG001
    """The whole menu at once; if upstream tools are in it, new servers get a moment to list theirs."""
    if view.changes:
        await view.gateway.ready(caller.session)
    hidden = {
        name for name, tool in view.surface.tools.items() if not view.gateway.shows(tool, caller.session)
    }
    menu = view.tools(legacy=not caller.modern)
    shown = [each for each in menu if each["name"] not in hidden] if hidden else menu
    record_menu(view, caller.session, shown)
    return listed(caller, "tools", shown)


@methods.answers("tools/call")
async def call_tool(view: View, caller: Caller, params: methods.Params) -> methods.Result:
    """Call a tool of the menu. However the call ends, it has its row; a question on the way has its own kind."""
    record = caller.record = caller.record or CallRecord(view.gateway.ledger, caller.session.id)
    report = caller.report = CallReport() if wants_report(params) else None
    try:
        result = await _called(view, caller, record, params)
    except BaseException as error:
        record.failed(error)
        record.close(None)
        raise
    size = size_of(result)
    if await offload(size, result_format.input_required, result) is not None:
        record.asks()
    record.close(result, error=await offload(size, result_format.is_error, result))
    return result if report is None else report.on(result)


async def _called(view: View, caller: Caller, record: CallRecord, params: methods.Params) -> methods.Result:
    """A built-in tool, or a tool of an upstream."""
    name, arguments = params.get("name"), params.get("arguments")
    if not isinstance(name, str):
        raise Refusal(INVALID_PARAMS, "name is missing")
    if arguments is None:
        arguments = {}
    elif not isinstance(arguments, dict):
        raise Refusal(INVALID_PARAMS, "arguments must be an object")
    tool = view.pinned(name)
    if tool is not None:
        return await upstream_call.call_upstream(view, caller, tool, arguments, params)
    if name in view.surface.builtin_tools:
        record.builtin(name)
        return await builtin_call.call_builtin(view, caller, name, arguments, params)
    if view.changes:
        await view.gateway.ready(caller.session)
        tool = view.pinned(name)
        if tool is not None:
            return await upstream_call.call_upstream(view, caller, tool, arguments, params)
    held = view.registry.held_back(name)
    if held is not None:
        return upstream_call.held_back(caller, held)
    record.outcome = "unknown_tool"
    missing = server_states.why_not_up(view.scope)
    if (server := public_names.server_in(name, missing)) is not None:
        raise Refusal(INVALID_PARAMS, server_states.not_up(server, missing[server]))
    raise Refusal(INVALID_PARAMS, agent_texts.unknown_tool(view.registry, name, view.surface.builtin_tools))
