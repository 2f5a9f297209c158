"""Workflow commands of changes and findings."""

from tests.unit.contracts.reporting.reports import CHANGES, hostile, sample
from tests.unit.suite.reporters.test_github import COMMAND

from toolbooth.contracts import Diff
from toolbooth.contracts.reporting import ContractReport, FileLocation, render
from toolbooth.contracts.reporting.machine_formats import MOST_COMMANDS


def lines(report: ContractReport) -> list[str]:
    return render(report, "github").splitlines()


def test_every_line_is_one_command() -> None:
    for report in (sample(), hostile(), ContractReport("toolbooth lock", verdict="it fits")):
        assert all(COMMAND.fullmatch(line) for line in lines(report))


def test_severities_are_errors_warnings_and_notices() -> None:
    kinds = [line.split(" ")[0] for line in lines(ContractReport("x", Diff(CHANGES)))]
    assert kinds == ["::error", "::warning", "::notice", "::warning", "::notice"]


def test_a_change_is_shown_at_its_line_of_the_lock() -> None:
    report = ContractReport(
        "x", Diff(CHANGES[:1]), locations=lambda entries: [FileLocation("a:b,c.lock", 7)] * len(entries)
    )
    assert lines(report)[:-1] == [
        "::error file=a%3Ab%2Cc.lock,line=7,title=breaking%3A mail.drop::"
        "the tool is gone: calls of it fail (tool-removed)"
    ]


def test_changes_of_one_tool_and_severity_are_one_annotation_with_the_difference() -> None:
    made = lines(ContractReport("x", Diff((CHANGES[1], CHANGES[1]))))
    assert len(made) == 2
    assert (
        "(description-changed)%0A/description: [-Sends.-] {+Sends, and tells nobody.+}%0Athe tool" in made[0]
    )


def test_a_failed_source_is_an_error_of_its_own() -> None:
    assert lines(sample())[0] == "::error title=files could not be used::the process ended"
    assert lines(sample())[-1].startswith("::error title=toolbooth lock --check::toolbooth.lock does not fit")


def test_a_report_without_entries_is_one_notice() -> None:
    assert lines(ContractReport("toolbooth lock", verdict="it fits")) == [
        "::notice title=toolbooth lock::it fits"
    ]


def test_annotations_beyond_the_limit_are_counted() -> None:
    other = [CHANGES[0], CHANGES[1]] * (MOST_COMMANDS + 3)
    made = lines(ContractReport("x", Diff(tuple(other))))
    assert len(made) == MOST_COMMANDS + 2
    assert made[-2] == f"::notice title=x::… and {len(other) - MOST_COMMANDS} more: --format json has all"
