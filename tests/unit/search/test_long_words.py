"""The work for a query is bounded by its words' cut, however long a run of letters it holds."""

import sys
from collections import Counter
from types import FrameType

import pytest

from toolbooth.limits import MAX_QUERY, MAX_WORD
from toolbooth.search.languages import _SPACED, in_english


@pytest.mark.parametrize("piece", ["日", "a", "ä", "ж", "日历", "xq"])
def test_a_run_of_letters_is_looked_up_as_often_as_one_word(piece: str) -> None:
    in_english(piece * 3)  # dictionaries are read once
    looked_up: Counter[str] = Counter()

    def look(frame: FrameType, event: str, _value: object) -> None:
        if event == "call":
            looked_up[frame.f_code.co_name] += 1

    sys.setprofile(look)
    try:
        in_english(piece * (MAX_QUERY // len(piece)))
    finally:
        sys.setprofile(None)
    assert looked_up["_plain"] <= 4 * len(_SPACED) * MAX_WORD
