"""As few tokens as will do."""

from tests.unit.suite.reports import HOSTILE, all_passed, cell, compared, hostile, sample

from toolbooth.suite.metrics import Selection
from toolbooth.suite.report import SuiteReport
from toolbooth.suite.reporters import render


def lines(report: SuiteReport) -> list[str]:
    return render(report, "agent").splitlines()


def test_all_well_is_one_short_line() -> None:
    assert lines(all_passed()) == ["24 passed, $4.76"]


def test_a_failure_is_one_line_with_place_reason_and_tools() -> None:
    assert lines(sample())[1] == (
        "FAILED suites/office.toolbooth.yaml:4 find the latest invoice mail [openai:gpt-5-mini · direct]: "
        "tool_selection.f1: wanted >= 80, found 46; missed: read (3×); unexpected: files.search (3×), notes.list"
    )


def test_an_error_says_only_what_broke() -> None:
    assert lines(sample())[3].endswith(": weather: the process ended before it answered (exit 1)")


def test_the_same_failure_on_many_models_is_said_once() -> None:
    wrong = Selection(0, 0, 1, {"send": 1})
    cells = tuple(cell(model=f"m{index}", selection=wrong) for index in range(8))
    assert (
        "[m0 · direct, m1 · direct, m2 · direct, m3 · direct, m4 · direct, m5 · direct and 2 more]"
        in (lines(SuiteReport((), cells))[1])
    )
    assert sum(line.startswith("FAILED") for line in lines(SuiteReport((), cells))) == 1


def test_it_says_what_to_do_and_how_to_run_it_again() -> None:
    said = lines(sample())
    assert sum(line.startswith("do: ") for line in said) == 3
    assert said[-1] == (
        "again: toolbooth test suites/office.toolbooth.yaml "
        "'--filter=find the latest invoice mail' '--filter=plan a trip around the weather'"
    )


def test_a_name_that_cannot_be_typed_is_no_filter() -> None:
    assert "--filter" not in lines(hostile())[-1]
    assert HOSTILE not in render(hostile(), "agent")


def test_a_cell_that_only_got_worse_is_one_line() -> None:
    assert [line for line in lines(compared()) if line.startswith("WORSE")] == [
        "WORSE open a ticket for a broken login [anthropic:claude-sonnet-4-5 · search]: F1 100 → 80; "
        "tokens per correct 201 → 301 (+50%); paid tokens per correct 2,508 → 3,762 (+50%)"
    ]
