"""What belongs to a line."""

from toolbooth.gateway.results.excerpts import LONG, best, entry_around, excerpt

LOG = [
    "2026-01-05 07:15:41 INFO started\n",
    "2026-01-05 07:15:42 INFO waiting\n",
    "2026-01-05 07:15:43 ERROR job 7 failed\n",
    "Traceback (most recent call last):\n",
    *['  File "a.py", line 5\n'] * 20,
    "ValueError: weight\n",
    "2026-01-05 07:16:00 INFO going on\n",
    "2026-01-05 07:16:01 INFO going on\n",
    "2026-01-05 07:16:02 INFO going on\n",
]


def test_the_trace_belongs_to_its_message_and_the_message_to_its_trace() -> None:
    for line in (2, 3, 15, 24):
        around = entry_around(LOG, line, 4000)
        assert around.start <= 2
        assert around.stop >= 25
        assert around.stop <= 27


def test_what_does_not_fit_stays_away() -> None:
    assert entry_around(LOG, 2, 100).stop == 5
    assert entry_around(LOG, 24, 100) == range(22, 28)


def test_a_section_goes_from_heading_to_heading() -> None:
    page = ["# A\n", "one\n", "\n", "two\n", "\n", "three\n", "\n", "## B\n", "four\n", "five\n"]
    assert entry_around(page, 3, 4000) == range(7)
    assert entry_around(page, 9, 4000) == range(7, 10)


def test_where_nothing_says_what_belongs_together_more_is_shown_of_what_follows() -> None:
    assert entry_around(["x\n"] * 50, 20, 4000) == range(18, 29)
    assert entry_around(["x\n"], 0, 4000) == range(1)


def test_what_is_nearly_as_good_or_has_all_words_matches() -> None:
    chosen = best([0.0, 10.0, 8.5, 6.0, 6.0, 3.0, 2.0], [0, 2, 1, 2, 1, 1, 1])
    assert chosen.matching == [1, 2, 3]
    assert chosen.in_part == [4, 5]
    assert str(chosen) == "[3 places match, 2 in part]"


def test_nothing_relevant_is_nothing() -> None:
    assert best([0.0, 0.0], [0, 0]).wanted == []
    assert best([], []).wanted == []


def test_of_what_matches_in_part_a_few_are_wanted() -> None:
    chosen = best([10.0] + [5.0] * 50, [2] + [1] * 50)
    assert len(chosen.wanted) == 11
    assert str(chosen) == "[1 place matches, 50 in part]"


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
