"""The table of growth: a column for each size, slopes, and every width of a terminal."""

import pytest
from tests.unit.bench.growth.samples import point

from toolbooth.bench.growth.measure import bends, exponents
from toolbooth.bench.report import GrowthSection, SizePoint
from toolbooth.cli.bench.growth import print_growth
from toolbooth.cli.terminal import PlainConsole


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
    assert "* generated: 4,000 of 5,000 tools" in said


def test_a_step_for_each_size_shows_how_far_a_figure_has_grown(capsys: pytest.CaptureFixture[str]) -> None:
    rows = {
        line.strip()[:16].strip(): line
        for line in printed(section(SMALL, MIDDLE, LARGE), capsys).splitlines()[:12]
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
    monkeypatch.setattr("toolbooth.cli.terminal.out", lambda: PlainConsole(width=52, markup=False))
    said = printed(section(SMALL, MIDDLE, LARGE), capsys)
    assert "left out at 52 columns: 500" in said
    assert max(map(len, said.splitlines())) <= 52
