"""Each metric on rankings small enough to work out by hand."""

from math import log2

import pytest

from toolbooth.bench import GoldenQuestion, GoldenSet, Label, Scores, score
from toolbooth.bench.scores import (
    average_precision,
    first_relevant_rank,
    ndcg_at_k,
    recall_at_k,
    reciprocal_rank,
)
from toolbooth.errors import ConfigError

GRADED = {"best": 2, "good": 1, "fair": 1, "wrong": 0}
RANKED = ("other", "good", "wrong", "best")


@pytest.mark.parametrize(("k", "recall"), [(1, 0), (2, 1 / 3), (3, 1 / 3), (4, 2 / 3), (10, 2 / 3)])
def test_recall_is_the_share_of_relevant_ids_in_the_first_k(k: int, recall: float) -> None:
    assert recall_at_k(RANKED, GRADED, k) == pytest.approx(recall)


def test_reciprocal_rank_looks_at_the_first_relevant_id_only() -> None:
    assert first_relevant_rank(RANKED, GRADED) == 2
    assert reciprocal_rank(RANKED, GRADED) == 0.5
    assert reciprocal_rank(("wrong", "other"), GRADED) == 0
    assert first_relevant_rank(("wrong", "other"), GRADED) is None


def test_ndcg_has_linear_gain_and_an_ideal_from_the_labels() -> None:
    ideal = 2 / log2(2) + 1 / log2(3) + 1 / log2(4)
    assert ndcg_at_k(RANKED, GRADED, 10) == pytest.approx((1 / log2(3) + 2 / log2(5)) / ideal)
    assert ndcg_at_k(RANKED, GRADED, 2) == pytest.approx((1 / log2(3)) / (2 + 1 / log2(3)))


def test_average_precision_divides_by_all_that_is_relevant() -> None:
    assert average_precision(RANKED, GRADED) == pytest.approx((1 / 2 + 2 / 4) / 3)


def test_an_id_that_comes_again_takes_a_rank_and_gains_nothing() -> None:
    twice = ("good", "good", "best")
    assert recall_at_k(twice, GRADED, 2) == pytest.approx(1 / 3)
    assert average_precision(twice, GRADED) == pytest.approx((1 + 2 / 3) / 3)
    assert ndcg_at_k(("good", "good"), {"good": 1}, 10) == 1


@pytest.mark.parametrize("labels", [{}, {"wrong": 0}, {"odd": -1}])
def test_where_nothing_is_relevant_every_metric_is_zero(labels: dict[str, int]) -> None:
    ranked = ("wrong", "odd")
    assert recall_at_k(ranked, labels, 5) == reciprocal_rank(ranked, labels) == 0
    assert ndcg_at_k(ranked, labels, 5) == average_precision(ranked, labels) == 0


def test_an_empty_ranking_scores_zero() -> None:
    assert recall_at_k((), GRADED, 5) == reciprocal_rank((), GRADED) == 0
    assert ndcg_at_k((), GRADED, 5) == average_precision((), GRADED) == 0


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
