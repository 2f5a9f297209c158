"""The gate: not below baseline − tolerance, and never in silence."""

from pathlib import Path

import pytest
from msgspec import UNSET
from tests.unit.bench.retrieval.small_set import small_pair

from toolbooth.bench.retrieval import Baseline, GateRule, Run, measure_retrieval
from toolbooth.errors import ConfigError, UserMistake

PAIR = small_pair()
# Of five questions this one finds the right tool of four, first each time: recall and MRR are .8.
ANSWERS = {
    "q1": ["files.read_file"],
    "q2": ["mail.send_mail"],
    "q3": [],
    "q4": ["calendar.create_event", "mail.send_mail"],
    "q5": ["calendar.list_events"],
    "u1": [],
}
RUN = Run("four of five", ANSWERS)


def baseline(recall: float = 0.8, corpus: str = "small-1", golden: str = "small-golden-1") -> Baseline:
    return Baseline(Path("b.json"), corpus, golden, {"recall_at_5": recall, "mrr": 0.5}, {"recall_at_5": 0.1})


def test_without_a_baseline_it_passes_by_construction_and_says_so() -> None:
    gate = measure_retrieval(PAIR, RUN).gate
    assert (gate.passed, gate.metric, gate.tolerance, gate.value) == (True, "recall_at_5", 0.05, 0.8)
    assert gate.note == "no baseline was named: passes by construction"
    assert gate.floor is UNSET


@pytest.mark.promise("bench:gate")
@pytest.mark.parametrize(("recall", "passed"), [(0.5, True), (0.9, True), (0.901, False), (1.0, False)])
def test_it_fails_only_below_the_baseline_less_its_own_tolerance(recall: float, passed: bool) -> None:
    section = measure_retrieval(PAIR, RUN, rule=GateRule(baseline=baseline(recall)))
    assert section.gate.passed is passed
    assert section.gate.floor == pytest.approx(recall - 0.1)
    assert section.gate.note is UNSET
    assert section.baseline_delta == pytest.approx({"recall_at_5": 0.8 - recall, "mrr": 0.3})


def test_a_tolerance_of_the_caller_comes_before_that_of_the_file() -> None:
    strict = measure_retrieval(PAIR, RUN, rule=GateRule(tolerance=0.0, baseline=baseline(0.81))).gate
    assert (strict.passed, strict.tolerance) == (False, 0.0)


def test_another_metric_has_the_published_tolerance() -> None:
    rule = GateRule("mrr", baseline=baseline())
    assert measure_retrieval(PAIR, RUN, rule=rule).gate.tolerance == 0.05


def test_a_metric_that_the_baseline_lacks_is_told_with_those_that_it_has() -> None:
    with pytest.raises(
        ConfigError, match="the baseline has no map; --metric names one that it has: recall_at_5, mrr"
    ):
        measure_retrieval(PAIR, RUN, rule=GateRule("map", baseline=baseline()))


def test_a_metric_that_nobody_measures_is_told_with_all() -> None:
    with pytest.raises(UserMistake, match=r'there is no metric "recall"; there are recall_at_1, .*, map'):
        measure_retrieval(PAIR, RUN, rule=GateRule("recall"))


@pytest.mark.parametrize(
    ("stored", "said"),
    [
        (baseline(corpus="other"), 'the baseline is for corpus "other", and this is "small-1"'),
        (baseline(golden="old"), 'the baseline is for golden set "old", and this is "small-golden-1"'),
    ],
)
def test_a_baseline_of_another_version_is_refused_unless_allowed(stored: Baseline, said: str) -> None:
    with pytest.raises(ConfigError, match=f"b.json: {said}; --allow-mismatch"):
        measure_retrieval(PAIR, RUN, rule=GateRule(baseline=stored))
    assert measure_retrieval(PAIR, RUN, rule=GateRule(baseline=stored), allow_mismatch=True).notes == (said,)


def test_a_baseline_without_versions_fits_anything() -> None:
    assert measure_retrieval(PAIR, RUN, rule=GateRule(baseline=baseline(corpus="", golden=""))).gate.passed
