"""Nothing foreign reaches a terminal, a log, a page or a pull request uncleaned."""

import io
import unicodedata

import pytest
from hypothesis import given, strategies as st
from rich.console import Console
from rich.text import Text

from toolbooth.safetext import (
    code_for_terminal,
    fault_for_terminal,
    for_build_log,
    for_log,
    for_markdown,
    for_terminal,
    workflow_command,
)

HIDDEN = {"Cc", "Cs", "Co", "Cn", "Zl", "Zp"}
BIDI = set("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff\u200b\u2060")


@given(st.text(alphabet=st.characters()))
def test_no_text_smuggles_a_control_bidi_or_invisible_character(text: str) -> None:
    for cleaned in (for_terminal(text), for_log(text), for_markdown(text)):
        assert not any(unicodedata.category(character) in HIDDEN for character in cleaned)
        assert not BIDI & set(cleaned)
        assert "\n" not in cleaned


@given(st.text())
def test_log_lines_are_ascii(text: str) -> None:
    assert for_log(text).isascii()


def test_escape_sequences_vanish_whole() -> None:
    assert for_terminal("a\x1b[31mred\x1b[0m b") == "ared b"
    assert for_terminal("x\x1b]0;title\x07y") == "xy"
    assert for_terminal("x\x1b]8;;https://evil.example\x1b\\link\x1b]8;;\x1b\\") == "xlink"
    assert for_terminal("\x9b31mz") == "z"


def test_a_lone_control_character_is_shown_not_hidden() -> None:
    assert for_terminal("a\x08b") == "a\\x08b"
    assert for_terminal("a\u202eb") == "a\\u{202e}b"
    assert for_terminal("pass\u200bword") == "pass\\u{200b}word"


def test_ordinary_writing_of_any_language_stays() -> None:
    for text in ("Füße", "漢字かな", "عربي", "👩‍👩‍👧", "می‌خواهم", "naïve — “quoted”"):
        assert for_terminal(text) == text


def test_markup_is_only_text_to_rich() -> None:
    out = io.StringIO()
    Console(file=out, width=80).print(Text(for_terminal("[/x][bold red]boo[/]")))
    assert out.getvalue().strip() == "[/x][bold red]boo[/]"


def test_markdown_cannot_be_injected() -> None:
    cleaned = for_markdown("[x](javascript:1) <img> `code` | @team #1 ![i](u)")
    for mark in ("[", "]", "(", "<", "`", "|", "@", "#", "!"):
        assert cleaned.count(mark) == cleaned.count("\\" + mark)


def test_long_text_is_cut_with_a_mark() -> None:
    assert len(for_terminal("x" * 10_000, limit=50)) == 50
    assert for_terminal("x" * 51, limit=50).endswith("…")


@given(st.text(alphabet=st.characters()))
def test_code_keeps_its_lines_and_nothing_else_that_is_not_seen(text: str) -> None:
    shown = code_for_terminal(text)
    assert not any(unicodedata.category(each) in HIDDEN for each in shown if each not in "\n\t")
    assert not BIDI & set(shown)


def test_code_keeps_its_indentation() -> None:
    code = "def f():\r\n\tif x:\n        return '\x1b[2Jé\u202e'\n"
    assert code_for_terminal(code) == "def f():\n\tif x:\n        return 'é\\u{202e}'\n"


def test_no_address_in_markdown_becomes_a_link_by_itself() -> None:
    assert for_markdown("see https://evil.example or WWW.evil.example") == (
        r"see https\://evil.example or WWW\.evil.example"
    )


@given(st.text(), st.text())
def test_a_workflow_command_is_one_line_and_no_part_ends_another(message: str, title: str) -> None:
    line = workflow_command("error", for_build_log(message), title=for_build_log(title), file="")
    head, _, data = line.removeprefix("::error").partition("::")
    assert not set("\r\n") & set(line)
    assert head.count("=") == 1 + for_build_log(title).count("=") if for_build_log(title) else head == ""
    assert data.replace("%25", "%") == for_build_log(message)


@pytest.mark.parametrize(
    ("limit", "shown"),
    [
        (100, "t: exited with code 1; it said: first line | second line | Error: why"),
        (60, "t: exited with code 1; it said: second line | Error: why"),
        (50, "t: exited with code 1; it said: Error: why"),
        (40, "t: exited with code 1; it said: Error: …"),
    ],
)
def test_of_a_fault_the_last_words_are_kept(limit: int, shown: str) -> None:
    fault = "t: exited with code 1; it said: first line | second line | Error: why"
    assert fault_for_terminal(fault, limit) == shown
    assert fault_for_terminal("x" * 99, 10) == "x" * 9 + "…"
