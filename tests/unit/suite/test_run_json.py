"""`run.json`: the same bytes for the same report, and a clear line for what is none."""

import json
from dataclasses import replace
from math import inf, nan
from pathlib import Path
from typing import Any

import pytest
from tests.unit.suite.reports import all_passed, cell, compared, hostile, sample

from toolbooth.errors import ConfigError
from toolbooth.suite.report import SuiteReport
from toolbooth.suite.run_json import plain, read_run, run_bytes
from toolbooth.suite.verdict import Check, Verdict


def kept(tmp_path: Path, report: SuiteReport) -> Path:
    path = tmp_path / "run.json"
    path.write_bytes(run_bytes(report))
    return path


def changed(tmp_path: Path, **more: Any) -> Path:
    path = tmp_path / "run.json"
    path.write_text(json.dumps({**json.loads(run_bytes(sample())), **more}))
    return path


@pytest.mark.parametrize("report", [sample(), all_passed(), compared(), hostile(), SuiteReport(())])
def test_what_was_written_is_read_back(report: SuiteReport, tmp_path: Path) -> None:
    path = kept(tmp_path, report)
    assert read_run(path) == report
    assert run_bytes(read_run(path)) == path.read_bytes()


def test_the_bytes_are_ascii_with_sorted_keys_and_a_summary_for_programs() -> None:
    data = run_bytes(sample())
    document = json.loads(data)
    assert data.isascii()
    assert data.endswith(b"}\n")
    assert list(document) == sorted(document)
    assert document["summary"]["cells"] == {"passed": 20, "failed": 1, "error": 1, "refused": 1, "not run": 1}
    assert document["summary"]["exit_code"] == 5


def test_undefined_figures_are_absent() -> None:
    odd = Verdict("x", (), {"a.f1": nan, "a.cost": inf, "a.recall": 50})
    free = cell(verdicts=(odd,), cost=None, tool_surface_tokens=None, passes=None)
    [written] = json.loads(run_bytes(SuiteReport((), (free,))))["cells"]
    assert written["verdicts"][0]["figures"] == {"a.recall": 50}
    assert not {"cost", "tool_surface_tokens", "passes"} & set(written)


@pytest.mark.parametrize("found", [0, "", [], {}, False, 1.5, "x", {"a": [1, None]}])
def test_what_a_check_found_keeps_its_kind(found: Any, tmp_path: Path) -> None:
    check = Check("final_response", "exact x", found, "failed")
    report = SuiteReport((), (cell(verdicts=(Verdict("expect", (check,)),)),))
    [again] = read_run(kept(tmp_path, report)).cells[0].verdicts[0].checks
    assert again.found == found
    assert type(again.found) is type(found)


def test_what_json_cannot_hold_becomes_text() -> None:
    assert plain({1: (nan, Path("x"), {"a": inf})}) == {"1": ["nan", "x", {"a": "inf"}]}


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "null", '{"format": "toolbooth-catalog", "version": 1}', "[" * 100_000, "\xff", "NaN"],
)
def test_a_foreign_file_is_one_line_that_says_what_to_do(text: str, tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    path.write_text(text, encoding="latin-1")
    with pytest.raises(ConfigError) as caught:
        read_run(path)
    assert str(caught.value).startswith(
        (f"{path}: is not a run.json", f"{path}: the run is damaged: it is not JSON")
    )
    assert "\n" not in str(caught.value)
    assert ";" in str(caught.value)


def test_another_version_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="unknown run format '2'"):
        read_run(changed(tmp_path, version=2))


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ({"cells": {}}, "cells: expected 'array', got 'object'"),
        ({"cells": [{}]}, r"cells\[0\]: missing required field 'test'"),
        ({"seed": "x"}, "seed: expected 'int', got 'str'"),
        ({"partial": 1}, "partial: expected 'bool', got 'int'"),
        ({"more": 1}, "unknown field 'more'"),
        ({"suites": [1]}, r"suites\[0\]: expected 'str', got 'int'"),
        ({"comparison": {}}, "comparison: missing required field 'baseline'"),
    ],
)
def test_damage_is_named_with_its_place(more: dict[str, Any], says: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=f"the run is damaged: {says}"):
        read_run(changed(tmp_path, **more))


@pytest.mark.parametrize("key", ["status", "runs", "source", "verdicts", "passes", "tools", "cost", "line"])
def test_every_part_of_a_cell_is_checked(key: str, tmp_path: Path) -> None:
    document = json.loads(run_bytes(SuiteReport((), (cell(),))))
    document["cells"][0][key] = ["wrong"] if key != "verdicts" else [{"gate": 1}]
    path = tmp_path / "run.json"
    path.write_text(json.dumps(document))
    with pytest.raises(ConfigError, match=rf"cells\[0\]\.{key}"):
        read_run(path)


def test_a_truncated_file_and_a_missing_one_are_mistakes(tmp_path: Path) -> None:
    path = kept(tmp_path, sample())
    path.write_bytes(path.read_bytes()[:-200])
    with pytest.raises(ConfigError, match="cut off"):
        read_run(path)
    with pytest.raises(ConfigError, match="no such file"):
        read_run(tmp_path / "other.json")


def test_hostile_keys_of_a_damaged_file_reach_no_terminal(tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as caught:
        read_run(changed(tmp_path, **{"\x1b[31m\n": 1}))
    assert "\x1b" not in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_partial_report_says_so(tmp_path: Path) -> None:
    assert read_run(kept(tmp_path, replace(sample(), partial=True, shard="1/2"))).partial
