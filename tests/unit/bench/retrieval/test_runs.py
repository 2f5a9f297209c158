"""A report of yesterday is compared with a run of today, if both were asked the same."""

from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.unit.bench.retrieval.small_set import (
    QUESTIONS,
    corpus_document,
    golden_document,
    small_pair,
    written,
)

from toolbooth.bench import Pair, pair, read_corpus, read_golden
from toolbooth.bench.report import BenchReport, EndpointSection, ModeCost, RetrievalSection, report_bytes
from toolbooth.bench.retrieval import StoredRun, measure_retrieval, read_runs
from toolbooth.errors import ConfigError

PAIR = small_pair()


@pytest.fixture(scope="module")
def yesterday() -> RetrievalSection:
    return measure_retrieval(PAIR, "words")


def stored(folder: Path, **sections: Any) -> Path:
    path = folder / "old.json"
    path.write_bytes(report_bytes(BenchReport("1", "2026-01-01", "here", **sections)))
    return path


def test_a_stored_run_compares_as_its_engine_does(tmp_path: Path, yesterday: RetrievalSection) -> None:
    (old,) = read_runs(stored(tmp_path, retrieval=yesterday))
    (from_file,) = measure_retrieval(PAIR, against=[old.over(PAIR)]).against
    (asked,) = measure_retrieval(PAIR, against=["words"]).against
    assert from_file == msgspec.structs.replace(asked, engine=f"words ({tmp_path.name}/old.json)")


def test_a_section_by_itself_is_a_run_too(tmp_path: Path, yesterday: RetrievalSection) -> None:
    for document in (yesterday, {"retrieval": yesterday}):
        path = written(tmp_path / "s.json", msgspec.to_builtins(document))
        assert [(run.name, run.section) for run in read_runs(path)] == [
            (f"words ({tmp_path.name}/s.json)", yesterday)
        ]


def test_reports_of_several_runs_keep_apart(tmp_path: Path, yesterday: RetrievalSection) -> None:
    runs: list[StoredRun] = []
    for name in ("mon", "tue"):
        (tmp_path / name).mkdir()
        runs += read_runs(stored(tmp_path / name, retrieval=yesterday))
    section = measure_retrieval(PAIR, against=[run.over(PAIR) for run in runs])
    assert [each.engine for each in section.against] == ["words (mon/old.json)", "words (tue/old.json)"]


def test_endpoints_of_a_report_are_runs_of_their_own(tmp_path: Path, yesterday: RetrievalSection) -> None:
    mode = ModeCost("search", "search", 3, 900, 0, None)
    ends = [
        EndpointSection(name, "adapter", "search", None, mode, (), None, found, None)
        for name, found in (("peer", yesterday), ("silent", None))
    ]
    runs = read_runs(stored(tmp_path, endpoints=tuple(ends)))
    assert [run.name for run in runs] == [f"peer ({tmp_path.name}/old.json)"]


def other_pair(corpus: str, **changed: Any) -> Pair:
    tools = read_corpus(corpus_document(corpus), Path("c.json"))
    return pair(tools, read_golden(golden_document(version=corpus, **changed), Path("g.json")))


def test_other_questions_are_reported_with_their_number(tmp_path: Path, yesterday: RetrievalSection) -> None:
    (old,) = read_runs(stored(tmp_path, retrieval=yesterday))
    query, kind, labels = QUESTIONS["q1"]
    worded = other_pair("small-1", q1=(query + " now", kind, labels), q9=(query, kind, labels))
    with pytest.raises(ConfigError) as caught:
        old.over(worded)
    assert (
        "0 of its 5 are not in this golden set, 1 of these were not asked then, 1 are worded differently"
        in str(caught.value)
    )


def test_a_run_on_other_tools_is_refused_unless_allowed(tmp_path: Path, yesterday: RetrievalSection) -> None:
    (old,) = read_runs(stored(tmp_path, retrieval=yesterday))
    now = other_pair("small-2")
    with pytest.raises(
        ConfigError, match='searched corpus "small-1", but this is "small-2"; use --allow-mismatch'
    ):
        old.over(now)
    assert old.over(now, allow_mismatch=True).answers.keys() == {"q1", "q2", "q3", "q4", "q5"}


@pytest.mark.parametrize(
    ("document", "said"),
    [
        ("{", "this is not JSON"),
        ([], "this is not a report of `toolbooth bench`"),
        ({"metrics": {}}, "this is not a retrieval report of `toolbooth bench`: "),
        ({"format": "toolbooth-bench", "version": 9}, "this report is of another version"),
        ({"format": "x"}, "this is not a report of `toolbooth bench`"),
    ],
)
def test_a_file_that_is_no_run_is_one_line(tmp_path: Path, document: Any, said: str) -> None:
    path = written(tmp_path / "x.json", document)
    with pytest.raises(ConfigError) as caught:
        read_runs(path)
    assert str(caught.value).startswith(f"{path}: {said}")


def test_a_report_without_retrieval_has_nothing_to_compare(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no retrieval section to compare with"):
        read_runs(stored(tmp_path))
