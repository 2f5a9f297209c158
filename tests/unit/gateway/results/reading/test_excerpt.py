"""The part of a long line that answers."""

from toolbooth.gateway.results.reading.excerpt import LONG, excerpt


def test_a_short_line_is_itself() -> None:
    assert excerpt("x" * LONG, "y") == "x" * LONG


def test_a_long_line_is_cut_around_the_match_and_keeps_its_end() -> None:
    line = "filler " * 500 + "the needle " + "filler " * 500 + "\n"
    cut = excerpt(line, "needle")
    assert cut.startswith("…")
    assert cut.endswith("…\n")
    assert "the needle" in cut
    assert len(cut) < LONG


def test_where_nothing_matches_the_beginning_is_shown() -> None:
    assert excerpt("a" + "x" * LONG, "needle").startswith("ax")
