"""The lines that are read by number are those of a plain split, whatever the text."""

import re
from itertools import accumulate

from hypothesis import given, settings, strategies as st

from toolbooth.gateway.results.lines import Lines, size
from toolbooth.limits import RESULT_LINE

pieces = st.text("ab é😀\ud800\r\n", max_size=60) | st.builds(
    lambda letter, times: letter * times, st.sampled_from("xé"), st.integers(0, 3 * RESULT_LINE)
)


@settings(deadline=None)
@given(st.lists(pieces, max_size=8).map("".join), st.integers(0, 9000), st.integers(1, 40))
def test_the_sparse_index_agrees_with_a_plain_split(text: str, budget: int, start: int) -> None:
    plain = re.findall(rf"[^\n]{{1,{RESULT_LINE}}}\n?|\n", text)
    indexed = Lines(text)
    assert len(indexed) == len(plain)
    assert [indexed.part(number, 1) for number in range(1, len(plain) + 1)] == plain
    start = min(start, len(plain) + 1)
    assert indexed.fitting_head(budget, start) == _fitting(plain[start - 1 :], budget)


def _fitting(plain: list[str], budget: int) -> int:
    return sum(total <= budget for total in accumulate(map(size, plain)))
