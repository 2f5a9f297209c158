"""Numbers are never cut: columns that do not fit go as a whole, in a fixed order."""

import io

import pytest
from rich.console import Console

from toolbooth.cli.terminal import Column, bar, fit, left_out_words, print_columns

NUMBERS = ("1,234,567", "98.7%", "7,654,321", "−123,456")
COLUMNS = [
    Column("  tool", "name", ["  a_rather_long_server.with_a_long_tool_name", "  short"]),
    Column("tokens", "number", [NUMBERS[0], "1"]),
    Column("o200k_base", "number", [NUMBERS[2], "1"], goes=1),
    Column("share", "number", [NUMBERS[1], "0.0%"], goes=2),
    Column("slim", "number", [NUMBERS[3], ""], goes=3),
    Column("answers", "words", ["unknown, limit input `limit` ≤ 100", "unknown, unbounded"], goes=4),
    Column("", "bar", [1.0, 0.0], goes=5),
]


def drawn(room: int) -> str:
    console = Console(file=io.StringIO(), width=room, markup=False, highlight=False)
    print_columns(console, COLUMNS, room)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


@pytest.mark.parametrize("room", range(12, 140))
def test_a_column_is_shown_whole_or_not_at_all(room: int) -> None:
    kept = {column.title for column in fit(COLUMNS, room)}
    text = drawn(room)
    for title, cell in zip(("tokens", "share", "o200k_base", "slim"), NUMBERS, strict=True):
        assert (cell in text) == (title in text) == (title in kept)
    assert "tokens" in kept
    assert all(len(line) <= room for line in text.splitlines())


def test_columns_go_in_their_order() -> None:
    shown = [len(fit(COLUMNS, room)) for room in range(8, 140)]
    assert shown == sorted(shown)
    for room in range(8, 140):
        kept = fit(COLUMNS, room)
        gone = [column.goes for column in COLUMNS if column not in kept]
        assert all(column.goes < min(gone, default=99) for column in kept)


def test_what_was_left_out_is_said_once() -> None:
    assert "slim, share (" in left_out_words([COLUMNS[4], COLUMNS[3], COLUMNS[4]], 50)
    assert left_out_words([], 50) == ""


def test_a_bar_of_nothing_is_nothing() -> None:
    assert bar(0.0, 24) == ""
    assert bar(0.00001, 24) == "▏"
    assert bar(1.0, 24) == "█" * 24
