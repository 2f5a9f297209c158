"""The table of latencies: whatever stands in a report, and however narrow the terminal."""

import pytest
from tests.unit.bench.growth.samples import point

from toolbooth.bench.growth.slopes import bends, exponents
from toolbooth.bench.report import GrowthSection, LatencyMeasure, LatencySection, SizePoint, Spread
from toolbooth.cli.bench import timing_tables
from toolbooth.cli.bench.figures import times_as_long, took
from toolbooth.cli.bench.timing_tables import print_growth, print_latency
from toolbooth.cli.terminal import PlainConsole

FAST, SLOW = Spread(300, 0.5, 1.25, 2.5, 12.75), Spread(300, 0.25, 0.75, 1.5, 3.0)
SECTION = LatencySection(
    (
        LatencyMeasure("search", "search_tools over stdio", FAST),
        LatencyMeasure("call", "a.b through call_tool", FAST, "a.b, called directly", SLOW, 2.0),
    ),
    9.5,
    ("the machine was busy",),
)


def test_a_row_has_percentiles_and_the_ratio_to_the_direct_way(capsys: pytest.CaptureFixture[str]) -> None:
    print_latency(SECTION)
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["search", "300", "0.50", "ms", "1.25", "ms", "2.50", "ms", "12.8", "ms"] in lines
    call = next(line for line in lines if line[:1] == ["call"])
    assert call[-4:] == ["0.25", "ms", "×", "2.00"]


def test_what_was_timed_is_said_with_its_notes(capsys: pytest.CaptureFixture[str]) -> None:
    print_latency(SECTION)
    said = capsys.readouterr().out
    assert "call: a.b through call_tool; direct: a.b, called directly" in said
    assert "loading every tool of every running server directly, once: 9.50 ms" in said
    assert "the machine was busy" in said
    assert "partial" not in said


def test_what_ended_before_its_time_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    print_latency(LatencySection(SECTION.measures, None, (), "a.b ended"))
    said = capsys.readouterr().out
    assert "partial: a.b ended" in said
    assert "loading every tool" not in said


def test_foreign_text_is_cleaned(capsys: pytest.CaptureFixture[str]) -> None:
    evil = "\x1b[31mred\u202e[bold]"
    measure = LatencyMeasure(evil, evil, FAST, evil, SLOW, 2.0)
    print_latency(LatencySection((measure,), None, (evil,), evil))
    said = capsys.readouterr().out
    assert "\x1b" not in said
    assert "\u202e" not in said
    assert "[bold]" in said


def test_columns_go_before_numbers_are_cut(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(timing_tables, "out", lambda: PlainConsole(width=60, markup=False))
    print_latency(SECTION)
    said = capsys.readouterr().out
    assert "left out at 60 columns: samples, max" in said
    assert "…" not in said
    assert max(map(len, said.splitlines())) <= 60


@pytest.mark.parametrize(
    ("ms", "said"),
    [
        (0.0521, "0.052 ms"),
        (0.1, "0.10 ms"),
        (9.994, "9.99 ms"),
        (12.34, "12.3 ms"),
        (803.2, "803 ms"),
        (12_345, "12.3 s"),
    ],
)
def test_times_have_three_digits(ms: float, said: str) -> None:
    assert took(ms) == said


def test_small_ratios_keep_their_digits() -> None:
    assert (times_as_long(0.0686), times_as_long(1.5), times_as_long(None)) == ("× 0.069", "× 1.50", "")


def section(*points: SizePoint, partial: str = "") -> GrowthSection:
    return GrowthSection("corpus", points, exponents(points), bends(points), ("a note",), partial)


SMALL, MIDDLE = point(50, menu_tokens=189), point(500, menu_tokens=189)
LARGE = SizePoint(5_000, 4_000, 5_000, 189, *[5_000.0] * 6)


def printed(of: GrowthSection, capsys: pytest.CaptureFixture[str]) -> str:
    print_growth(of)
    return capsys.readouterr().out


def test_made_up_sizes_are_marked(capsys: pytest.CaptureFixture[str]) -> None:
    said = printed(section(SMALL, MIDDLE, LARGE), capsys)
    assert said.splitlines()[2].split() == ["tools", "50", "500", "5,000*", "growth", "exponent"]
    assert "* made up: 4,000 of 5,000 tools" in said


def test_a_step_for_each_size_shows_how_far_a_figure_has_grown(capsys: pytest.CaptureFixture[str]) -> None:
    rows = {
        line.strip()[:16].strip(): line
        for line in printed(section(SMALL, MIDDLE, LARGE), capsys).splitlines()
    }
    assert rows["every definition"].split()[-2:] == ["▁▅█", "1.00"]
    assert rows["search surface"].split()[-2:] == ["▁▁▁", "0.00"]


def test_where_nothing_bends_that_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert "nothing grows faster than the catalog" in printed(section(SMALL, MIDDLE, LARGE), capsys)


def test_what_bends_is_said_instead(capsys: pytest.CaptureFixture[str]) -> None:
    said = printed(section(point(50, start_ms=1.0), point(500, start_ms=100.0)), capsys)
    assert "a warm start grows faster than the catalog: exponent 2.00 from 50 to 500 tools" in said
    assert "nothing grows" not in said


def test_a_single_size_is_shown_without_slopes(capsys: pytest.CaptureFixture[str]) -> None:
    said = printed(section(SMALL), capsys)
    assert "189" in said
    assert "nothing grows" not in said


def test_a_size_that_could_not_be_measured_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert "partial: 9 tools failed" in printed(section(SMALL, partial="9 tools failed"), capsys)


def test_middle_sizes_go_where_the_terminal_is_narrow(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(timing_tables, "out", lambda: PlainConsole(width=52, markup=False))
    said = printed(section(SMALL, MIDDLE, LARGE), capsys)
    assert "left out at 52 columns: 500" in said
    assert max(map(len, said.splitlines())) <= 52
