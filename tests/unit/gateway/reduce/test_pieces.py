"""Slices of a text, and words in the gaps."""

import re

import pytest
from hypothesis import given, strategies as st
from tests.property.payloads import texts

from toolbooth.gateway.reduce.pieces import Piece, Pieces, sections

TEXT = "".join(f"line {n}\n" for n in range(1, 2001))
REF = "r" * 22


def test_sixty_percent_of_the_head_and_forty_of_the_tail_at_line_boundaries() -> None:
    pieces = Pieces.whole(TEXT).truncated(4_000)
    head, tail = pieces.shown
    assert TEXT[head.end - 1] == "\n"
    assert TEXT[tail.start - 1] == "\n"
    assert 1.4 < (head.end - head.start) / (tail.end - tail.start) < 1.6
    assert len(pieces.words(REF)) <= 4_000


def test_the_gap_says_which_lines_it_holds() -> None:
    shown = Pieces.whole(TEXT).only([Piece(0, 7), Piece(14, len(TEXT))]).words(REF)
    words = f"[1 line, 7 bytes, not shown: read_result(ref='{REF}', start=2, lines=1)]"
    assert shown.startswith(f"line 1\n{words}\nline 3\n")


def test_what_fits_is_complete() -> None:
    pieces = Pieces.whole(TEXT)
    assert pieces.truncated(10**6) is pieces
    assert pieces.complete
    assert pieces.words(REF) == TEXT


@pytest.mark.parametrize("letter", ["x", "é", "🦜", "\ud800"])
def test_one_endless_line_is_cut_inside(letter: str) -> None:
    pieces = Pieces.whole(letter * 50_000).truncated(2_000)
    shown = pieces.words(REF)
    assert len(shown.encode("utf-8", "surrogatepass")) <= 2_000
    assert re.fullmatch(rf"{letter}+ \[.*\] {letter}+", shown)


def test_without_a_budget_only_the_way_to_all_of_it_is_left() -> None:
    shown = Pieces.whole(TEXT).truncated(0).words(REF)
    assert (
        shown
        == f"[2000 lines, {len(TEXT) / 1024:.1f} KB, not shown: read_result(ref='{REF}', start=1, lines=2000)]"
    )


def test_neighbours_become_one() -> None:
    assert Pieces.whole(TEXT).only([Piece(0, 5), Piece(5, 9), Piece(9, 9), Piece(20, 30)]).shown == (
        Piece(0, 9),
        Piece(20, 30),
    )


@given(texts | st.text())
def test_joined_they_are_the_text(text: str) -> None:
    assert "".join(text[start:end] for start, end in sections(text)) == text


@pytest.mark.parametrize("mark", ["# Heading ", "2026-11-16 03:00:00 ERROR ", "<h2>"])
def test_they_begin_where_something_begins(mark: str) -> None:
    text = "".join(f"{mark}{n}\n" + "words of it\n" * 60 for n in range(9))
    found = sections(text)
    assert len(found) == 9
    assert all(text[start:].startswith(mark) for start, _ in found)


def test_lines_of_a_trace_stay_with_their_entry() -> None:
    entry = "2026-11-16 03:00:00 ERROR failed\n" + "  at some.place(File:7)\n" * 40
    whole = entry * 5
    assert [whole[start:end] for start, end in sections(whole)] == [entry] * 5


def test_a_giant_line_is_cut() -> None:
    assert all(end - start <= 2_000 for start, end in sections("x" * 50_000))
