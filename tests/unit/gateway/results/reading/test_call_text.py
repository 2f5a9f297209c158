"""The call that reads what is not shown can be copied as it stands."""

import ast

import pytest

from toolbooth.gateway.results.reading.call_text import call_text


def test_only_what_is_given_is_written() -> None:
    assert call_text("r") == "read_result(ref='r')"
    assert call_text("r", path="orders[3:]", start=4, lines=2) == (
        "read_result(ref='r', path='orders[3:]', start=4, lines=2)"
    )
    assert call_text("r", query="a b", max_bytes=9) == "read_result(ref='r', query='a b', max_bytes=9)"


@pytest.mark.parametrize("path", ["a", '"a b"[0]', "it's", "\\", "both ' and \"", "\n", "é😀", "`1`"])
def test_a_path_is_read_back_as_it_is(path: str) -> None:
    call = ast.parse(call_text("r", path=path), mode="eval").body
    assert isinstance(call, ast.Call)
    assert ast.literal_eval(call.keywords[1].value) == path
