"""One call of an upstream's tool: check the arguments, send, pass questions on, check the result.

Questions of the server are translated between the protocol versions of server and client. `fast_path.py`
takes the same steps without a task, for the calls that need nothing else.
"""

from collections.abc import Mapping
from functools import partial
from typing import Any

import anyio
from mcp.shared.inbound import find_invalid_x_mcp_header, mcp_param_headers, x_mcp_header_map

from toolbooth import catalog, errors, limits, safetext
from toolbooth.catalog.connect import QuestionRefused, ServerError
from toolbooth.gateway import agent_texts, methods, public_names, session
from toolbooth.gateway.arguments import check_arguments, explain_bad_call
from toolbooth.gateway.calls import result_format
from toolbooth.gateway.calls.record import OURS, CallRecord
from toolbooth.gateway.calls.suspended_calls import SuspendedCalls
from toolbooth.gateway.offload import offload, size_of
from toolbooth.gateway.surfaces.view import View
from toolbooth.gateway.upstreams.connection import CAPABILITY_FOR, Ask, named_requests
from toolbooth.gateway.upstreams.upstream import Upstream

_RESERVED = "io.modelcontextprotocol/"
_KEPT = ("inputResponses", "requestState")
_STATE_ONLY_PAUSE = 0.1  # seconds before a server that needs no input, only time, is asked again


async def carry_out(
    suspended_calls: SuspendedCalls,
    upstream: Upstream,
    caller: session.Caller,
    method: str,
    params: Mapping[str, Any],
    *,
    headers: Mapping[str, str] | None = None,
    again: bool = False,
) -> result_format.ServerResult:
    """Send the request on behalf of the caller; the result fits the caller's protocol version."""
    state = params.get("requestState")
    if suspended_calls.knows(state):
        result = await suspended_calls.resume(caller, str(state), params.get("inputResponses"))
    elif caller.modern and caller.client_identity.capabilities and not _stateless(upstream):

        async def call(suspended: session.Caller, ask: Ask) -> result_format.ServerResult:
            return await upstream.request(suspended, method, params, ask=ask, headers=headers, again=again)

        result = await suspended_calls.call(caller, upstream, call)
    else:
        first, caller.first = caller.first, None
        result = first or await upstream.request(caller, method, params, headers=headers, again=again)
        if not caller.modern:
            result = await _answer_for(caller, upstream, method, params, result, headers)
    if caller.modern:
        result = await offload(size_of(result), _named, suspended_calls, upstream.name, result)
    cacheable = method == "resources/read"
    return await offload(
        size_of(result), partial(result_format.fitted, modern=caller.modern, cacheable=cacheable), result
    )


def passed_on(params: Mapping[str, Any], **named: Any) -> dict[str, Any]:
    """The parameters for an upstream: what names the target, the fields of a retry, and `_meta` without our own
    keys.
    """
    passed = named
    for key in _KEPT:
        if key in params:
            passed[key] = params[key]
    meta = params.get("_meta")
    if meta and isinstance(meta, Mapping):
        kept = {
            key: value
            for key, value in meta.items()
            if key != "progressToken"
            and not key.startswith(OURS)
            and (not key.startswith(_RESERVED) or key == f"{_RESERVED}logLevel")
        }
        if kept:
            passed["_meta"] = kept
    return passed


def _stateless(upstream: Upstream) -> bool:
    """Whether no call of this server can meet a question; a server of both kinds may have connections of both."""
    return bool(upstream.connections) and all(
        connection.peer.protocol.modern for connection in upstream.connections
    )


async def _answer_for(
    caller: session.Caller,
    upstream: Upstream,
    method: str,
    params: Mapping[str, Any],
    result: result_format.ServerResult,
    headers: Mapping[str, str] | None,
) -> result_format.ServerResult:
    """A stateless server answered with questions: ask an older client, then repeat the call."""
    for _round in range(limits.MAX_INPUT_ROUNDS):
        asked = await offload(size_of(result), result_format.input_required, result)
        if asked is None:
            return result
        retry = {key: value for key, value in params.items() if key not in _KEPT}
        if asked.get("inputRequests"):
            retry["inputResponses"] = await _ask_all(caller, _named_questions(upstream.name, asked))
        else:
            await anyio.sleep(_STATE_ONLY_PAUSE)
        if "requestState" in asked:
            retry["requestState"] = asked["requestState"]
        result = await upstream.request(caller, method, retry, headers=headers)
    raise session.Refusal(
        session.INTERNAL_ERROR,
        f"{upstream.name} asked for input more than {limits.MAX_INPUT_ROUNDS} times in one call",
    )


def _named(
    suspended_calls: SuspendedCalls, server: str, result: result_format.ServerResult
) -> result_format.ServerResult:
    """Add the server's name to its questions for a stateless client; those of a suspended call have it already."""
    asked = result_format.input_required(result)
    return (
        result
        if asked is None or suspended_calls.holds(asked.get("requestState"))
        else _with_name(server, asked)
    )


def _named_questions(server: str, asked: Mapping[str, Any]) -> object:
    return _with_name(server, asked).get("inputRequests")


def _with_name(server: str, asked: Mapping[str, Any]) -> dict[str, Any]:
    try:
        return named_requests(server, asked)
    except QuestionRefused as error:
        raise session.Refusal(error.code, error.message) from None


