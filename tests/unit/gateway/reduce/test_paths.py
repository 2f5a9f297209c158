"""Places inside JSON as expressions and as labels."""

import pytest

from toolbooth.gateway.reduce.paths import ROOT, Path, expression, label, reachable
from toolbooth.gateway.results.reading.by_path import at_path
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
def test_a_place_has_an_expression(path: Path, written: str) -> None:
    assert expression(path) == written


def test_a_part_of_a_list_has_bounds() -> None:
    assert expression(("orders",), 3) == "orders[3:]"
    assert expression((), 3, 7) == "[3:7]"


def test_the_expression_leads_to_the_place() -> None:
    text = '{"": {"it\'s": [null, {"back\\\\slash": "found"}]}}'
    assert at_path(text, expression(("", "it's", 1, "back\\slash"))).value == "found"


def test_a_place_too_long_to_be_asked_for_is_read_with_what_it_stands_in() -> None:
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
