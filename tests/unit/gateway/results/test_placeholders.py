"""Places inside JSON as expressions and as labels."""

import ast

import pytest

from toolbooth.gateway.results.by_path import at_path
from toolbooth.gateway.results.read_request import ROOT, JsonPath, call_text, expression, label, reachable
from toolbooth.limits import MAX_PATH


@pytest.mark.parametrize(
    ("path", "written"),
    [
        (ROOT, "@"),
        (("orders", 3, "lines"), "orders[3].lines"),
        ((0, "a b"), '[0]."a b"'),
        (("", "x"), '"".x'),
        (("a.b", 'q"q'), '"a.b"."q\\"q"'),
    ],
)
def test_a_place_has_an_expression(path: JsonPath, written: str) -> None:
    assert expression(path) == written


def test_a_part_of_a_list_has_bounds() -> None:
    assert expression(("orders",), 3) == "orders[3:]"
    assert expression((), 3, 7) == "[3:7]"


def test_the_expression_leads_to_the_place() -> None:
    text = '{"": {"it\'s": [null, {"back\\\\slash": "found"}]}}'
    assert at_path(text, expression(("", "it's", 1, "back\\slash"))).value == "found"


def test_a_place_too_long_to_be_asked_for_is_read_with_what_contains_it() -> None:
    path = ("a", "k" * MAX_PATH, 0)
    assert expression(path, 3, 7) == "a"
    assert not reachable(path)
    assert reachable(("a",))


def test_a_label_reads_as_a_way() -> None:
    assert label(("results", "items"), 0, 5) == "results > items > [0-4]"
    assert label(("items",), 4, 5) == "items > [4]"
    assert label(("a", 3, "b")) == "a > [3] > b"


def test_a_label_is_one_clean_line() -> None:
    assert label(("line\nbreak\x1b[31m",)) == "line break"
    assert len(label(("k" * 500,))) <= 40


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