async def _ask_all(caller: session.Caller, requests: object) -> dict[str, Any]:
    """Ask all questions at once; one that the client cannot be asked, or refuses, ends the call."""
    answers: dict[str, Any] = {}
    refused: list[QuestionRefused] = []

    async def ask(key: str, request: Mapping[str, Any]) -> None:
        try:
            answers[key] = await caller.channel.ask(str(request.get("method")), request.get("params"))
        except QuestionRefused as error:
            refused.append(error)

    askable = _askable(caller, requests)
    async with anyio.create_task_group() as tasks:
        for key, request in askable.items():
            tasks.start_soon(ask, key, request)
    if refused:
        raise session.Refusal(refused[0].code, refused[0].message, refused[0].data)
    return answers


def _askable(caller: session.Caller, requests: object) -> dict[str, Mapping[str, Any]]:
    """The questions that this client can answer; a server may not send it anything else."""
    asked: dict[str, Mapping[str, Any]] = {}
    for key, request in requests.items() if isinstance(requests, Mapping) else ():
        method = request.get("method") if isinstance(request, Mapping) else None
        params = request.get("params") if isinstance(request, Mapping) else None
        if CAPABILITY_FOR.get(str(method), "?") not in caller.client_identity.capabilities or not isinstance(
            params, Mapping | None
        ):
            said = safetext.for_terminal(str(method), 60)
            raise session.Refusal(
                session.METHOD_NOT_FOUND, f"the server asks for {said}, which this client does not offer"
            )
        asked[str(key)] = request
    return asked


async def call_upstream(
    view: View,
    caller: session.Caller,
    tool: catalog.Tool,
    arguments: Mapping[str, Any],
    params: methods.Params,
) -> methods.Result:
    """Call a tool and answer as its server does; a failed server is reported in words for an agent."""
    try:
        return await dispatch(view, caller, tool, arguments, params, str(params.get("name", "")))
    except ServerError as error:
        caller.failed(error)
        raise session.refusal_of(error) from None
    except errors.BackendFault as fault:
        caller.failed(fault)
        return said(agent_texts.upstream_failed(fault), modern=caller.modern, error=True)


async def dispatch(
    view: View,
    caller: session.Caller,
    tool: catalog.Tool,
    arguments: Mapping[str, Any],
    params: methods.Params,
    name: str = "",
) -> methods.Result:
    """Check the arguments, then ask the server. Wrong ones are answered here, and the server gets nothing.

    `name` is the tool's name in the menu, if it is there itself.
    """
    record = caller.record or CallRecord(view.gateway.ledger, caller.session.id)
    record.named(tool.server, tool.name)
    script = view.gateway.scripts.get(tool)
    if caller.report is not None and script is None:
        caller.report.called(tool, arguments)
    problems = check_arguments(tool, arguments)
    if problems:
        record.outcome = "bad_arguments"
        return said(explain_bad_call(tool, problems, name), modern=caller.modern, error=True)
    if script is not None:
        from toolbooth.gateway.calls import code_run  # imports the sandbox

        view.gateway.registry.used(tool.id)
        return await code_run.run_script(view, caller, script, arguments, params)
    upstream = view.upstreams.get(tool.server)
    if upstream is None:
        raise session.Refusal(session.INTERNAL_ERROR, f"{tool.server} is no longer configured")
    caller.admit = view.gateway.lock.admission(tool)
    view.gateway.registry.used(tool.id)
    result = await carry_out(
        view.gateway.suspended_calls,
        upstream,
        caller,
        "tools/call",
        passed_on(params, name=tool.name, arguments=arguments),
        headers=None if upstream.spec.transport == "stdio" else _headers(tool, arguments),
        again=not caller.retried and repeatable(tool),
    )
    if result_format.misshapen(result):
        raise result_format.misshapen_result(tool)
    record.answered(result)
    return result


def held_back(caller: session.Caller, held: public_names.HeldTool) -> methods.Result:
    """A tool that differs from the lock was named: say why it is not called; the row has its name."""
    if caller.record is not None:
        caller.record.named(held.tool.server, held.tool.name)
    caller.failed(errors.ToolHeldBack(held.why, held.tool.server))
    return said(held.why, modern=caller.modern, error=True)


def repeatable(tool: catalog.Tool) -> bool:
    """Whether a call may be repeated if its server ended in the middle: only if the server says so."""
    hints = tool.annotations or {}
    return hints.get("readOnlyHint") is True or hints.get("idempotentHint") is True


def said(text: str, *, modern: bool, error: bool = False) -> dict[str, Any]:
    """A text as the result of a tool."""
    result: dict[str, Any] = {"content": [{"type": "text", "text": text}]}
    if error:
        result["isError"] = True
    return {"resultType": "complete", **result} if modern else result


def _headers(tool: catalog.Tool, arguments: Mapping[str, Any]) -> dict[str, str] | None:
    """Arguments that a stateless HTTP server wants repeated in headers; few tools have any."""
    schema = tool.input_schema
    if not schema or "x-mcp-header" not in str(schema) or find_invalid_x_mcp_header(schema) is not None:
        return None
    return mcp_param_headers(x_mcp_header_map(schema), arguments)
