"""Calls of the built-in tools: what each of them does."""

from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Any, Final

import anyio.to_thread

from toolbooth import access, catalog, errors, limits, safetext
from toolbooth.gateway import agent_texts, public_names, server_states
from toolbooth.gateway.builtin_tools import CALL_TOOL, read_call, read_code, read_manage_request
from toolbooth.gateway.builtin_tools.call_tools import read_request
from toolbooth.gateway.calls import pipeline, record
from toolbooth.gateway.calls.context import CallContext
from toolbooth.gateway.calls.tool_result import ToolResult
from toolbooth.gateway.offload import offload
from toolbooth.gateway.results import is_quick, read
from toolbooth.gateway.session import Session
from toolbooth.gateway.surfaces.view import View


async def manage_servers(view: View, session: Session, given: Mapping[str, Any]) -> str:
    """Carry out one request."""
    gateway = view.gateway
    asked = read_manage_request(given, gateway.settings.manage_servers)
    restricted = gateway.authorizer is not access.OPEN and session.principal != access.LOCAL_USER
    if (
        restricted and asked.action != "status"
    ):  # servers belong to everyone, and an answer would name hidden ones
        raise errors.WrongArguments(f"{asked.action} is for the user of this machine only")
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
            f"unknown server {safetext.for_terminal(asked.server, 60)}; the servers are {known}"
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
Work = Callable[[CallContext, Given], Awaitable[ToolResult]]


async def call_builtin(call: CallContext, name: str, given: Given) -> ToolResult:
    """Call a built-in tool. A call that is not possible is answered with what is wrong, so that the agent can
    correct it.
    """
    try:
        work = _WORK.get(name)
        result = await work(call, given) if work is not None else await _from_registry(call, name, given)
        builtin = call.view.surface.builtin_tools[name]
        unknown = builtin.unknown(given)
        if not unknown:
            return result
        return await offload(result.size, result.with_lines, [builtin.ignored(unknown)])
    except errors.WrongArguments as mistake:
        call.failed(mistake)
        return call.said(str(mistake), error=True)


async def _from_registry(call: CallContext, name: str, given: Given) -> ToolResult:
    view = call.view
    if view.empty:
        return call.said(server_states.no_servers(view.scope))
    await call.gateway.ready(call.caller.session)
    registry = view.registry
    await registry.warm()
    answer = view.surface.builtin_tools[name].answer
    if answer is None:
        return call.said(f"{name} is not offered")
    missing = server_states.why_not_up(view.scope)
    wanted = given.get("server")
    if isinstance(wanted, str) and wanted in missing:
        raise errors.WrongArguments(server_states.not_up(wanted, missing[wanted]))
    asked = given.get("query")
    size = len(asked) if isinstance(asked, str) else 0
    found = await offload(size, answer, registry, given, quick=limits.QUICK_QUERY)
    return call.said("\n".join([found, *server_states.not_searched(missing)]))


async def _call_tool(call: CallContext, given: Given, through: str) -> ToolResult:
    asked = read_call(given, through)
    try:
        tool = await _find(call, asked.name)
    except errors.BackendFault as fault:
        if fault.server:  # a server that is down is the one that failed, even if its tools are not known
            call.record.named(fault.server, record.SOME_TOOL)
        call.failed(fault)
        return call.said(agent_texts.upstream_failed(fault), error=True)
    if isinstance(tool, public_names.UnknownName) and tool.held is not None:
        return held_back(call, tool.held)
    if not isinstance(tool, catalog.Tool):
        call.record.outcome = "unknown_tool"
        return call.said(agent_texts.not_found(tool), error=True)
    check_misplaced(tool, given)
    call.named(tool, asked.arguments, asked=asked)
    return await pipeline.in_words(call, pipeline.call_tool(call))


def check_misplaced(tool: catalog.Tool, given: Given) -> None:
    """An argument of the tool beside `arguments` would be lost, and the call would mean something else."""
    properties = (tool.input_schema or {}).get("properties")
    lost = [key for key in CALL_TOOL.unknown(given) if isinstance(properties, Mapping) and key in properties]
    if lost:
        raise errors.WrongArguments(
            f"`{safetext.for_terminal(lost[0], 60)}` belongs inside `arguments`; nothing was called"
        )


def held_back(call: CallContext, held: public_names.HeldTool) -> ToolResult:
    """A tool that differs from the lock was named: say why it is not called; the row has its name."""
    call.record.named(held.tool.server, held.tool.name)
    call.failed(errors.ToolHeldBack(held.why, held.tool.server))
    return call.said(held.why, error=True)


async def _find(
    call: CallContext, name: str
) -> catalog.Tool | public_names.AmbiguousName | public_names.UnknownName:
    """The tool of this name, also of a server that is not up yet; raises the error of one that fails to start."""
    gateway, view, session = call.gateway, call.view, call.caller.session
    tool = view.registry.find(name)
    if isinstance(tool, public_names.UnknownName):
        server = public_names.server_in(name, view.upstreams) if tool.held is None else tool.held.tool.server
        await gateway.ready(session)
        if server is not None:
            await gateway.learn(server, session)
        tool = view.registry.find(name)
    return tool


async def _read_result(call: CallContext, given: Given) -> ToolResult:
    store, owner = call.gateway.results, call.caller.session.owner
    options = read_request(given, limits.MAX_ANSWER_TEXT)
    if is_quick(store, options):
        return call.said(read(store, owner, options))
    return call.said(await anyio.to_thread.run_sync(read, store, owner, options))


async def _call_tool_chain(call: CallContext, given: Given) -> ToolResult:
    from toolbooth.gateway.calls import code_run

    return await code_run.run_chain(call, read_code(given))


async def _manage_servers(call: CallContext, given: Given) -> ToolResult:
    return call.said(await manage_servers(call.view, call.caller.session, given))


_WORK: Final[Mapping[str, Work]] = {
    **{name: partial(_call_tool, through=name) for name in public_names.CALL_NAMES},
    "call_tool_chain": _call_tool_chain,
    "read_result": _read_result,
    "manage_servers": _manage_servers,
}
