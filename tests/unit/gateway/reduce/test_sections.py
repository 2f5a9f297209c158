"""The sections of a text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.property.payloads import texts

from toolbooth.gateway.reduce.sections import sections


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
