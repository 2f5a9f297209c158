"""One request to a backend, with questions in its course translated between the two eras."""

from collections.abc import Mapping
from functools import partial
from typing import Any

import anyio

from toolbooth.catalog.connect import QuestionRefused
from toolbooth.gateway.aside import aside, size_of
from toolbooth.gateway.backends import CAPABILITY_FOR, Ask, Backend
from toolbooth.gateway.backends.asking import named_requests
from toolbooth.gateway.call_report import OURS
from toolbooth.gateway.caller import Caller
from toolbooth.gateway.desk.eras import Result, fitted, input_required
from toolbooth.gateway.parking import Parking
from toolbooth.gateway.refusal import INTERNAL_ERROR, METHOD_NOT_FOUND, Refusal
from toolbooth.limits import MAX_INPUT_ROUNDS
from toolbooth.safetext import for_terminal

_RESERVED = "io.modelcontextprotocol/"
_KEPT = ("inputResponses", "requestState")
_STATE_ONLY_PAUSE = 0.1  # seconds before a server that needs no input, only time, is asked again


async def carry_out(
    parking: Parking,
    backend: Backend,
    caller: Caller,
    method: str,
    params: Mapping[str, Any],
    *,
    headers: Mapping[str, str] | None = None,
    again: bool = False,
) -> Result:
    """Send the request on behalf of the caller; the result fits the caller's era."""
    state = params.get("requestState")
    if parking.knows(state):
        result = await parking.resume(caller, str(state), params.get("inputResponses"))
    elif caller.modern and caller.face.capabilities and not _stateless(backend):

        async def call(parked: Caller, ask: Ask) -> Result:
            return await backend.request(parked, method, params, ask=ask, headers=headers, again=again)

        result = await parking.call(caller, backend, call)
    else:
        first, caller.first = caller.first, None
        result = first or await backend.request(caller, method, params, headers=headers, again=again)
        if not caller.modern:
            result = await _answer_for(caller, backend, method, params, result, headers)
    if caller.modern:
        result = await aside(size_of(result), _named, parking, backend.name, result)
    cacheable = method == "resources/read"
    return await aside(size_of(result), partial(fitted, modern=caller.modern, cacheable=cacheable), result)


def passed_on(params: Mapping[str, Any], **named: Any) -> dict[str, Any]:
    """The parameters for a backend: what names the thing, the retry's fields, and `_meta` without what is ours."""
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


def _stateless(backend: Backend) -> bool:
    """Whether no call of this server can meet a question in its course; a server of both eras may have both lines."""
    return bool(backend.lines) and all(line.link.era.modern for line in backend.lines)


async def _answer_for(
    caller: Caller,
    backend: Backend,
    method: str,
    params: Mapping[str, Any],
    result: Result,
    headers: Mapping[str, str] | None,
) -> Result:
    """Questions that came as the answer of a stateless server: ask an old client, then repeat the call."""
    for _round in range(MAX_INPUT_ROUNDS):
        asked = await aside(size_of(result), input_required, result)
        if asked is None:
            return result
        retry = {key: value for key, value in params.items() if key not in _KEPT}
        if asked.get("inputRequests"):
            retry["inputResponses"] = await _ask_all(caller, _named_questions(backend.name, asked))
        else:
            await anyio.sleep(_STATE_ONLY_PAUSE)
        if "requestState" in asked:
            retry["requestState"] = asked["requestState"]
        result = await backend.request(caller, method, retry, headers=headers)
    raise Refusal(
        INTERNAL_ERROR, f"{backend.name} asked for input more than {MAX_INPUT_ROUNDS} times in one call"
    )


def _named(parking: Parking, server: str, result: Result) -> Result:
    """The questions of a stateless server to a stateless client say whose they are; those of a parked call do so."""
    asked = input_required(result)
    return result if asked is None or parking.holds(asked.get("requestState")) else _with_name(server, asked)


def _named_questions(server: str, asked: Mapping[str, Any]) -> object:
    return _with_name(server, asked).get("inputRequests")


def _with_name(server: str, asked: Mapping[str, Any]) -> dict[str, Any]:
    try:
        return named_requests(server, asked)
    except QuestionRefused as error:
        raise Refusal(error.code, error.message) from None


async def _ask_all(caller: Caller, requests: object) -> dict[str, Any]:
    """Every question at once; one that the client cannot be asked, or refuses, ends the call."""
    answers: dict[str, Any] = {}
    refused: list[QuestionRefused] = []

    async def ask(key: str, request: Mapping[str, Any]) -> None:
        try:
            answers[key] = await caller.reach.ask(str(request.get("method")), request.get("params"))
        except QuestionRefused as error:
            refused.append(error)

    askable = _askable(caller, requests)
    async with anyio.create_task_group() as tasks:
        for key, request in askable.items():
            tasks.start_soon(ask, key, request)
    if refused:
        raise Refusal(refused[0].code, refused[0].message, refused[0].data)
    return answers


def _askable(caller: Caller, requests: object) -> dict[str, Mapping[str, Any]]:
    """The questions of a server that this client offers to answer; a server may not send it anything else."""
    asked: dict[str, Mapping[str, Any]] = {}
    for key, request in requests.items() if isinstance(requests, Mapping) else ():
        method = request.get("method") if isinstance(request, Mapping) else None
        params = request.get("params") if isinstance(request, Mapping) else None
        if CAPABILITY_FOR.get(str(method), "?") not in caller.face.capabilities or not isinstance(
            params, Mapping | None
        ):
            said = for_terminal(str(method), 60)
            raise Refusal(METHOD_NOT_FOUND, f"the server asks for {said}, which this client does not offer")
        asked[str(key)] = request
    return asked
