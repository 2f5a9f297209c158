"""Baselines of every shape are read; damaged ones are one line; ours has the published shape."""

from pathlib import Path
from typing import Any

import msgspec
import orjson
import pytest
from msgspec import UNSET
from tests.catalogs import RETRIEVAL
from tests.unit.bench.retrieval.small_set import small_pair, written

from toolbooth.bench import MEASURES
from toolbooth.bench.report import BenchReport, report_bytes
from toolbooth.bench.retrieval import (
    Baseline,
    EngineRun,
    GateRule,
    baseline_bytes,
    measure_retrieval,
    read_baseline,
)
from toolbooth.errors import ConfigError, UserMistake

PUBLISHED = RETRIEVAL / "mcpproxy" / "baseline_v1.json"
RECALLS = {"1": 0.25, "3": 0.5, "5": 0.75, "10": 1}
METRICS = {"recall_at": RECALLS, "mrr": 0.5, "ndcg_at_10": 0.6, "map": 0.4}
FLAT = dict(zip(MEASURES, (0.25, 0.5, 0.75, 1, 0.5, 0.6, 0.4), strict=True))


@pytest.mark.parametrize(
    "document",
    [
        METRICS | {"corpus_version": "c1", "golden_version": "g1", "tolerance": {"recall_at_5": 0.02}},
        {
            "metrics": METRICS,
            "corpus_version": "c1",
            "golden_version": "g1",
            "gate": {"passed": True, "metric": "recall_at_5", "tolerance": 0.02},
        },
        {
            "retrieval": METRICS
            | {"corpus_version": "c1", "golden_version": "g1", "tolerance": {"recall_at_5": 0.02}},
            "security": {},
        },
    ],
    ids=["published", "section", "score report"],
)
def test_metrics_are_found_in_every_shape(tmp_path: Path, document: Any) -> None:
    path = written(tmp_path / "b.json", document)
    assert read_baseline(path) == (path, "c1", "g1", FLAT, {"recall_at_5": 0.02})


def test_a_baseline_may_name_no_version_and_only_some_metrics(tmp_path: Path) -> None:
    path = written(tmp_path / "b.json", {"recall_at": {"5": 0.5}, "ndcg_at_10": 0.4})
    assert read_baseline(path) == (path, "", "", {"recall_at_5": 0.5, "ndcg_at_10": 0.4}, {})


def test_the_published_baseline_loads_as_it_is() -> None:
    found = read_baseline(PUBLISHED)
    assert (found.corpus_version, found.golden_version) == ("corpus_v1", "retrieval_golden_v1")
    assert found.tolerance == {"recall_at_5": 0.05}
    rounded = {name: round(value, 4) for name, value in found.metrics.items()}
    assert list(rounded.values()) == [0.4184, 0.5603, 0.6809, 0.7908, 0.5685, 0.6095, 0.5436]


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    section = measure_retrieval(small_pair(), "bm25")
    path = tmp_path / "b.json"
    path.write_bytes(baseline_bytes(section, "mrr", 0.1))
    found = read_baseline(path)
    assert found.metrics == section.metrics.flat()
    assert (found.corpus_version, found.golden_version, found.tolerance) == (
        "small-1",
        "small-golden-1",
        {"mrr": 0.1},
    )
    assert {"recall_at", "mrr", "ndcg_at_10", "map", "tolerance", "runs_averaged"} <= orjson.loads(
        path.read_bytes()
    ).keys()


def test_a_report_is_a_baseline_and_so_is_its_section(tmp_path: Path) -> None:
    section = measure_retrieval(small_pair(), "bm25", rule=GateRule("map", 0.2))
    whole, part = tmp_path / "report.json", tmp_path / "section.json"
    whole.write_bytes(report_bytes(BenchReport("1", "2026-01-01", "here", retrieval=section)))
    part.write_bytes(msgspec.json.encode(section))
    for path in (whole, part):
        assert read_baseline(path)[1:] == ("small-1", "small-golden-1", section.metrics.flat(), {"map": 0.2})


