"""`report.json`: written, read back the same, and refused where it is something else."""

from pathlib import Path
from typing import Any

import jsonschema_rs
import msgspec
import pytest
from tests.catalogs import RETRIEVAL
from tests.unit.web.reports import rich

from toolbooth.bench.report import (
    BenchReport,
    CorpusSummary,
    LatencyMeasure,
    LatencySection,
    Spread,
    read_report,
    report_bytes,
    report_object,
)
from toolbooth.errors import ConfigError

SCHEMA = RETRIEVAL / "mcpproxy" / "score-report.schema.json"
SPREAD = Spread(10, 1.0, 2.0, 3.0, 4.0)
REPORT = BenchReport(
    "0.1.0",
    "2026-11-17",
    "a machine",
    CorpusSummary("v1", 2, 1, "abc"),
    latency=LatencySection((LatencyMeasure("search", "a search", SPREAD, "direct", SPREAD, 1.0),), None),
    partial=("live: it went away",),
)


def written(folder: Path, data: bytes) -> Path:
    path = folder / "report.json"
    path.write_bytes(data)
    return path


def test_a_report_comes_back_as_it_was_written(tmp_path: Path) -> None:
    assert read_report(written(tmp_path, report_bytes(REPORT))) == REPORT
    assert report_bytes(REPORT) == report_bytes(REPORT)


def changed(**keys: Any) -> bytes:
    return msgspec.json.encode({**msgspec.to_builtins(REPORT), **keys})


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"{", "not JSON"),
        (b"[]", "not a report of `toolbooth bench`"),
        (changed(format="toolbooth-run"), "not a report of `toolbooth bench`"),
        (changed(version=3), "another version"),
        (changed(latency={"measures": 3}), r"damaged: .*latency"),
        (b"\xff", "not JSON"),
    ],
)
def test_what_is_no_report_is_refused_with_the_reason(tmp_path: Path, data: bytes, said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        read_report(written(tmp_path, data))


METRICS = {"recall_at": {"1": 1.0, "3": 1.0, "5": 1.0, "10": 1.0}, "mrr": 1.0, "ndcg_at_10": 1.0, "map": 1.0}
CURVE = {"mean": [1.0], "low": [1.0], "high": [1.0]}
OTHER = {"engine": "bm25", "metrics": METRICS, "intervals": {}, "curve": CURVE}
VERDICT = {"difference": 0, "low": 0, "high": 0, "p_value": 1, "better": 0, "worse": 0}
FOUND = {
    "corpus_version": "v1",
    "golden_version": "g1",
    "runs_averaged": 1,
    "query_count": 1,
    "metrics": METRICS,
    "gate": {"passed": True},
    "engine": "toolbooth",
    "not_scored": 0,
    "intervals": {"mrr": [1.0, 1.0]},
    "curve": CURVE,
    "rejection": None,
    "kinds": [],
    "rows": [],
    "against": [OTHER],
}


def found(**keys: Any) -> bytes:
    return changed(retrieval={**FOUND, **keys})


def test_a_report_with_all_its_figures_is_read(tmp_path: Path) -> None:
    assert read_report(written(tmp_path, found())).retrieval is not None


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (found(metrics={**METRICS, "recall_at": {"1": 1.0}}), "metrics have no recall_at 3, 5, 10"),
        (found(intervals={"zzz": [0, 1]}), "'zzz' is not a measure"),
        (found(curve={**CURVE, "low": []}), "differ in length"),
        (
            found(against=[{**OTHER, "metrics": {**METRICS, "recall_at": {}}}]),
            r"against \(bm25\) have no recall_at",
        ),
        (found(against=[{**OTHER, "verdicts": [{**VERDICT, "metric": "zzz"}]}]), "'zzz' is not a measure"),
        (found(kinds=[{"kind": "odd", "questions": 1, "metrics": {**METRICS, "recall_at": {}}}]), "kinds"),
        (changed(growth={"source": "v1", "points": [], "exponents": {}}), "growth has no points"),
    ],
)
def test_a_report_without_what_every_table_needs_is_damaged(tmp_path: Path, data: bytes, said: str) -> None:
    with pytest.raises(ConfigError, match=f"the report is damaged: .*{said}"):
        read_report(written(tmp_path, data))


def test_a_section_that_was_not_asked_for_is_not_in_the_file_and_null_is_read_all_the_same(
    tmp_path: Path,
) -> None:
    """The published schema of score reports wants an object, or nothing."""
    kept = report_object(REPORT)
    assert "retrieval" not in kept
    assert "latency" in kept
    assert read_report(written(tmp_path, changed(retrieval=None, growth=None))) == REPORT


def test_a_report_without_questions_fits_the_published_schema() -> None:
    jsonschema_rs.validate(
        msgspec.json.decode(SCHEMA.read_bytes()), msgspec.json.decode(report_bytes(REPORT))
    )


def test_a_report_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="there is no such file"):
        read_report(tmp_path / "absent.json")


@pytest.mark.promise("bench:surface-names")
def test_a_report_of_version_1_is_read_with_the_names_of_the_surfaces(tmp_path: Path) -> None:
    former = {"search": "retrieve_tools", "code": "code_execution", "direct": "direct_slim"}
    now = msgspec.to_builtins(rich())
    old = msgspec.to_builtins(rich())
    section = old["tokens"]
    for row in (*section["modes"], *section["sessions"], *section["break_even"]):
        row["mode"] = former.get(row["mode"], row["mode"])
    for at in section["curve"]:
        for costs in ("paid", "menu", "paid_with_history"):
            at[costs] = {former.get(mode, mode): cost for mode, cost in at[costs].items()}
    assert old != now
    data = msgspec.json.encode({**old, "version": 1})
    assert read_report(written(tmp_path, data)) == rich()
