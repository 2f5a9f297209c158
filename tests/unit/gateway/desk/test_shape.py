"""A result that no client can read is a fault of its server."""

from typing import Any

import orjson
import pytest

from toolbooth.catalog.connect import RawResult
from toolbooth.gateway.desk.shape import misshapen


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
