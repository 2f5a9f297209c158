"""One request to a backend, with questions in its course translated between the two eras."""

from collections.abc import Mapping
from typing import Any

import anyio

from toolbooth.catalog.connect import QuestionRefused, RawResult
from toolbooth.gateway.backends import Ask, Backend
from toolbooth.gateway.caller import Caller
from toolbooth.gateway.parking import Parking, Result
from toolbooth.gateway.refusal import INTERNAL_ERROR, Refusal
from toolbooth.limits import MAX_INPUT_ROUNDS

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

        result = await parking.call(caller, call)
    else:
        result = await backend.request(caller, method, params, headers=headers, again=again)
        if not caller.modern:
            result = await _answer_for(caller, backend, method, params, result, headers)
    return fitted(result, modern=caller.modern, cacheable=method == "resources/read")


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
            if key != "progressToken" and (not key.startswith(_RESERVED) or key == f"{_RESERVED}logLevel")
        }
        if kept:
            passed["_meta"] = kept
    return passed


def fitted(result: Result, *, modern: bool, cacheable: bool = False) -> Result:
    """`resultType` stands in every result of the stateless era and in none of the older ones."""
    if isinstance(result, RawResult):
        missing = _missing(result.data, cacheable) if modern else b""
        if missing:
            return RawResult(b"{" + missing + result.data[1:].lstrip())
        if modern or b'"resultType":' not in result.data:
            return result
        result = result.value
    if modern:
        lacks = {**_COMPLETE, **(_NOT_CACHED if cacheable else {})}
        asks = result.get("resultType") == "input_required"
        return result if asks or all(key in result for key in lacks) else {**lacks, **result}
    return (
        {key: value for key, value in result.items() if key != "resultType"}
        if "resultType" in result
        else result
    )


_COMPLETE = {"resultType": "complete"}
_NOT_CACHED = {"ttlMs": 0, "cacheScope": "private"}


def _missing(data: bytes, cacheable: bool) -> bytes:
    """What a large result lacks, as the beginning of its object."""
    missing = b"" if b'"resultType":' in data else b'"resultType":"complete",'
    return missing + (b"" if not cacheable or b'"ttlMs":' in data else b'"ttlMs":0,"cacheScope":"private",')


def _stateless(backend: Backend) -> bool:
    return any(line.link.era.modern for line in backend.lines)


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
        asked = _input_required(result)
        if asked is None:
            return result
        retry = {key: value for key, value in params.items() if key not in _KEPT}
        if asked.get("inputRequests"):
            retry["inputResponses"] = await _ask_all(caller, asked["inputRequests"])
        else:
            await anyio.sleep(_STATE_ONLY_PAUSE)
        if "requestState" in asked:
            retry["requestState"] = asked["requestState"]
        result = await backend.request(caller, method, retry, headers=headers)
    raise Refusal(
        INTERNAL_ERROR, f"{backend.name} asked for input more than {MAX_INPUT_ROUNDS} times in one call"
    )


def _input_required(result: Result) -> dict[str, Any] | None:
    if isinstance(result, RawResult):
        if b'"input_required"' not in result.data:
            return None
        result = result.value
    return result if result.get("resultType") == "input_required" else None


async def _ask_all(caller: Caller, requests: Mapping[str, Any]) -> dict[str, Any]:
    answers: dict[str, Any] = {}
    refused: list[QuestionRefused] = []

    async def ask(key: str, request: Mapping[str, Any]) -> None:
        try:
            answers[key] = await caller.reach.ask(str(request.get("method")), request.get("params"))
        except QuestionRefused as error:
            refused.append(error)

    async with anyio.create_task_group() as tasks:
        for key, request in requests.items():
            tasks.start_soon(ask, key, request)
    if refused:
        raise Refusal(refused[0].code, refused[0].message, refused[0].data)
    return answers
