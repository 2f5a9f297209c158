"""Calls of the built-in tools: what each of them does."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Final

import anyio.to_thread

from toolbooth import catalog, errors, limits, safetext
from toolbooth.catalog.config import Reduction
from toolbooth.catalog.connect import RawResult
from toolbooth.gateway import agent_texts, methods, public_names, server_states
from toolbooth.gateway.builtin_tools import (
    CALL_TOOL,
    RequestedCall,
    read_call,
    read_code,
    read_manage_request,
)
from toolbooth.gateway.builtin_tools.call_tools import read_request
from toolbooth.gateway.calls import record, result_format, upstream_call
from toolbooth.gateway.ledger.row import BUILTIN_SERVER
from toolbooth.gateway.offload import offload, size_of
from toolbooth.gateway.reduce import ReduceOptions, fit, only_capped
from toolbooth.gateway.results import is_quick, read
from toolbooth.gateway.session import Caller, Session
from toolbooth.gateway.surfaces.view import View


async def manage_servers(view: View, session: Session, given: Mapping[str, Any]) -> str:
    """Carry out one request."""
    gateway = view.gateway
    asked = read_manage_request(given, gateway.settings.manage_servers)
    if asked.action == "register":
        try:
            name = gateway.register(str(asked.server), asked.config)
        except errors.UserMistake as mistake:
            raise errors.WrongArguments(str(mistake)) from None
        await gateway.ready(session)
        return _state(view, name)
    if asked.server is not None and asked.server not in view.upstreams:
        known = ", ".join(view.upstreams)
        if why := view.registry.why_absent(asked.server):
            raise errors.WrongArguments(safetext.for_terminal(why))
        raise errors.WrongArguments(
            f"there is no server {safetext.for_terminal(asked.server, 60)}; there are {known}"
        )
    if asked.action == "deregister":
        gateway.deregister(str(asked.server))
        return f"{asked.server} is removed until the gateway is started again"
    return _state(view, asked.server)


def _state(view: View, server: str | None) -> str:
    lines = [
        server_states.state_line(view.scope, each)
        for each in view.scope.status()
        if server in (None, each["server"])
    ]
    lines += server_states.absent_lines(view.scope) if server is None else []
    return "\n".join(lines) or "no server is configured"


Given = Mapping[str, Any]
Work = Callable[[View, Caller, Given, methods.Params], Awaitable[methods.Result]]


async def call_builtin(
    view: View, caller: Caller, name: str, given: Given, params: methods.Params
) -> methods.Result:
    """Call a built-in tool. A call that is not possible is answered with what is wrong, so that the agent can
    correct it.
    """
    try:
        work = _WORK.get(name)
        if work is not None:
            result = await work(view, caller, given, params)
        else:
            result = upstream_call.said(await _from_registry(view, caller, name, given), modern=caller.modern)
        builtin = view.surface.builtin_tools[name]
        unknown = builtin.unknown(given)
        return (
            await offload(size_of(result), noted, result, [builtin.ignored(unknown)]) if unknown else result
        )
    except errors.WrongArguments as mistake:
        caller.failed(mistake)
        return upstream_call.said(str(mistake), modern=caller.modern, error=True)


def noted(result: methods.Result, notes: Sequence[str]) -> methods.Result:
    """The result with these lines in a block of their own; what the tool answered is unchanged."""
    if not notes or result_format.input_required(result) is not None:
        return result
    value: dict[str, Any] = result.value if isinstance(result, RawResult) else result
    content = value.get("content")
    blocks = content if isinstance(content, list) else []
    return {**value, "content": [*blocks, {"type": "text", "text": "\n".join(notes)}]}


async def _from_registry(view: View, caller: Caller, name: str, given: Given) -> str:
    if view.empty:
        return server_states.no_servers(view.scope)
    await view.gateway.ready(caller.session)
    registry = view.registry
    await registry.warm()
    answer = view.surface.builtin_tools[name].answer
    if answer is None:
        return f"{name} is not offered"
    missing = server_states.why_not_up(view.scope)
    wanted = given.get("server")
    if isinstance(wanted, str) and wanted in missing:
        raise errors.WrongArguments(server_states.not_up(wanted, missing[wanted]))
    asked = given.get("query")
    size = len(asked) if isinstance(asked, str) else 0
    found = await offload(size, answer, registry, given, quick=limits.QUICK_QUERY)
    return "\n".join([found, *server_states.not_searched(missing)])


async def _call_tool(view: View, caller: Caller, given: Given, params: methods.Params) -> methods.Result:
    call = read_call(given)
    try:
        tool = await _find(view, caller, call.name)
        if isinstance(tool, public_names.UnknownName) and tool.held is not None:
            return upstream_call.held_back(caller, tool.held)
        if isinstance(tool, public_names.UnknownName | public_names.AmbiguousName):
            _ended(caller, "unknown_tool")
            return upstream_call.said(agent_texts.not_found(tool), modern=caller.modern, error=True)
        check_misplaced(tool, given)
        result = await upstream_call.dispatch(view, caller, tool, call.arguments, params)
    except errors.BackendFault as fault:
        _failed(caller, fault)
        return upstream_call.said(agent_texts.upstream_failed(fault), modern=caller.modern, error=True)
    if await offload(size_of(result), result_format.input_required, result) is not None or _refused_here(
        caller
    ):
        return result
    options = reduce_options(view.gateway.reduction(tool.id), call)
    # Parsed already: it may be long
    size = size_of(result) if isinstance(result, RawResult) else limits.REDUCE_ASIDE
    return await offload(size, fitted_answer, view, caller, options, result)


def check_misplaced(tool: catalog.Tool, given: Given) -> None:
    """An argument of the tool beside `arguments` would be lost, and the call would mean something else."""
    properties = (tool.input_schema or {}).get("properties")
    lost = [key for key in CALL_TOOL.unknown(given) if isinstance(properties, Mapping) and key in properties]
    if lost:
        raise errors.WrongArguments(
            f"`{safetext.for_terminal(lost[0], 60)}` belongs inside `arguments`; nothing was called"
        )


def _failed(caller: Caller, fault: errors.BackendFault) -> None:
    """A server that is down is the one that failed, even if its tools are not known."""
    caller.failed(fault)
    if caller.record is not None and caller.record.server == BUILTIN_SERVER and fault.server:
        caller.record.named(fault.server, record.SOME_TOOL)


def _refused_here(caller: Caller) -> bool:
    return caller.record is not None and caller.record.outcome == "bad_arguments"


async def _find(
    view: View, caller: Caller, name: str
) -> catalog.Tool | public_names.AmbiguousName | public_names.UnknownName:
    """The tool of this name, also of a server that is not up yet; raises the error of one that fails to start."""
    gateway = view.gateway
    tool = view.registry.find(name)
    if isinstance(tool, public_names.UnknownName):
        server = public_names.server_in(name, view.upstreams) if tool.held is None else tool.held.tool.server
        await gateway.ready(caller.session)
        if server is not None:
            await gateway.learn(server, caller.session)
        tool = view.registry.find(name)
    return tool


def reduce_options(settings: Reduction, call: RequestedCall) -> ReduceOptions:
    """The options from the config of a tool, with those of the call."""
    changed = settings.changed(call.reduce)
    options = ReduceOptions(changed, call.intent, call.fields)
    return options if changed.on else only_capped(options)


def fitted_answer(
    view: View, caller: Caller, options: ReduceOptions, result: methods.Result
) -> methods.Result:
    """A result that is too long is kept and shown in part; a short one is not even parsed."""
    if isinstance(result, RawResult) and len(result.data) < options.settings.over and not options.fields:
        return result
    read: dict[str, Any] = result.value if isinstance(result, RawResult) else result
    store, owner = view.gateway.results, caller.session.owner
    fitted = fit(read, options, lambda text: store.keep(text, owner))
    if not fitted.steps and fitted.result is read:
        return result
    if caller.record is not None:
        caller.record.cut(read, fitted.steps)
    return fitted.result


async def _read_result(view: View, caller: Caller, given: Given, params: methods.Params) -> methods.Result:  # noqa: ARG001
    store, owner = view.gateway.results, caller.session.owner
    options = read_request(given, limits.MAX_ANSWER_TEXT)
    quick = is_quick(store, options)
    text = (
        read(store, owner, options) if quick else await anyio.to_thread.run_sync(read, store, owner, options)
    )
    return upstream_call.said(text, modern=caller.modern)


def _ended(caller: Caller, outcome: str) -> None:
    if caller.record is not None:
        caller.record.outcome = outcome


async def _call_tool_chain(
    view: View, caller: Caller, given: Given, params: methods.Params
) -> methods.Result:
    from toolbooth.gateway.calls import code_run

    return await code_run.run_chain(view, caller, read_code(given), params)


async def _manage_servers(view: View, caller: Caller, given: Given, params: methods.Params) -> methods.Result:  # noqa: ARG001
    return upstream_call.said(await manage_servers(view, caller.session, given), modern=caller.modern)


_WORK: Final[Mapping[str, Work]] = {
    "call_tool": _call_tool,
    "call_tool_chain": _call_tool_chain,
    "read_result": _read_result,
    "manage_servers": _manage_servers,
}
