"""TAP version 14."""

import re

import yaml
from tests.unit.suite.reports import compared, hostile, sample

from toolbooth.suite.report import SuiteReport
from toolbooth.suite.reporters import render

POINT = re.compile(r"(?:not )?ok (\d+) - ((?:[^#\\\r\n]|\\[#\\])*)( # SKIP not run)?")


def read(report: SuiteReport) -> tuple[list[str], list[dict[str, object]]]:
    """Points and diagnostics, or an assertion that a line is neither."""
    lines = render(report, "tap").splitlines()
    assert lines[0] == "TAP version 14"
    points: list[str] = []
    found: list[dict[str, object]] = []
    block: list[str] | None = None
    for line in lines[2:]:
        if line == "  ---":
            block = []
        elif line == "  ..." and block is not None:
            found.append(yaml.safe_load("\n".join(block)))
            block = None
        elif block is not None:
            block.append(line.removeprefix("  "))
        elif not line.startswith("# "):
            assert POINT.fullmatch(line)
            points.append(line)
    assert lines[1].split()[0] == f"1..{len(points)}"
    return points, found


def test_points_are_counted_and_diagnostics_are_yaml() -> None:
    for report in (sample(), compared(), hostile(), SuiteReport(())):
        points, _found = read(report)
        assert [int(POINT.fullmatch(point)[1]) for point in points] == list(  # type: ignore[index]
            range(1, len(points) + 1)
        )


def test_a_failure_has_its_reasons_and_its_place() -> None:
    points, found = read(sample())
    assert points[3].startswith("not ok 4 - find the latest invoice mail [openai:gpt-5-mini · direct]")
    assert found[3]["at"] == "suites/office.toolbooth.yaml:4"
    assert "missed: read (3×)" in found[3]["reasons"]  # type: ignore[operator]
    assert found[3]["figures"]["tool_selection.f1"] == 46  # type: ignore[index]


def test_what_was_not_run_is_skipped() -> None:
    assert read(sample())[0][-1].endswith("# SKIP not run")


def test_figures_that_moved_too_far_are_points_that_fail() -> None:
    assert len(read(compared())[0]) == 24 + 12
    assert read(compared())[0][-1].endswith("got worse")


def test_nothing_run_is_a_plan_of_none() -> None:
    assert render(SuiteReport(()), "tap").splitlines()[1] == "1..0 # SKIP nothing was run"
