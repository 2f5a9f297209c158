"""Results in the format of the caller's protocol version: only their envelope changes."""

import json
from typing import Any

import orjson
import pytest

from toolbooth.catalog.connect import RawResult
from toolbooth.gateway.calls.result_format import fitted, input_required, misshapen

NESTED = {"content": [], "structuredContent": {"resultType": "input_required", "ttlMs": 1}}
ASKS = {"resultType": "input_required", "inputRequests": {"q": {"method": "roots/list"}}, "requestState": "s"}


def raw(value: dict[str, Any], **how: Any) -> RawResult:
    return RawResult(json.dumps(value, **how).encode())


def read(result: dict[str, Any] | RawResult) -> dict[str, Any]:
    return result.value if isinstance(result, RawResult) else result


@pytest.mark.parametrize("make", [dict, raw], ids=["object", "bytes"])
@pytest.mark.parametrize("value", [{}, {"content": []}, NESTED], ids=["empty", "plain", "nested"])
def test_a_result_for_a_stateless_client_says_that_it_is_complete(make: Any, value: dict[str, Any]) -> None:
    assert read(fitted(make(value), modern=True)) == {"resultType": "complete", **value}
    cached = {"ttlMs": 0, "cacheScope": "private"}
    assert read(fitted(make(value), modern=True, cacheable=True)) == {
        "resultType": "complete",
        **cached,
        **value,
    }


@pytest.mark.parametrize("make", [dict, raw], ids=["object", "bytes"])
def test_what_a_stateless_server_said_of_its_result_stays(make: Any) -> None:
    for value in (ASKS, {"resultType": "complete", "ttlMs": 5, "cacheScope": "public", "contents": []}):
        assert read(fitted(make(value), modern=True, cacheable=True)) == value
    assert read(fitted(make({"resultType": "complete", "contents": []}), modern=True, cacheable=True)) == {
        "resultType": "complete", "ttlMs": 0, "cacheScope": "private", "contents": []
    }  # fmt: skip


@pytest.mark.parametrize("make", [dict, raw], ids=["object", "bytes"])
def test_an_older_client_sees_no_result_type_and_all_that_is_inside(make: Any) -> None:
    assert read(fitted(make({"resultType": "complete", **NESTED}), modern=False)) == NESTED
    assert read(fitted(make(NESTED), modern=False)) == NESTED


def test_bytes_that_need_no_change_stay_the_same_bytes() -> None:
    plain, typed = (
        raw({"content": [], "large": 2**80}),
        raw({"resultType": "complete", "content": []}, indent=1),
    )
    assert fitted(plain, modern=False) is plain
    assert fitted(raw(NESTED), modern=False) == raw(NESTED)
    assert fitted(typed, modern=True) is typed
    assert b"1208925819614629174706176" in fitted(plain, modern=True).data  # type: ignore[union-attr]


@pytest.mark.parametrize("make", [dict, raw], ids=["object", "bytes"])
def test_only_the_outside_of_a_result_is_a_question(make: Any) -> None:
    assert input_required(make(ASKS)) == ASKS
    assert input_required(make(NESTED)) is None
    assert input_required(make({"content": [{"type": "text", "text": "input_required"}]})) is None
    assert input_required(make({"resultType": "complete", **NESTED})) is None


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
    assert misshapen(result) is wrong
    assert misshapen(RawResult(orjson.dumps(result))) is wrong


def test_a_large_result_is_not_looked_into_again() -> None:
    assert not misshapen(RawResult(memoryview(b'{"content":"' + b"x" * 300_000 + b'"}')))
