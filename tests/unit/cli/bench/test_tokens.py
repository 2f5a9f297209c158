"""The tables of what modes cost: whole numbers at every width, foreign text harmless, a chart around zero."""

import re
from collections.abc import Callable

import msgspec
import pytest
from tests.unit.bench.tokens.corpora import FORECAST, HIDDEN, ISSUE, asked, corpus_of, tool

from toolbooth.bench.report import TokensSection
from toolbooth.bench.tokens import measure_tokens
from toolbooth.cli.bench.tokens import print_tokens
from toolbooth.cli.terminal import PlainConsole
from toolbooth.figures import percent

SECTION = measure_tokens(asked(ISSUE, FORECAST, HIDDEN))
Printed = Callable[..., str]
REAL = {"type": "object", "properties": {"path": {}}}


@pytest.fixture
def printed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Printed:
    def show(section: TokensSection, width: int = 120) -> str:
        console = PlainConsole(width=width, markup=False, highlight=False, emoji=False)
        monkeypatch.setattr("toolbooth.cli.terminal.out", lambda: console)
        print_tokens(section)
        return capsys.readouterr().out

    return show


@pytest.mark.parametrize("width", [50, 80, 120])
def test_no_line_is_wider_than_the_terminal_and_no_number_is_cut(printed: Printed, width: int) -> None:
    said = printed(SECTION, width)
    assert all(len(line.rstrip()) <= width for line in said.splitlines())
    assert not re.search(r"\d…", said)
    for mode in SECTION.modes:
        assert re.search(rf"{mode.mode} .*\b{mode.tokens:,}\b", said)


def test_a_wide_terminal_shows_every_part_of_a_session(printed: Printed) -> None:
    said = printed(SECTION)
    for title in ("turns", "search", "calls", "paid", "+ history", "right", "first", "paid / right"):
        assert title in said
    assert "66.7%" in said  # two of three


def test_a_narrow_one_says_what_it_left_out(printed: Printed) -> None:
    assert "left out at 80 columns: search" in printed(SECTION, 80)


def test_break_even_is_said_in_words(printed: Printed) -> None:
    said = printed(SECTION)
    assert re.search(r"search +with \d+ tools or more +", said)
    assert re.search(r"\d+ +\S+ +\S+ +−[\d.,]+% +◂?█+│", said)  # dearer at one tool


def test_withheld_savings_are_called_so(printed: Printed) -> None:
    said = printed(measure_tokens(corpus_of(tool("read", REAL), tool("bare"))))
    assert said.count("withheld") == 9  # four modes, with instructions and without, and the note
    assert "session of one call  mean" not in said
    assert "estimated tokens" in said
    assert "%" not in said.split("  savings are withheld")[0]  # not by size of catalog either
    assert "costs less" not in said.split("break-even")[1].split("\n", 1)[1]


def test_foreign_text_does_nothing(printed: Printed) -> None:
    hostile = corpus_of(tool("\x1b[31mred\u202e[bold]", REAL))
    said = printed(measure_tokens(hostile))
    assert "\x1b" not in said
    assert "\u202e" not in said
    assert "[bold]" in said


def test_a_section_of_an_old_report_without_history_is_shown(printed: Printed) -> None:
    bare = tuple(msgspec.structs.replace(each, paid_with_history={}) for each in SECTION.curve)
    assert "costs more│costs less" in printed(msgspec.structs.replace(SECTION, curve=bare))


def test_an_empty_section_is_shown(printed: Printed) -> None:
    empty = msgspec.structs.replace(SECTION, modes=(), sessions=(), break_even=(), curve=(), heaviest=())
    assert "Tokens 13 tools of shelf" in printed(empty)


def test_a_minus_is_a_minus() -> None:
    assert (percent(0.9569), percent(-0.5)) == ("95.7%", "−50%")


@pytest.mark.promise("bench:page-honest")
def test_what_is_not_all_is_never_called_all(printed: Printed) -> None:
    nearly = tuple(
        msgspec.structs.replace(each, savings_vs_baseline=1 - 189 / 598_000) for each in SECTION.modes
    )
    said = printed(msgspec.structs.replace(SECTION, modes=nearly))
    assert "99.96%" in said
    assert (
        "100%" not in said.partition("\nsession")[0]
    )  # of the menus; all sessions of the baseline are right


def test_the_menu_stands_with_and_without_its_instructions(printed: Printed) -> None:
    said = printed(SECTION)
    mode = next(each for each in SECTION.modes if each.mode == "search")
    assert f"{mode.tokens + mode.instructions_tokens:,}" in said
    assert percent(mode.savings_with_instructions) in said
    assert "saved with them" in said
