"""A client that asks hears which real calls its request came to; all others hear nothing of it."""

from typing import Any

import pytest
from tests.unit.gateway.conftest import MakeCaller

from toolbooth.catalog import Tool
from toolbooth.errors import BackendCrashed, BackendTimeout, UserMistake
from toolbooth.gateway.calls.record import (
    CALLS,
    FAULT,
    OUTCOME,
    STEPS,
    CallRecord,
    CallReport,
    Reported,
    read_report,
)
from toolbooth.gateway.calls.tool_result import ToolResult
from toolbooth.gateway.handlers import answer
from toolbooth.gateway.session import Caller
from toolbooth.gateway.surfaces.view import View
from toolbooth.limits import REPORTED_ARGUMENTS, REPORTED_CALLS, REPORTED_TEXT

pytestmark = pytest.mark.anyio
ASKED = {CALLS: True}
TWO = 'await talk.sample(kind="annotated")\nawait talk__new.sample(kind="annotated")\n'
SAMPLE = {"name": "sample", "arguments": {"kind": "annotated"}}
OLD_AND_NEW = [{"server": "talk", **SAMPLE}, {"server": "talk__new", **SAMPLE}]


async def ask(view: View, caller: Caller, tool: str, given: Any, meta: Any = None) -> dict[str, Any]:
    params = {"name": tool, "arguments": given, **({} if meta is None else {"_meta": meta})}
    result = await answer(view, caller, "tools/call", params)
    read: dict[str, Any] = result.value if isinstance(result, ToolResult) else result
    return read


@pytest.mark.parametrize("end", ["1", "1 / 0"])
@pytest.mark.parametrize("modern", [False, True])
async def test_the_calls_of_code_are_reported_in_order_even_if_it_failed(
    view: View, caller: MakeCaller, modern: bool, end: str
) -> None:
    result = await ask(view, caller(modern=modern), "call_tool_chain", {"code": TWO + end}, ASKED)
    ended = "" if end == "1" else "code_failed"
    assert result["_meta"] == {CALLS: OLD_AND_NEW, OUTCOME: ended, STEPS: ()}
    assert result.get("isError", False) is (end != "1")


@pytest.mark.parametrize("meta", [None, {}, {CALLS: False}, {CALLS: "yes"}])
async def test_who_does_not_ask_hears_nothing(view: View, caller: MakeCaller, meta: Any) -> None:
    assert "_meta" not in await ask(view, caller(), "call_tool_chain", {"code": TWO}, meta)


@pytest.mark.parametrize(
    ("tool", "given", "calls"),
    [
        ("call_tool_chain", {"code": 'await talk.sample(kind="annotated")'}, OLD_AND_NEW[:1]),
        ("call_tool", {"name": "talk.sample", "arguments": {"kind": "annotated"}}, OLD_AND_NEW[:1]),
        ("call_tool", {"name": "talk.nothing"}, []),
        ("search_tools", {"query": "sample"}, []),
    ],
)
async def test_every_tool_of_the_menu_can_be_seen_through(
    view: View, caller: MakeCaller, tool: str, given: Any, calls: Any
) -> None:
    assert (await ask(view, caller(), tool, given, ASKED))["_meta"][CALLS] == calls


async def test_no_server_gets_what_is_between_a_client_and_us(view: View, caller: MakeCaller) -> None:
    given = {"name": "talk.client_facts", "arguments": {}}
    result = await ask(view, caller(), "call_tool", given, {**ASKED, "own": "yes"})
    assert result["structuredContent"]["meta"] == {"own": "yes"}


def report_of(*arguments: dict[str, Any]) -> list[dict[str, Any]]:
    report = CallReport()
    for each in arguments:
        report.called(Tool("s", "t"), each)
    calls: list[dict[str, Any]] = report.on(ToolResult({}), CallRecord(None, "s")).value["_meta"][CALLS]
    return calls


def test_long_arguments_are_left_out() -> None:
    first, second, third = report_of({"a": "x" * REPORTED_ARGUMENTS}, {"a": 1}, {"a": "\ud800"})
    assert first == third == {"server": "s", "name": "t"}
    assert second == {"server": "s", "name": "t", "arguments": {"a": 1}}


def test_a_report_is_bounded() -> None:
    calls = report_of(*[{"a": "x" * (REPORTED_ARGUMENTS // 2)}] * (REPORTED_CALLS + 1))
    assert len(calls) == REPORTED_CALLS
    reported = sum(len(each["arguments"]["a"]) for each in calls if "arguments" in each)
    assert 0 < reported <= REPORTED_TEXT


def test_the_first_fault_of_a_server_is_read_again_as_what_it_was() -> None:
    report = CallReport()
    for error in (UserMistake("x"), BackendCrashed("\x1b[31mended", "s"), BackendTimeout("late", "s")):
        report.failed(error)
    record = CallRecord(None, "s")
    record.outcome, record.steps = "crashed", ("collapse",)
    result = report.on(ToolResult({"content": [], "_meta": {"own": 1}}), record).value
    assert result["_meta"].keys() == {"own", CALLS, FAULT, OUTCOME, STEPS}
    assert read_report(result)[2:] == ("crashed", ("collapse",))
    fault = read_report(result).fault
    assert type(fault) is BackendCrashed
    assert (str(fault), fault.server) == ("s: ended", "s")
    assert read_report({}) == Reported()
