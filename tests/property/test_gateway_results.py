"""Whatever a tool answers and whatever the cap: following the placeholders gives every character back."""

import re
from itertools import accumulate
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolbooth.gateway.jobs import read_result
from toolbooth.gateway.results import ResultStore, fit
from toolbooth.gateway.results.lines import Lines
from toolbooth.limits import RESULT_LINE

PLACEHOLDER = re.compile(
    r'\[\d+ lines? not shown( \(cut inside a line\))?: read_result\(ref="([\w-]+)", start=(\d+), lines=(\d+)\)\]'
)
lines = st.text("ab é\n", max_size=60) | st.builds(
    lambda letter, times: letter * times, st.sampled_from("xé"), st.integers(0, 3 * RESULT_LINE)
)
texts = st.lists(st.lists(lines, max_size=12).map("".join), min_size=1, max_size=6)


def reads(store: ResultStore, call: re.Match[str], cap: int) -> str:
    """All lines of one placeholder, as an agent gets them: answer by answer."""
    _, ref, start, count = call.groups()
    at, end = int(start), int(start) + int(count)
    read = ""
    while at < end:
        answer = read_result.read(store, "me", {"ref": ref, "start": at, "lines": end - at}, cap)
        further = list(PLACEHOLDER.finditer(answer))
        if not further:
            return read + answer
        body = answer[: further[-1].start()]
        read += body[:-1] if further[-1][1] else body
        at = int(further[-1][3])
    return read


@pytest.mark.promise("result:nothing-lost")
@settings(deadline=None)
@given(texts, st.integers(0, 4000), st.integers(0, 3 * RESULT_LINE))
def test_following_the_placeholders_gives_everything_back(
    given_texts: list[str], cap: int, reading: int
) -> None:
    store = ResultStore()
    result: dict[str, Any] = {"content": [{"type": "text", "text": text} for text in given_texts]}
    shown = "\n".join(item["text"] for item in fit(result, cap, store, "me")["content"])
    call = PLACEHOLDER.search(shown)
    if call is None:
        assert shown == "\n".join(given_texts)
        assert sum(len(text.encode()) for text in given_texts) <= cap
        return
    head, tail = shown[: call.start()], shown[call.end() :]
    whole = (head[:-1] if call[1] else head) + reads(store, call, reading) + tail.removeprefix("\n")
    assert whole == "\n".join(given_texts)


@settings(deadline=None)
@given(texts, st.integers(140, 4000))
def test_what_is_shown_keeps_to_the_cap(given_texts: list[str], cap: int) -> None:
    result: dict[str, Any] = {"content": [{"type": "text", "text": text} for text in given_texts]}
    shown = fit(result, cap, ResultStore(), "me")["content"]
    assert sum(len(item["text"].encode()) for item in shown) <= cap


@settings(deadline=None)
@given(st.lists(lines, max_size=8).map("".join), st.integers(0, 9000), st.integers(1, 40))
def test_the_sparse_index_agrees_with_a_plain_split(text: str, budget: int, start: int) -> None:
    plain = re.findall(rf"[^\n]{{1,{RESULT_LINE}}}\n?|\n", text)
    indexed = Lines(text)
    assert len(indexed) == len(plain)
    assert [indexed.part(number, 1) for number in range(1, len(plain) + 1)] == plain
    start = min(start, len(plain) + 1)
    head = indexed.fitting_head(budget, start)
    assert head == _fitting(plain[start - 1 :], budget)
    tail = indexed.fitting_tail(budget, 0)
    assert tail == _fitting(plain[::-1], budget)


def _fitting(plain: list[str], budget: int) -> int:
    sizes = accumulate(len(line.encode()) for line in plain)
    return sum(size <= budget for size in sizes)
