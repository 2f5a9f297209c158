"""A `tools/call` request: a built-in tool of the menu, or a server's tool that is there itself."""

from toolbooth.gateway import agent_texts, public_names, server_states
from toolbooth.gateway.builtin_tools import PLAIN_CALL
from toolbooth.gateway.calls import builtin_call, client_tasks, pipeline
from toolbooth.gateway.calls.context import CallContext
from toolbooth.gateway.calls.tool_result import ToolResult
from toolbooth.gateway.session import INVALID_PARAMS, Refusal


async def run_call(call: CallContext) -> ToolResult:
    """Answer the request with its result, or with a task. However it ends, it has its row."""
    try:
        if await client_tasks.wanted(call):
            return await call.gateway.client_tasks.run(call, _carry_out)
    except Refusal as refusal:  # of a task that never began; one that did has its row already
        call.record.failed(refusal)
        pipeline.close(call)
        raise
    return await _carry_out(call)


async def _carry_out(call: CallContext) -> ToolResult:
    return await pipeline.recorded(call, _answer(call))


async def _answer(call: CallContext) -> ToolResult:
    name, arguments = call.params.get("name"), call.params.get("arguments")
    if not isinstance(name, str):
        raise Refusal(INVALID_PARAMS, "name is missing")
    if arguments is None:
        arguments = {}
    elif not isinstance(arguments, dict):
        raise Refusal(INVALID_PARAMS, "arguments must be an object")
    tool = call.view.pinned(name)
    if tool is None:
        if name in call.view.surface.builtin_tools:
            call.record.builtin(name)
            return await builtin_call.call_builtin(call, name, arguments)
        if call.view.changes:
            await call.gateway.ready(call.caller.session)
            tool = call.view.pinned(name)
    if tool is None:
        return _not_in_menu(call, name)
    call.named(tool, arguments, menu_name=name, asked=PLAIN_CALL)
    return await pipeline.in_words(call, pipeline.call_tool(call))


def _not_in_menu(call: CallContext, name: str) -> ToolResult:
    view = call.view
    held = view.registry.held_back(name)
    if held is not None:
        return builtin_call.held_back(call, held)
    call.record.outcome = "unknown_tool"
    missing = server_states.why_not_up(view.scope)
    if (server := public_names.server_in(name, missing)) is not None:
        raise Refusal(INVALID_PARAMS, server_states.not_up(server, missing[server]))
    raise Refusal(INVALID_PARAMS, agent_texts.unknown_tool(view.registry, name, view.surface.builtin_tools))
