"""A search function is scored over a golden set: rows and means."""

from math import log2

import pytest

from toolbooth.bench import GoldenQuestion, GoldenSet, Label, Scores, score
from toolbooth.errors import ConfigError

GOLDEN = GoldenSet(
    "c1",
    (
        GoldenQuestion("one", "first", (Label("s:a", 2),)),
        GoldenQuestion("two", "second", (Label("s:b", 2), Label("s:c", 1))),
        GoldenQuestion("none", "nothing fits", (Label("s:a", 0),)),
    ),
    "g1",
)
ANSWERS = {"first": ["s.x", "s.a"], "second": ["s.b", "s.x", "s.y", "s.c"]}


def searched(answers: dict[str, list[str]]) -> Scores:
    return score(lambda query: answers[query], GOLDEN)


def test_each_row_says_what_came_and_where_the_right_tool_stood() -> None:
    first, second = searched(ANSWERS).rows
    assert (first.question.id, first.ranked, first.rank) == ("one", ("s.x", "s.a"), 2)
    assert dict(second.metrics.recall_at) == {1: 0.5, 3: 0.5, 5: 1, 10: 1}
    assert second.metrics.map == pytest.approx((1 + 2 / 4) / 2)


def test_means_carry_the_names_of_the_published_baseline() -> None:
    means = searched(ANSWERS).means.as_json()
    assert means["recall_at"] == {"1": 0.25, "3": 0.75, "5": 1, "10": 1}
    assert means["mrr"] == 0.75
    second = (2 + 1 / log2(5)) / (2 + 1 / log2(3))
    assert means["ndcg_at_10"] == pytest.approx((1 / log2(3) + second) / 2)
    assert list(means) == ["recall_at", "mrr", "ndcg_at_10", "map"]


def test_a_question_without_a_relevant_label_is_counted_and_not_asked() -> None:
    assert [question.id for question in searched(ANSWERS).not_scored] == ["none"]


def test_a_set_in_which_nothing_can_be_found_is_refused() -> None:
    with pytest.raises(ConfigError, match="no question of g1 has a relevant label"):
        score(lambda _query: [], GoldenSet("c1", GOLDEN.questions[2:], "g1"))


def test_the_ranking_is_cut_at_the_depth() -> None:
    deep = {"first": [f"s.{n}" for n in range(10)] + ["s.a"], "second": []}
    row = searched(deep).rows[0]
    assert (len(row.ranked), row.rank, row.metrics.mrr, row.metrics.map) == (10, None, 0, 0)
    deeper = score(lambda query: deep[query], GOLDEN, depth=20).rows[0]
    assert (deeper.rank, deeper.metrics.mrr) == (11, 1 / 11)


def test_interchangeable_tools_fill_one_need() -> None:
    labels = (Label("s:a", 2, "g"), Label("s:b", 2, "g"), Label("s:c", 2, "h"))
    golden = GoldenSet("c1", (GoldenQuestion("q", "?", labels),))
    row = score(lambda _query: ["s.b", "s.a", "s.c"], golden).rows[0]
    assert dict(row.metrics.recall_at) == {1: 0.5, 3: 1, 5: 1, 10: 1}
    assert row.metrics.map == pytest.approx((1 + 2 / 3) / 2)
