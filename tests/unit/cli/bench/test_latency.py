"""The table of latencies: the percentiles, the ratio to the direct way, and every width of a terminal."""

import pytest

from toolbooth.bench.report import LatencyMeasure, LatencySection, Spread
from toolbooth.cli.bench.latency import print_latency
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
    assert ["search", "300", "0.50", "ms", "1.2", "ms", "2.5", "ms", "13", "ms", "–"] in lines
    call = next(line for line in lines if line[:1] == ["call"])
    assert call[-3:] == ["0.25", "ms", "2×"]


def test_what_was_timed_is_said_with_its_notes(capsys: pytest.CaptureFixture[str]) -> None:
    print_latency(SECTION)
    said = capsys.readouterr().out
    assert "call: a.b through call_tool; direct: a.b, called directly" in said
    assert "listing every tool of every running server directly, once: 9.5 ms" in said
    assert "the machine was busy" in said
    assert "partial" not in said


def test_what_ended_before_its_time_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    print_latency(LatencySection(SECTION.measures, None, (), "a.b ended"))
    said = capsys.readouterr().out
    assert "partial: a.b ended" in said
    assert "listing every tool" not in said


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
    monkeypatch.setattr("toolbooth.cli.terminal.out", lambda: PlainConsole(width=60, markup=False))
    print_latency(SECTION)
    said = capsys.readouterr().out
    assert "left out at 60 columns: samples, max" in said
    assert "…" not in said
    assert max(map(len, said.splitlines())) <= 60
