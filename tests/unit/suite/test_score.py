"""Recorded runs → one score, and what may be expected of it."""

import pytest

from toolbooth.errors import UserMistake
from toolbooth.suite.adapters import traces_of
from toolbooth.suite.score import FIGURES, Score, read_expect_line, score_traces
from toolbooth.suite.trace import Trace, Turn, Usage

CLASSES = {"search": ["web_search"], "fetch": ["get"]}
RIGHT, HALF, IDLE = traces_of([[{"name": "web_search"}, {"name": "get"}], [{"name": "get"}], []])
FAILED = Trace(turns=RIGHT.turns, ended="error", error="gone")


def state(score: Score, line: str) -> tuple[str, str]:
    check = score.check(read_expect_line(line))
    return check.state, check.why


def test_runs_are_pooled_and_the_wholly_right_ones_counted() -> None:
    score = score_traces(CLASSES, [RIGHT, RIGHT, HALF, FAILED], 1000)
    assert (score.selection.tp, score.selection.fp, score.selection.fn) == (5, 0, 3)
    assert (score.passes.hits, score.passes.of, score.errored) == (2, 4, 1)
    assert score.figures == {
        "f1": 76,
        "precision": 100,
        "recall": 62,
        "correct_selections": 5,
        "tool_surface_tokens": 1000,
        "tokens_per_correct": 200,
    }


def test_tokens_and_dollars_of_the_traces_are_summed() -> None:
    paid = Trace(turns=(*RIGHT.turns, Turn(usage=Usage(3000, 5), cost=0.5)))
    figures = score_traces(CLASSES, [paid, RIGHT]).figures
    assert (figures["paid_tokens_per_correct"], figures["cost"], figures["cost_per_correct"]) == (
        750,
        0.5,
        0.125,
    )


def test_calling_nothing_can_be_right() -> None:
    score = score_traces({}, [IDLE, RIGHT, IDLE], expect_no_calls=True)
    assert (score.selection.f1, score.passes.hits) == (0, 2)
    assert score_traces({}, [IDLE], expect_no_calls=True).selection.f1 == 100


def test_classes_are_needed_unless_nothing_should_be_called() -> None:
    with pytest.raises(UserMistake, match="no classes"):
        score_traces({}, [IDLE])
    with pytest.raises(UserMistake, match="exclude"):
        score_traces(CLASSES, [IDLE], expect_no_calls=True)


@pytest.mark.parametrize(
    ("line", "ends"),
    [
        ("f1>=80", "passed"),
        ("f1 > 100", "failed"),
        ("tool_selection.recall == 100", "passed"),
        ("token_efficiency.tokens_per_correct<=500.0", "passed"),
        ("F1!=100", "failed"),
        ("cost<1", "skipped"),
        ("cost_per_correct<1", "skipped"),
        ("paid_tokens_per_correct<1", "skipped"),
    ],
)
def test_an_expectation_passes_fails_or_is_skipped(line: str, ends: str) -> None:
    found, why = state(score_traces(CLASSES, [RIGHT], 1000), line)
    assert found == ends
    assert bool(why) == (ends == "skipped")


def test_what_is_undefined_since_nothing_was_right_fails_and_says_so() -> None:
    idle = Trace(turns=(Turn(usage=Usage(10, 1), cost=0.5),))
    score = score_traces(CLASSES, [idle], 1000)
    for figure in ("tokens_per_correct", "paid_tokens_per_correct", "cost_per_correct"):
        found, why = state(score, f"{figure}<=9999")
        assert found == "failed"
        assert "no selection was correct" in why
    assert state(score, "cost<1") == ("passed", "")


@pytest.mark.parametrize(
    "line", ["", "f1", "f1>=", ">=80", "f1=>80", "f1>=80%", "f1>=1e3", "f1>=80\x1b[31m", "a.f1>=1"]
)
def test_a_line_that_is_no_expectation_is_a_mistake(line: str) -> None:
    with pytest.raises(UserMistake, match="is not an expectation") as caught:
        read_expect_line(line)
    assert "\x1b" not in str(caught.value)


def test_an_unknown_figure_is_a_mistake_with_the_nearest_or_all() -> None:
    with pytest.raises(UserMistake, match="did you mean 'precision'"):
        read_expect_line("precison>=1")
    with pytest.raises(UserMistake) as caught:
        read_expect_line("grade==1")
    assert all(figure in str(caught.value) for figure in FIGURES)
