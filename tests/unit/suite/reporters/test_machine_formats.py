"""JUnit XML as CI systems check it."""

from xml.etree.ElementTree import Element, fromstring

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
