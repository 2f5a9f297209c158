"""The arguments of `read_result` as models write them."""

import json
from typing import Any

import pytest
from tests.result_reading import read_back

from toolbooth.errors import WrongArguments
from toolbooth.gateway.builtin_tools.call_tools import read_request
from toolbooth.gateway.results import ReadRequest, ResultStore, is_quick
from toolbooth.limits import MAX_ANSWER_TEXT, QUICK_READ, READ_BYTES


def test_what_is_left_out_has_its_default() -> None:
    assert read_request({"ref": "r"}, MAX_ANSWER_TEXT) == ReadRequest("r", "", "", 1, None, READ_BYTES)
    given = {"ref": " 'r'", "path": " a ", "query": "b", "start": "3", "lines": 4.0, "max_bytes": "500"}
    assert read_request(given, MAX_ANSWER_TEXT) == ReadRequest("r", "a", "b", 3, 4, 500)


@pytest.mark.parametrize(("asked", "got"), [(None, 100), (50, 50), (5000, 100), (-1, 0)])
def test_nobody_gets_more_than_the_cap(asked: int | None, got: int) -> None:
    assert read_request({"ref": "r", "max_bytes": asked}, 100).max_bytes == got


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({}, "read_result needs `ref`"),
        ({"ref": 5}, "`ref` of read_result must be text"),
        ({"ref": "r", "path": ["a"]}, "`path` of read_result must be text"),
        ({"ref": "r", "query": {}}, "`query` of read_result must be text"),
        ({"ref": "r", "max_bytes": "much"}, "`max_bytes` of read_result must be a whole number"),
        ({"reference": "r"}, "it takes ref, path, query, start, lines, max_bytes, not reference"),
    ],
)
def test_a_wrong_call_is_answered_with_how_to_call(given: dict[str, Any], said: str) -> None:
    with pytest.raises(WrongArguments) as caught:
        read_request(given, MAX_ANSWER_TEXT)
    assert said in str(caught.value)


def test_a_path_that_leads_nowhere_is_an_answer() -> None:
    store = ResultStore()
    ref = store.keep(json.dumps({"a": [1, 2]}), "me")
    assert read_back(store, "me", {"ref": ref, "path": "a[0]"}, MAX_ANSWER_TEXT) == "1"
    assert "a is a list of 2 items" in read_back(store, "me", {"ref": ref, "path": "a[5]"}, MAX_ANSWER_TEXT)


def test_only_lines_of_a_text_in_memory_that_is_not_large_are_quick() -> None:
    store = ResultStore()
    small, large = store.keep("x", "me"), store.keep("x" * QUICK_READ, "me")
    assert is_quick(store, ReadRequest(small))
    assert not is_quick(store, ReadRequest(small, path="a"))
    assert not is_quick(store, ReadRequest(small, query="a"))
    assert not is_quick(store, ReadRequest(large))
    assert not is_quick(store, ReadRequest("unknown"))
