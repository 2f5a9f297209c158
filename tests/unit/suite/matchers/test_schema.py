"""`schema` judges by JSON Schema, and fetches nothing."""

from typing import Any

import pytest

from toolbooth.suite.matchers import MATCHERS, BadArgument

compile_schema = MATCHERS["schema"].compile


@pytest.mark.parametrize(
    ("schema", "found", "fits"),
    [
        ({"minimum": 60}, 60, True),
        ({"minimum": 60}, 59, False),
        ({"type": "object", "required": ["a"]}, {"a": 1}, True),
        ({"type": "object", "required": ["a"]}, {}, False),
        ({"$defs": {"n": {"type": "integer"}}, "items": {"$ref": "#/$defs/n"}}, [1, "x"], False),
        (True, None, True),
        (False, None, False),
    ],
)
def test_a_value_is_judged(schema: Any, found: Any, fits: bool) -> None:
    assert compile_schema(schema)(found) is fits


@pytest.mark.parametrize(
    "schema",
    [
        "x",
        3,
        None,
        {"type": "nonsense"},
        {"pattern": "("},
        {"$ref": "http://127.0.0.1:9/other.json"},
        {"$ref": "file:///etc/hostname"},
        {"$ref": "#/nowhere"},
    ],
)
def test_what_is_no_schema_is_refused_when_the_suite_is_read(schema: Any) -> None:
    with pytest.raises(BadArgument) as caught:
        compile_schema(schema)
    assert "\n" not in str(caught.value)
