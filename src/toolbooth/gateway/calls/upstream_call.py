"""The send step: one request to an upstream, and its questions on their way to the client.

Questions are translated between the protocol versions of server and client. Requests without a tool (resources,
prompts, completion) are passed through by this step alone.
"""

from collections.abc import Mapping
from typing import Any

import anyio
from mcp.shared.inbound import find_invalid_x_mcp_header, mcp_param_headers, x_mcp_header_map

from toolbooth import catalog, errors, limits, safetext
from toolbooth.catalog.connect import QuestionRefused
from toolbooth.gateway import session
from toolbooth.gateway.calls.record import OURS
from toolbooth.gateway.calls.suspended_calls import SuspendedCalls
from toolbooth.gateway.calls.tool_result import ServerResult, ToolResult
from toolbooth.gateway.offload import offload
from toolbooth.gateway.upstreams.connection import DIRECTLY, Admit, Ask
from toolbooth.gateway.upstreams.questions import CAPABILITY_FOR, named_requests
from toolbooth.gateway.upstreams.task_messages import may_become_task, task_support
from toolbooth.gateway.upstreams.upstream import Upstream

Received = ToolResult | errors.BackendCrashed | None
"""What the fast path has of a call when it hands it over."""
_RESERVED = "io.modelcontextprotocol/"
_KEPT = ("inputResponses", "requestState")
_STATE_ONLY_PAUSE = 0.1  # seconds before a server that needs no input, only time, is asked again


async def pass_through(
    suspended_calls: SuspendedCalls,
    upstream: Upstream,
    caller: session.Caller,
    method: str,
    params: Mapping[str, Any],
) -> ToolResult:
    """Send a request that is no call of a tool; the result fits the caller's protocol version."""
    result = await send_request(suspended_calls, upstream, caller, method, params)
    return await offload(result.size, result.for_version, caller.modern, method == "resources/read")


async def send_request(
    suspended_calls: SuspendedCalls,
    upstream: Upstream,
    caller: session.Caller,
    method: str,
    params: Mapping[str, Any],
    *,
    headers: Mapping[str, str] | None = None,
    admit: Admit | None = None,
    again: bool = False,
    received: Received = None,
) -> ToolResult:
    """Send the request on behalf of the caller, and its questions back; goes on with what was `received` before."""
    sent = isinstance(received, errors.BackendCrashed)

    async def request(caller: session.Caller, ask: Ask = DIRECTLY) -> ServerResult:
        again_now = again and not sent
        return await upstream.request(
            caller, method, params, ask=ask, headers=headers, admit=admit, again=again_now, sent=sent
        )

    state = params.get("requestState")
    if suspended_calls.knows(state):
        result = ToolResult(await suspended_calls.resume(caller, str(state), params.get("inputResponses")))
    elif caller.modern and caller.client_identity.capabilities and not _stateless(upstream):
        result = ToolResult(await suspended_calls.call(caller, upstream, request))
    else:
        result = received if isinstance(received, ToolResult) else ToolResult(await request(caller))
        if not caller.modern:
            return await _answer_for(caller, upstream, method, params, result, headers, admit)
    return await offload(result.size, _named, suspended_calls, upstream.name, result)


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


def call_params(
    params: Mapping[str, Any], tool: catalog.Tool, arguments: Mapping[str, Any]
) -> dict[str, Any]:
    """The parameters of a call; a tool that runs only as a task is called as one, whatever the client asked for."""
    passed = passed_on(params, name=tool.name, arguments=arguments)
    support = task_support(tool)
    if support == "required" or (support == "optional" and "task" in params):
        passed["task"] = {"ttl": round(limits.MAX_CALL_TIME * 1000)}
    return passed


def _stateless(upstream: Upstream) -> bool:
    """Whether no call of this server can meet a question; a server of both kinds may have connections of both.

    A task asks while it runs, also that of a stateless server.
    """
    return bool(upstream.connections) and all(
        connection.peer.protocol.modern and not may_become_task(connection.peer.protocol, {})
        for connection in upstream.connections
    )


async def _answer_for(
    caller: session.Caller,
    upstream: Upstream,
    method: str,
    params: Mapping[str, Any],
    result: ToolResult,
    headers: Mapping[str, str] | None,
    admit: Admit | None,
) -> ToolResult:
    """A stateless server answered with questions: ask an older client, then repeat the call."""
    for _round in range(limits.MAX_INPUT_ROUNDS):
        asked = await offload(result.size, _questions_of, result)
        if asked is None:
            return result
        retry = {key: value for key, value in params.items() if key not in _KEPT}
        if asked.get("inputRequests"):
            retry["inputResponses"] = await _ask_all(caller, _named_questions(upstream.name, asked))
        else:
            await anyio.sleep(_STATE_ONLY_PAUSE)
        if "requestState" in asked:
            retry["requestState"] = asked["requestState"]
        result = ToolResult(await upstream.request(caller, method, retry, headers=headers, admit=admit))
    raise session.Refusal(
        session.INTERNAL_ERROR,
        f"{upstream.name} asked for input more than {limits.MAX_INPUT_ROUNDS} times in one call",
    )


def _questions_of(result: ToolResult) -> dict[str, Any] | None:
    return result.asked


def _named(suspended_calls: SuspendedCalls, server: str, result: ToolResult) -> ToolResult:
    """Add the server's name to its questions for a stateless client; those of a suspended call have it already."""
    asked = result.asked
    if asked is None or suspended_calls.holds(asked.get("requestState")):
        return result
    return ToolResult(_with_name(server, asked))


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


def repeatable(tool: catalog.Tool) -> bool:
    """Whether a call may be repeated if its server ended in the middle: only if the server says so."""
    hints = tool.annotations or {}
    return hints.get("readOnlyHint") is True or hints.get("idempotentHint") is True


def headers_of(tool: catalog.Tool, arguments: Mapping[str, Any]) -> dict[str, str] | None:
    """Arguments that a stateless HTTP server wants repeated in headers; few tools have any."""
    schema = tool.input_schema
    if not schema or "x-mcp-header" not in str(schema) or find_invalid_x_mcp_header(schema) is not None:
        return None
    return mcp_param_headers(x_mcp_header_map(schema), arguments)
