"""What belongs to a line."""

from toolbooth.gateway.results.reading.entry_around import entry_around

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
