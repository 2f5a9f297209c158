"""Our metrics against trec_eval's, an independent implementation, on random rankings and labels."""

from typing import Any

import pytest
import pytrec_eval
from hypothesis import given, strategies as st

from toolbooth.bench.metrics import average_precision, ndcg_at_k, recall_at_k, recall_curve, reciprocal_rank

KS = (1, 3, 5, 10)
IDS = [f"s.t{number}" for number in range(30)]
MEASURES = {"recall.1,3,5,10", "recip_rank", "map", "ndcg_cut.1,3,5,10"}

rankings = st.lists(st.sampled_from(IDS), unique=True, max_size=len(IDS))
labels = st.dictionaries(st.sampled_from(IDS), st.integers(0, 3), min_size=1, max_size=12)
relevant_labels = labels.filter(lambda found: any(found.values()))


def by_trec_eval(ranked: list[str], relevance: dict[str, int]) -> dict[str, float]:
    """Strictly falling scores, since trec_eval breaks ties by id; its nDCG gain is linear, as ours is."""
    run = {each: float(-rank) for rank, each in enumerate(ranked)}
    measured = pytrec_eval.RelevanceEvaluator({"q": relevance}, MEASURES).evaluate({"q": run})
    return dict(measured["q"])


def ours(ranked: list[str], relevance: dict[str, int]) -> dict[str, float]:
    return {
        **{f"recall_{k}": recall_at_k(ranked, relevance, k) for k in KS},
        **{f"ndcg_cut_{k}": ndcg_at_k(ranked, relevance, k) for k in KS},
        "recip_rank": reciprocal_rank(ranked, relevance),
        "map": average_precision(ranked, relevance),
    }


@given(rankings.filter(bool), labels)
def test_every_value_agrees_with_trec_eval(ranked: list[str], relevance: dict[str, int]) -> None:
    assert ours(ranked, relevance) == pytest.approx(by_trec_eval(ranked, relevance), abs=1e-12)


@given(rankings.filter(bool), labels)
def test_the_recall_curve_agrees_with_trec_eval(ranked: list[str], relevance: dict[str, int]) -> None:
    run = {"q": {each: float(-rank) for rank, each in enumerate(ranked)}}
    depths = ",".join(map(str, range(1, 11)))
    measured = pytrec_eval.RelevanceEvaluator({"q": relevance}, {f"recall.{depths}"}).evaluate(run)["q"]
    curve = recall_curve(ranked, relevance, 10)
    assert curve == pytest.approx([measured[f"recall_{k}"] for k in range(1, 11)], abs=1e-12)


@given(st.lists(st.sampled_from(IDS), max_size=40), labels)
def test_the_recall_curve_is_recall_at_each_depth(ranked: list[str], relevance: dict[str, int]) -> None:
    assert recall_curve(ranked, relevance, 10) == [recall_at_k(ranked, relevance, k) for k in range(1, 11)]


@given(st.lists(st.sampled_from(IDS), max_size=40), labels)
def test_every_value_lies_between_zero_and_one(ranked: list[str], relevance: dict[str, int]) -> None:
    assert all(0 <= value <= 1 + 1e-12 for value in ours(ranked, relevance).values())


@given(relevant_labels)
def test_the_order_of_the_labels_is_a_perfect_ranking(relevance: dict[str, int]) -> None:
    best = sorted(relevance, key=lambda each: -relevance[each])
    found = ours(best, relevance)
    assert found.pop("recall_10") == min(1, 10 / sum(value > 0 for value in relevance.values()))
    perfect = {name: value for name, value in found.items() if not name.startswith("recall")}
    assert perfect == pytest.approx(dict.fromkeys(perfect, 1))


@given(rankings, labels, st.randoms(use_true_random=False))
def test_what_stands_below_k_does_not_matter_at_k(
    ranked: list[str], relevance: dict[str, int], random: Any
) -> None:
    tail = ranked[5:]
    random.shuffle(tail)
    shuffled = ranked[:5] + tail
    assert recall_at_k(ranked, relevance, 5) == recall_at_k(shuffled, relevance, 5)
    assert ndcg_at_k(ranked, relevance, 5) == ndcg_at_k(shuffled, relevance, 5)


@given(rankings.filter(lambda found: len(found) > 1), labels, st.data())
def test_moving_a_better_tool_up_never_lowers_a_value(
    ranked: list[str], relevance: dict[str, int], data: st.DataObject
) -> None:
    at = data.draw(st.integers(0, len(ranked) - 2))
    upper, lower = ranked[at], ranked[at + 1]
    if relevance.get(lower, 0) < relevance.get(upper, 0):
        upper, lower = lower, upper
    worse, better = ([*ranked[:at], *pair, *ranked[at + 2 :]] for pair in ((upper, lower), (lower, upper)))
    before, after = ours(worse, relevance), ours(better, relevance)
    assert all(after[name] >= before[name] - 1e-12 for name in before)


@given(rankings, labels)
def test_renaming_the_tools_changes_nothing(ranked: list[str], relevance: dict[str, int]) -> None:
    renamed = {f"other:{each}": value for each, value in relevance.items()}
    assert ours([f"other:{each}" for each in ranked], renamed) == ours(ranked, relevance)
