"""Selection and Wilson intervals on random calls and classes, against a recomputation in fractions."""

import random
from fractions import Fraction
from math import floor
from typing import Any

from hypothesis import assume, given, strategies as st

from toolbooth.suite import score_selection
from toolbooth.suite.metrics import wilson

NAMES = ["search", "get", "read.file", "exec"]
SERVERS = ["", "brave", "fs", "fs.read"]
MEMBERS = [*NAMES, *(f"{server}.{name}" for server in SERVERS[1:] for name in NAMES)]

call = st.fixed_dictionaries({"name": st.sampled_from(NAMES), "server": st.sampled_from(SERVERS)})
runs = st.lists(st.lists(call, max_size=8), max_size=6)
members = st.lists(st.sampled_from(MEMBERS), min_size=1, max_size=4)
classes = st.dictionaries(st.sampled_from("abcd"), members, min_size=1)
Classes = dict[str, list[str]]
Runs = list[list[dict[str, str]]]


def by_hand(wanted: Classes, seen: Runs) -> tuple[int, int, int]:
    """Another way: by classes instead of by calls."""
    tp = fp = fn = 0
    for run in seen:
        right: set[int] = set()
        for listed in wanted.values():
            hits = {at for at, each in enumerate(run) if _spellings(each) & set(listed)}
            tp, fn, right = tp + bool(hits), fn + (not hits), right | hits
        fp += len(run) - len(right)
    return tp, fp, fn


def _spellings(each: dict[str, str]) -> set[str]:
    bare = {each["name"]} if "." not in each["name"] or not each["server"] else set()
    return bare | ({f"{each['server']}.{each['name']}"} if each["server"] else set())


def percent(part: int, whole: int) -> int:
    return floor(Fraction(100 * part, whole)) if whole else 0


@given(classes, runs)
def test_counts_and_percents_equal_a_recomputation_in_fractions(wanted: Classes, seen: Runs) -> None:
    score = score_selection(wanted, seen)
    tp, fp, fn = by_hand(wanted, seen)
    assert (score.tp, score.fp, score.fn) == (tp, fp, fn)
    assert (score.precision, score.recall) == (percent(tp, tp + fp), percent(tp, tp + fn))
    if tp:
        precise, recalled = Fraction(tp, tp + fp), Fraction(tp, tp + fn)
        assert score.f1 == floor(100 * 2 * precise * recalled / (precise + recalled))
    else:
        assert score.f1 == 0


@given(classes, runs)
def test_f1_stands_between_precision_and_recall(wanted: Classes, seen: Runs) -> None:
    score = score_selection(wanted, seen)
    assert 0 <= min(score.precision, score.recall) <= score.f1 <= max(score.precision, score.recall) <= 100


@given(classes, runs, st.randoms(use_true_random=False))
def test_the_order_of_runs_does_not_matter(wanted: Classes, seen: Runs, chance: random.Random) -> None:
    shuffled = list(seen)
    chance.shuffle(shuffled)
    assert score_selection(wanted, shuffled) == score_selection(wanted, seen)


@given(classes, runs)
def test_pooled_counts_are_the_sums_of_single_runs(wanted: Classes, seen: Runs) -> None:
    whole, single = score_selection(wanted, seen), [score_selection(wanted, [run]) for run in seen]
    for figure in ("tp", "fp", "fn"):
        assert getattr(whole, figure) == sum(getattr(each, figure) for each in single)
    assert sum(whole.missed.values()) == whole.fn
    assert sum(whole.unexpected.values()) == whole.fp
    assert whole.tp + whole.fn == len(wanted) * len(seen)


@given(classes, runs, st.data())
def test_a_repeat_in_a_satisfied_class_changes_nothing(wanted: Classes, seen: Runs, data: Any) -> None:
    right = [
        (at, each) for at, run in enumerate(seen) for each in run if not score_selection(wanted, [[each]]).fp
    ]
    assume(right)
    at, each = data.draw(st.sampled_from(right))
    again = [[*run, each] if index == at else run for index, run in enumerate(seen)]
    assert score_selection(wanted, again) == score_selection(wanted, seen)


@given(st.integers(1, 10_000).flatmap(lambda of: st.tuples(st.integers(0, of), st.just(of))))
def test_the_interval_holds_the_rate_and_lies_between_none_and_all(tries: tuple[int, int]) -> None:
    hits, of = tries
    rate = wilson(hits, of)
    assert 0 <= rate.low <= hits / of <= rate.high <= 1
    mirrored = wilson(of - hits, of)
    assert abs(rate.low + mirrored.high - 1) < 1e-9
