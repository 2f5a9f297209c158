"""JUnit XML as CI systems check it."""

import re
from xml.etree.ElementTree import Element, fromstring

import yaml
from tests.unit.suite.reports import all_passed, compared, hostile, sample

from toolbooth.suite.report import SuiteReport
from toolbooth.suite.reporters import render

CHILDREN = {
    "testsuites": {"testsuite"},
    "testsuite": {"properties", "testcase"},
    "properties": {"property"},
    "testcase": {"skipped", "error", "failure", "system-out"},
}
ATTRIBUTES = {
    "testsuites": {"name", "tests", "failures", "errors"},
    "testsuite": {"name", "tests", "failures", "errors", "skipped", "time"},
    "testcase": {"name", "classname", "time"},
    "property": {"name", "value"},
    "failure": {"message", "type"},
    "error": {"message", "type"},
    "skipped": {"message"},
}


def parsed(report: SuiteReport) -> Element:
    return fromstring(render(report, "junit"))  # noqa: S314


def check(element: Element) -> None:
    assert set(element.attrib) <= ATTRIBUTES.get(element.tag, set())
    assert {child.tag for child in element} <= CHILDREN.get(element.tag, set())
    for child in element:
        check(child)


def test_every_element_and_attribute_is_one_that_the_schema_knows() -> None:
    for report in (sample(), compared(), hostile(), SuiteReport(())):
        check(parsed(report))


def test_counts_are_those_of_the_cases() -> None:
    root = parsed(compared())
    for suite in root:
        for kind, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
            assert int(suite.get(kind, "0")) == len(suite.findall(f"testcase/{tag}"))
        assert int(suite.get("tests", "")) == len(suite.findall("testcase"))
    assert int(root.get("tests", "")) == len(root.findall("testsuite/testcase"))
    assert int(root.get("failures", "")) == len(root.findall("testsuite/testcase/failure"))


def test_a_failure_says_everything_and_where() -> None:
    failure = parsed(sample()).find("testsuite/testcase/failure")
    assert failure is not None
    assert failure.get("message") == "tool_selection.f1: wanted >= 80, found 46"
    assert "suites/office.toolbooth.yaml:4" in (failure.text or "")
    assert "unexpected: files.search (3×)" in (failure.text or "")


def test_refused_cells_are_errors_and_cells_that_did_not_run_are_skipped() -> None:
    root = parsed(sample())
    assert [error.get("type") for error in root.iter("error")] == ["refused", "error"]
    assert len(list(root.iter("skipped"))) == 1


def test_figures_are_properties_with_plain_numbers() -> None:
    named = {each.get("name"): each.get("value") for each in parsed(sample())[0].iter("property")}
    assert named["openai:gpt-5-mini · direct: token_efficiency.tokens_per_correct"] == "6144"


def test_a_comparison_without_harm_is_a_case_that_passed() -> None:
    from toolbooth.suite.compare import with_baseline

    root = parsed(with_baseline(all_passed(), all_passed(), "main.json"))
    assert root[-1].get("name") == "compared with main.json"
    assert [case.get("name") for case in root[-1]] == ["nothing got worse"]


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
