"""Results in the format of the caller's protocol version: only their envelope changes."""

import json
from typing import Any

import orjson
import pytest

from toolbooth import limits
from toolbooth.catalog.connect import RawResult
from toolbooth.gateway.calls.tool_result import ToolResult
from toolbooth.gateway.offload import belongs_in_thread

NESTED = {"content": [], "structuredContent": {"resultType": "input_required", "ttlMs": 1}}
ASKS = {"resultType": "input_required", "inputRequests": {"q": {"method": "roots/list"}}, "requestState": "s"}


def raw(value: dict[str, Any], **how: Any) -> ToolResult:
    return ToolResult(RawResult(json.dumps(value, **how).encode()))


def sent_bytes(result: ToolResult) -> bytes:
    assert isinstance(result.sent, RawResult)
    return bytes(result.sent.data)


@pytest.mark.parametrize("make", [ToolResult, raw], ids=["object", "bytes"])
@pytest.mark.parametrize("value", [{}, {"content": []}, NESTED], ids=["empty", "plain", "nested"])
def test_a_result_for_a_stateless_client_says_that_it_is_complete(make: Any, value: dict[str, Any]) -> None:
    assert make(value).for_version(True).value == {"resultType": "complete", **value}
    cached = {"ttlMs": 0, "cacheScope": "private"}
    assert make(value).for_version(True, cacheable=True).value == {
        "resultType": "complete",
        **cached,
        **value,
    }


@pytest.mark.parametrize("make", [ToolResult, raw], ids=["object", "bytes"])
def test_what_a_stateless_server_said_of_its_result_stays(make: Any) -> None:
    for value in (ASKS, {"resultType": "complete", "ttlMs": 5, "cacheScope": "public", "contents": []}):
        assert make(value).for_version(True, cacheable=True).value == value
    assert make({"resultType": "complete", "contents": []}).for_version(True, cacheable=True).value == {
        "resultType": "complete", "ttlMs": 0, "cacheScope": "private", "contents": []
    }  # fmt: skip


@pytest.mark.parametrize("make", [ToolResult, raw], ids=["object", "bytes"])
def test_an_older_client_sees_no_result_type_and_all_that_is_inside(make: Any) -> None:
    assert make({"resultType": "complete", **NESTED}).for_version(False).value == NESTED
    assert make(NESTED).for_version(False).value == NESTED


def test_bytes_that_need_no_change_stay_the_same_bytes() -> None:
    plain, typed = (
        raw({"content": [], "large": 2**80}),
        raw({"resultType": "complete", "content": []}, indent=1),
    )
    assert plain.for_version(False) is plain
    nested = raw(NESTED)
    assert nested.for_version(False).given == nested.given
    assert typed.for_version(True) is typed
    assert b"1208925819614629174706176" in sent_bytes(plain.for_version(True))


@pytest.mark.parametrize("make", [ToolResult, raw], ids=["object", "bytes"])
def test_only_the_outside_of_a_result_is_a_question(make: Any) -> None:
    assert make(ASKS).asked == ASKS
    assert make(NESTED).asked is None
    assert make({"content": [{"type": "text", "text": "input_required"}]}).asked is None
    assert make({"resultType": "complete", **NESTED}).asked is None


@pytest.mark.parametrize(
    ("result", "wrong"),
    [
        ({"content": []}, False),
        ({"content": [{"type": "text", "text": "x"}], "isError": True, "structuredContent": [1]}, False),
        ({}, False),
        ({"content": [], "isError": None}, False),
        ({"content": "text"}, True),
        ({"content": None}, True),
        ({"content": ["text"]}, True),
        ({"content": [], "isError": "yes"}, True),
    ],
)
def test_content_is_a_list_of_items(result: dict[str, Any], wrong: bool) -> None:
    assert ToolResult(result).misshapen is wrong
    assert ToolResult(RawResult(orjson.dumps(result))).misshapen is wrong


def test_a_large_result_is_not_looked_into_again() -> None:
    assert not ToolResult(RawResult(memoryview(b'{"content":"' + b"x" * 300_000 + b'"}'))).misshapen


def test_a_value_is_as_long_as_its_keys_too() -> None:
    key = "k" * limits.REDUCE_ASIDE
    for value in ({key: 1}, {"content": [], "structuredContent": {"rows": [{key: None}]}}):
        assert belongs_in_thread(ToolResult(value).size)
    assert ToolResult({"content": [{"type": "text", "text": "short"}]}).size < 200