WRONG: dict[str, Any] = {
    "this is not JSON": "{",
    "a baseline must be an object with metrics": [],
    "the file has no metrics; name a file that --write-baseline wrote": {"recall": 1},
    "this report has no retrieval section": {"format": "toolbooth-bench", "retrieval": None},
    "the baseline is damaged: metrics: expected 'object | null', got 'array'": {"metrics": [1]},
    "the baseline is damaged: recall_at: expected 'object', got 'array'": {"recall_at": [0.5]},
    "the baseline is damaged: recall_at[...]: expected 'float | null'": {"recall_at": {"5": "high"}},
    "the baseline is damaged: mrr: expected 'float' <= 1.0": {"mrr": 1.5},
    "the baseline is damaged: map: expected 'float | null', got 'bool'": {"map": True},
    "the baseline is damaged: ndcg_at_10: expected 'float' >= 0.0": {"ndcg_at_10": -0.1},
    "the baseline is damaged: tolerance: expected 'object | null', got 'float'": METRICS
    | {"tolerance": 0.05},
    "the baseline is damaged: tolerance[...]: expected 'float', got 'null'": METRICS
    | {"tolerance": {"mrr": None}},
    "the baseline is damaged: corpus_version: expected 'str | null', got 'int'": METRICS
    | {"corpus_version": 1},
}


@pytest.mark.parametrize("said", WRONG)
def test_a_damaged_baseline_is_one_line(tmp_path: Path, said: str) -> None:
    path = written(tmp_path / "b.json", WRONG[said])
    with pytest.raises(ConfigError) as caught:
        read_baseline(path)
    assert str(caught.value).startswith(f"{path}: {said}")
    assert "\n" not in str(caught.value)


def test_a_missing_baseline_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"absent\.json: there is no such file"):
        read_baseline(tmp_path / "absent.json")


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
RUN = EngineRun("four of five", ANSWERS)


def baseline(recall: float = 0.8, corpus: str = "small-1", golden: str = "small-golden-1") -> Baseline:
    return Baseline(Path("b.json"), corpus, golden, {"recall_at_5": recall, "mrr": 0.5}, {"recall_at_5": 0.1})


def test_without_a_baseline_it_passes_by_construction_and_says_so() -> None:
    gate = measure_retrieval(PAIR, RUN).gate
    assert (gate.passed, gate.metric, gate.tolerance, gate.value) == (True, "recall_at_5", 0.05, 0.8)
    assert gate.note == "no baseline was named, so the gate passes"
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


def test_a_metric_that_the_baseline_lacks_is_reported_with_those_that_it_has() -> None:
    with pytest.raises(
        ConfigError, match="the baseline has no map; choose one that it has with --metric: recall_at_5, mrr"
    ):
        measure_retrieval(PAIR, RUN, rule=GateRule("map", baseline=baseline()))


def test_a_metric_that_nobody_measures_is_reported_with_all() -> None:
    with pytest.raises(UserMistake, match=r'unknown metric "recall"; choose one of recall_at_1, .*, map'):
        measure_retrieval(PAIR, RUN, rule=GateRule("recall"))


@pytest.mark.parametrize(
    ("stored", "said"),
    [
        (baseline(corpus="other"), 'the baseline is for corpus "other", but this is "small-1"'),
        (baseline(golden="old"), 'the baseline is for golden set "old", but this is "small-golden-1"'),
    ],
)
def test_a_baseline_of_another_version_is_refused_unless_allowed(stored: Baseline, said: str) -> None:
    with pytest.raises(ConfigError, match=f"b.json: {said}; use --allow-mismatch"):
        measure_retrieval(PAIR, RUN, rule=GateRule(baseline=stored))
    assert measure_retrieval(PAIR, RUN, rule=GateRule(baseline=stored), allow_mismatch=True).notes == (said,)


def test_a_baseline_without_versions_fits_anything() -> None:
    assert measure_retrieval(PAIR, RUN, rule=GateRule(baseline=baseline(corpus="", golden=""))).gate.passed
