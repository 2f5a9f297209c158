"""Tool selection by the rules of the spec, one by one, and the shared vectors in full."""

import json
from pathlib import Path
from typing import Any

import pytest

from toolbooth.suite import score_selection
from toolbooth.suite.metrics import Rate, Selection, call_id, overlapping, wilson

CASES = json.loads((Path(__file__).parents[2] / "data" / "selection.json").read_text(encoding="utf-8"))[
    "cases"
]
CLASSES = {"search": ["brave.web_search", "google.search"], "fetch": ["http.get"]}


def calls(*ids: str) -> list[dict[str, str]]:
    """`server/name`, or a bare name."""
    parts = (id_.rpartition("/") for id_ in ids)
    return [{"server": server, "name": name} if server else {"name": name} for server, _, name in parts]


@pytest.mark.parametrize("number", range(len(CASES)))
def test_every_vector_comes_out_exactly(number: int) -> None:
    case: dict[str, Any] = CASES[number]
    score = score_selection(case["classes"], case["runs"])
    assert {key: getattr(score, key) for key in case["expect"]} == case["expect"]


def test_there_are_vectors() -> None:
    assert len(CASES) > 30


def test_a_member_with_a_dot_matches_the_whole_id_only() -> None:
    assert score_selection({"a": ["brave.search"]}, [calls("brave/search")]).tp == 1
    assert score_selection({"a": ["brave.search"]}, [calls("google/search")]).fp == 1
    assert score_selection({"a": ["brave.search"]}, [calls("search")]).fp == 1


def test_a_member_without_a_dot_matches_on_any_server_and_on_none() -> None:
    for id_ in ("brave/search", "google/search", "search"):
        assert score_selection({"a": ["search"]}, [calls(id_)]).tp == 1
    assert score_selection({"a": ["search"]}, [calls("brave/web_search")]).fp == 1


def test_a_tool_name_may_hold_dots_and_is_never_split() -> None:
    run = [{"server": "fs", "name": "read.file"}]
    assert score_selection({"a": ["fs.read.file"]}, [run]).tp == 1
    assert score_selection({"a": ["read.file"]}, [run]).fp == 1
    assert score_selection({"a": ["file"]}, [run]).fp == 1
    assert score_selection({"a": ["read.file"]}, [[{"name": "read.file"}]]).tp == 1


def test_one_call_satisfies_every_class_that_lists_it() -> None:
    classes = {"a": ["x.y"], "b": ["x.y", "z"]}
    score = score_selection(classes, [calls("x/y")])
    assert (score.tp, score.fp, score.fn) == (2, 0, 0)
    assert list(overlapping(classes)) == [("x.y", "a", "b")]
    assert not list(overlapping(CLASSES))


def test_a_member_named_twice_in_one_class_does_not_overlap() -> None:
    assert not list(overlapping({"a": ["x", "x"]}))


def test_a_repeat_in_a_satisfied_class_is_neutral() -> None:
    once = score_selection(CLASSES, [calls("brave/web_search", "http/get")])
    often = score_selection(CLASSES, [calls("brave/web_search", "google/search", "http/get", "http/get")])
    assert once == often


def test_every_stranger_counts() -> None:
    score = score_selection(CLASSES, [calls("shell/exec", "shell/exec", "fs/read")])
    assert (score.tp, score.fp, score.fn) == (0, 3, 2)
    assert dict(score.unexpected) == {"shell.exec": 2, "fs.read": 1}
    assert list(score.unexpected) == ["shell.exec", "fs.read"]


def test_a_run_that_errored_counts_as_an_empty_one() -> None:
    score = score_selection(CLASSES, [calls("brave/web_search", "http/get"), []])
    assert (score.tp, score.fp, score.fn) == (2, 0, 2)
    assert dict(score.missed) == {"search": 1, "fetch": 1}


def test_a_class_is_satisfied_anew_in_each_run() -> None:
    runs = [calls("google/search"), calls("brave/web_search"), calls("http/get")]
    score = score_selection(CLASSES, runs)
    assert (score.tp, score.fn) == (3, 3)
    assert dict(score.missed) == {"fetch": 2, "search": 1}


def test_percents_are_floored_from_the_counts_and_not_from_each_other() -> None:
    score = Selection(tp=2, fp=1, fn=0)
    assert (score.precision, score.recall, score.f1) == (66, 100, 80)


def test_nothing_of_nothing_is_nothing() -> None:
    idle = Selection()
    assert (idle.precision, idle.recall, idle.f1, idle.grade) == (0, 0, 0, "F")


def test_calling_nothing_can_be_the_right_answer() -> None:
    idle = score_selection({}, [[], []], expect_no_calls=True)
    assert (idle.precision, idle.recall, idle.f1, idle.grade) == (100, 100, 100, "A")
    busy = score_selection({}, [[], calls("shell/exec")], expect_no_calls=True)
    assert (busy.precision, busy.recall, busy.f1, busy.fp) == (0, 0, 0, 1)
    assert dict(busy.unexpected) == {"shell.exec": 1}


def test_no_calls_is_expected_only_where_there_are_no_classes() -> None:
    assert score_selection(CLASSES, [[]], expect_no_calls=True).f1 == 0
    assert score_selection({}, [[]]).f1 == 0


@pytest.mark.parametrize(
    ("tp", "fp", "letter"),
    [(90, 20, "A"), (80, 40, "B"), (70, 60, "C"), (60, 80, "D"), (59, 82, "F"), (0, 1, "F")],
)
def test_a_letter_stands_for_f1(tp: int, fp: int, letter: str) -> None:
    score = Selection(tp, fp)
    assert score.f1 == 200 * tp // (2 * tp + fp)
    assert score.grade == letter


def test_an_id_has_the_server_where_one_is_known() -> None:
    assert call_id({"server": "a", "name": "b.c"}) == "a.b.c"
    assert call_id({"server": "", "name": "b"}) == call_id({"server": None, "name": "b"}) == "b"


@pytest.mark.parametrize(
    ("hits", "of", "low", "high"),
    [(1, 2, 0.0945, 0.9055), (5, 10, 0.2366, 0.7634), (9, 10, 0.5958, 0.9821), (81, 263, 0.2553, 0.3662)],
)
def test_known_intervals_come_out(hits: int, of: int, low: float, high: float) -> None:
    rate = wilson(hits, of)
    assert (rate.low, rate.high) == pytest.approx((low, high), abs=1e-4)


def test_of_no_tries_nothing_is_known() -> None:
    assert wilson(0, 0) == Rate(0, 0, 0.0, 1.0)


def test_none_and_all_touch_the_end_exactly() -> None:
    assert wilson(0, 7).low == 0.0
    assert wilson(7, 7).high == 1.0
    assert 0 < wilson(7, 7).low < 1
    assert 0 < wilson(0, 7).high < 1


def test_more_tries_say_more() -> None:
    few, many = wilson(5, 10), wilson(500, 1000)
    assert few.low < many.low < 0.5 < many.high < few.high
