"""Times as people write them."""

import time
from argparse import ArgumentTypeError
from datetime import UTC, datetime

import pytest

from toolbooth.cli.stats_since import since


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("90s", 90), ("30m", 1800), ("24h", 86_400), ("7d", 604_800), (" 2W ", 1_209_600), ("0d", 0)],
)
def test_a_time_ago(text: str, seconds: float) -> None:
    before = time.time()
    assert before - seconds <= since(text) <= time.time() - seconds


def test_a_date_or_time_is_one_of_this_machine_unless_it_has_a_zone() -> None:
    assert since("2026-11-01") == datetime(2026, 11, 1).astimezone().timestamp()
    assert since("2026-11-01T09:30") == datetime(2026, 11, 1, 9, 30).astimezone().timestamp()
    assert since("2026-11-01T09:30:00+00:00") == datetime(2026, 11, 1, 9, 30, tzinfo=UTC).timestamp()


@pytest.mark.parametrize("text", ["", "yesterday", "24", "24 hours", "-1h", "2026-13-01", "99999999d"])
def test_what_is_no_time_is_said_with_examples(text: str) -> None:
    with pytest.raises(ArgumentTypeError, match="as in 24h, 7d"):
        since(text)
