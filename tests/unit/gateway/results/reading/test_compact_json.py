"""JSON as it is shown."""

import json
from typing import Any

import pytest

from toolbooth.gateway.results.reading.compact_json import as_text, compact


@pytest.mark.parametrize(
    "value", [1, "é", [1, 2], {"a": [1, {"b": None}]}, 2**70, [2**70, "x" * 100], ["\ud800"], {"\udc00": "é"}]
)
def test_it_is_json_of_the_same_value(value: Any) -> None:
    assert json.loads(compact(value)) == value
    assert json.loads(as_text(value)) == value
    as_text(value).encode()


def test_only_long_lists_have_several_lines() -> None:
    assert as_text([1, 2, 3]) == "[1,2,3]"
    assert as_text({"a": ["x" * 100]}).count("\n") == 0
    assert as_text(["x" * 50, "y" * 50]) == f'["{"x" * 50}",\n"{"y" * 50}"]'
