"""Each metric on rankings small enough to work out by hand."""

from math import log2

import pytest

from toolbooth.bench.metrics import (
    average_precision,
    first_relevant_rank,
    ndcg_at_k,
    recall_at_k,
    reciprocal_rank,
)

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
