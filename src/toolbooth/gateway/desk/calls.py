"""A backend's tool × arguments → its result, for the surface that passes it through."""

from collections.abc import Mapping
from typing import Any

from mcp.shared.inbound import find_invalid_x_mcp_header, mcp_param_headers, x_mcp_header_map

from toolbooth.catalog import Tool
from toolbooth.catalog.connect import ServerError
from toolbooth.errors import BackendFault, ToolHeldBack
from toolbooth.gateway.account import Account
from toolbooth.gateway.arguments import check_arguments, explain_bad_call
from toolbooth.gateway.caller import Caller
from toolbooth.gateway.desk.questions import carry_out, passed_on
from toolbooth.gateway.desk.registry import Params, Result
from toolbooth.gateway.desk.shape import misshapen, misshapen_result
from toolbooth.gateway.names import Held
from toolbooth.gateway.refusal import INTERNAL_ERROR, Refusal, refusal_of
from toolbooth.gateway.texts import backend_failed
from toolbooth.gateway.view import View


async def call_backend(
    view: View, caller: Caller, tool: Tool, arguments: Mapping[str, Any], params: Params
) -> Result:
    """Call a tool and answer as its server does; a server that fails is said in words that an agent can read."""
    try:
        return await dispatch(view, caller, tool, arguments, params, str(params.get("name", "")))
    except ServerError as error:
        caller.failed(error)
        raise refusal_of(error) from None
    except BackendFault as fault:
        caller.failed(fault)
        return said(backend_failed(fault), modern=caller.modern, error=True)


async def dispatch(
    view: View, caller: Caller, tool: Tool, arguments: Mapping[str, Any], params: Params, name: str = ""
) -> Result:
    """Check the arguments, then ask the server. Wrong ones are answered here, and the server hears nothing.

    `name` is what the tool goes by in the menu, where it stands there itself.
    """
    account = caller.account or Account(view.gateway.ledger, caller.session.id)
    account.named(tool.server, tool.name)
    script = view.gateway.scripts.get(tool)
    if caller.report is not None and script is None:
        caller.report.called(tool, arguments)
    problems = check_arguments(tool, arguments)
    if problems:
        account.outcome = "bad_arguments"
        return said(explain_bad_call(tool, problems, name), modern=caller.modern, error=True)
    if script is not None:
        from toolbooth.gateway.desk.chains import run_script  # brings the sandbox

        view.gateway.book.used(tool.id)
        return await run_script(view, caller, script, arguments, params)
    backend = view.gateway.backends.get(tool.server)
    if backend is None:
        raise Refusal(INTERNAL_ERROR, f"{tool.server} is no longer configured")
    caller.admit = view.gateway.lock.admission(tool)
    view.gateway.book.used(tool.id)
    result = await carry_out(
        view.gateway.parking,
        backend,
        caller,
        "tools/call",
        passed_on(params, name=tool.name, arguments=arguments),
        headers=None if backend.spec.transport == "stdio" else _headers(tool, arguments),
        again=not caller.retried and repeatable(tool),
    )
    if misshapen(result):
        raise misshapen_result(tool)
    account.answered(result)
    return result


def held_back(caller: Caller, held: Held) -> Result:
    """A tool that is not as it was locked was named: why it is not called; the row has its name."""
    if caller.account is not None:
        caller.account.named(held.tool.server, held.tool.name)
    caller.failed(ToolHeldBack(held.why, held.tool.server))
    return said(held.why, modern=caller.modern, error=True)


def repeatable(tool: Tool) -> bool:
    """Whether a call may be made again when its server ended in the middle: only where the server says so."""
    hints = tool.annotations or {}
    return hints.get("readOnlyHint") is True or hints.get("idempotentHint") is True


def said(text: str, *, modern: bool, error: bool = False) -> dict[str, Any]:
    """A text as the result of a tool."""
    result: dict[str, Any] = {"content": [{"type": "text", "text": text}]}
    if error:
        result["isError"] = True
    return {"resultType": "complete", **result} if modern else result


def _headers(tool: Tool, arguments: Mapping[str, Any]) -> dict[str, str] | None:
    """Arguments that a stateless HTTP server wants mirrored in headers; few tools have any."""
    schema = tool.input_schema
    if not schema or "x-mcp-header" not in str(schema) or find_invalid_x_mcp_header(schema) is not None:
        return None
    return mcp_param_headers(x_mcp_header_map(schema), arguments)
