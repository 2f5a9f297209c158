"""The one shape of a run: its calls, tokens and dollars."""

import pytest

from toolbooth.suite.trace import Exchange, MadeCall, Trace, Turn, Usage, summed

SEARCH, GET = MadeCall("web_search", "brave", {"q": "mcp"}), MadeCall("get")
TURNS = (
    Turn("", (Exchange("call_tool", {}, made=(SEARCH, GET)),), Usage(100, 10), 0.25),
    Turn("", (Exchange("search_tools", {}), Exchange("get", {}, made=(GET,))), Usage(200, 20)),
    Turn("done", (), Usage(300, 30), 0.5),
)


def test_calls_are_the_real_ones_in_order() -> None:
    trace = Trace(turns=TURNS)
    assert trace.calls == (SEARCH, GET, GET)
    assert [call.id for call in trace.calls] == ["brave.web_search", "get", "get"]
    assert trace.observed[:2] == [{"server": "brave", "name": "web_search"}, {"server": "", "name": "get"}]


@pytest.mark.parametrize("ended", ["error", "refused"])
def test_a_run_that_did_not_end_by_itself_is_observed_as_empty(ended: str) -> None:
    trace = Trace(turns=TURNS, ended=ended)  # type: ignore[arg-type]
    assert trace.failed
    assert trace.observed == []
    assert trace.calls


def test_a_run_that_reached_its_last_turn_still_counts() -> None:
    trace = Trace(turns=TURNS, ended="max_turns")
    assert not trace.failed
    assert len(trace.observed) == 3


def test_tokens_and_dollars_add_up() -> None:
    trace = Trace(turns=TURNS)
    assert (trace.input_tokens, trace.total_tokens, trace.cost) == (600, 660, 0.75)
    assert trace.final_response == "done"


def test_an_empty_run_is_free_and_silent() -> None:
    trace = Trace()
    assert (trace.cost, trace.final_response, trace.observed, trace.total_tokens) == (None, "", [], 0)


def test_a_sum_of_unknown_costs_is_unknown() -> None:
    assert summed([]) is summed([None, None]) is None
    assert summed([None, 0.1, 0.2]) == pytest.approx(0.3)
    assert summed([0.0]) == 0.0
