"""Long results are never read on the event loop: the calls of the readers on its thread are counted."""

import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

import anyio
import pytest
from tests.unit.gateway.conftest import MakeCaller

from toolbooth.catalog.connect import RawResult
from toolbooth.gateway.handlers import answer, fast_call
from toolbooth.gateway.session import INTERNAL_ERROR, Caller, Refusal
from toolbooth.gateway.surfaces.view import View

pytestmark = pytest.mark.anyio
READERS = {
    "decode",
    "decode_checked",
    "fit",
    "fitted_answer",
    "_raw_without_type",
    "input_required",
    "is_error",
}
LINES = 40_000  # 600 KB: beyond what is read at once
PROTOCOLS = ["talk", "talk__new"]


@contextmanager
def read_here(least: int = 100_000) -> Iterator[Counter[str]]:
    """Readers that run on this thread, the loop's, on something long."""
    found: Counter[str] = Counter()

    def look(frame: FrameType, event: str, _value: object) -> None:
        if event == "call" and frame.f_code.co_name in READERS:
            given = [frame.f_locals.get(name) for name in frame.f_code.co_varnames[:4]]
            if any(_size(each) >= least for each in given):
                found[frame.f_code.co_name] += 1

    sys.setprofile(look)
    try:
        yield found
    finally:
        sys.setprofile(None)


def _size(value: object) -> int:
    if isinstance(value, RawResult):
        return len(value.data)
    if isinstance(value, dict):
        return sum(len(str(each.get("text", ""))) for each in value.get("content") or ())
    return len(value) if isinstance(value, bytes | bytearray | memoryview | str) else 0


async def swiftly(view: View, caller: Caller, params: dict[str, Any]) -> Any:
    """The fast path, as a client on stdio takes it."""
    result = await heard(view, caller, params)
    assert not isinstance(result, Refusal)
    return result


async def heard(view: View, caller: Caller, params: dict[str, Any]) -> Any:
    ended = anyio.Event()
    answers: list[Any] = []

    def finish(result: Any) -> None:
        answers.append(result)
        ended.set()

    def slowly() -> None:
        raise AssertionError("nothing was asked")

    assert fast_call(view, caller, params, finish, slowly) is not None
    await ended.wait()
    return answers[0]


def call_of(server: str, through: str) -> dict[str, Any]:
    arguments = {"times": LINES}
    if through == "call_tool":
        return {"name": "call_tool", "arguments": {"name": f"{server}.sample", "arguments": arguments}}
    return {"name": through, "arguments": arguments}


@pytest.mark.promise("gateway:loop")
@pytest.mark.parametrize("server", PROTOCOLS)
async def test_a_long_answer_is_not_read_on_the_loop_of_the_fast_path(
    view: View, caller: MakeCaller, server: str
) -> None:
    someone = caller(sampling={})
    await view.gateway.learn(server, someone.session)
    plain = caller(nothing={})
    await answer(view, plain, "tools/call", {**call_of(server, "call_tool")})  # it is up now
    with read_here() as found:
        result = await swiftly(view, caller(nothing={}), call_of(server, "call_tool"))
    assert found == Counter()
    assert "a line of text" in str(result if isinstance(result, dict) else result.value)


@pytest.mark.promise("gateway:loop")
@pytest.mark.parametrize("modern", [False, True])
@pytest.mark.parametrize("server", PROTOCOLS)
async def test_a_long_answer_is_not_read_on_the_loop_of_the_slow_path(
    view: View, caller: MakeCaller, server: str, modern: bool
) -> None:
    someone = caller(modern=modern)
    await view.gateway.learn(server, someone.session)
    with read_here() as found:
        result = await answer(view, someone, "tools/call", call_of(server, "call_tool"))
    assert found == Counter()
    assert "a line of text" in str(result if isinstance(result, dict) else result.value)


@pytest.mark.promise("gateway:loop")
@pytest.mark.parametrize("server", PROTOCOLS)
async def test_a_long_answer_to_code_is_not_read_on_the_loop(
    view: View, caller: MakeCaller, server: str
) -> None:
    code = f'len(await tools["{server}.sample"](times={LINES}))'
    params = {"name": "call_tool_chain", "arguments": {"code": code}}
    with read_here() as found:
        result = await answer(view, caller(), "tools/call", params)
    assert found == Counter()
    assert isinstance(result, dict)
    assert str(LINES * len("a line of text\n")) in result["content"][0]["text"]


async def test_a_row_that_cannot_be_written_keeps_no_answer_back(
    view: View, caller: MakeCaller, monkeypatch: pytest.MonkeyPatch
) -> None:
    await view.gateway.learn("talk", caller(sampling={}).session)
    params = {"name": "call_tool", "arguments": {"name": "talk.sample", "arguments": {"times": 1}}}
    await answer(view, caller(nothing={}), "tools/call", params)  # it is up now

    def break_down(_row: object) -> None:
        raise MemoryError

    monkeypatch.setattr(view.gateway.ledger, "record", break_down)
    with anyio.fail_after(240):
        assert "a line of text" in str((await heard(view, caller(nothing={}), params)).value)


@pytest.mark.parametrize("lines", [10, LINES], ids=["on the loop", "in a thread"])
@pytest.mark.parametrize("fault", [RecursionError, MemoryError, KeyError])
async def test_a_fault_of_our_own_is_an_answer_and_not_silence(
    view: View, caller: MakeCaller, monkeypatch: pytest.MonkeyPatch, lines: int, fault: type[Exception]
) -> None:
    someone = caller(sampling={})
    await view.gateway.learn("talk", someone.session)
    params = call_of("talk", "call_tool")
    params["arguments"]["arguments"]["times"] = lines
    await answer(view, caller(nothing={}), "tools/call", params)  # it is up now

    def break_down(*_given: object) -> None:
        raise fault

    monkeypatch.setattr("toolbooth.gateway.calls.builtin_call.fitted_answer", break_down)
    with anyio.fail_after(240):
        refusal = await heard(view, asking := caller(nothing={}), params)
    record = asking.record
    assert (refusal.code, fault.__name__ in refusal.message) == (INTERNAL_ERROR, True)
    assert record is not None
    assert (record.closed, record.outcome) == (True, "refused")
