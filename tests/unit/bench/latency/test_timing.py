"""Ways take turns: in blocks, in another order each time, and one that fails ends alone."""

import pytest

from toolbooth.bench.latency import spread, timing as module
from toolbooth.bench.latency.timing import TimedAction, take_turns
from toolbooth.errors import BackendCrashed

pytestmark = pytest.mark.anyio


@pytest.fixture(autouse=True)
def no_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_PAUSE", 0.0)


class CallLog:
    """Ways that write down when they are done, and give their number of times so far for a time."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def action(self, name: str, ends_after: int = 1_000) -> TimedAction:
        async def done() -> float:
            times = self.lines.count(name)
            if times >= ends_after:
                raise BackendCrashed("gone", name)
            self.lines.append(name)
            return float(times)

        return done


async def test_the_warm_up_is_not_counted() -> None:
    call_log = CallLog()
    taken = await take_turns({"a": call_log.action("a")}, 3, 2, lambda _: None)
    assert taken.times == {"a": [2.0, 3.0, 4.0]}


async def test_blocks_alternate_and_another_way_begins_each_time() -> None:
    call_log, progress = CallLog(), list[int]()
    await take_turns({"a": call_log.action("a"), "b": call_log.action("b")}, 50, 0, progress.append)
    blocks = [name for at, name in enumerate(call_log.lines) if not at or call_log.lines[at - 1] != name]
    assert blocks == [
        "a",
        "b",
        "a",
        "b",
    ]  # a b, b a, a b: where a way ends one round and begins the next, one run
    assert call_log.lines.count("a") == call_log.lines.count("b") == 50
    assert progress == [0, 20, 40]


async def test_a_way_that_fails_keeps_its_times_and_the_others_go_on() -> None:
    call_log = CallLog()
    actions = {"good": call_log.action("good"), "bad": call_log.action("bad", ends_after=25)}
    taken = await take_turns(actions, 60, 0, lambda _: None)
    assert len(taken.times["good"]) == 60
    assert len(taken.times["bad"]) == 25
    assert taken.failed == {"bad": "bad: gone"}


async def test_a_slow_way_is_not_done_a_whole_block_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_BLOCK_SECONDS", 0.0)
    call_log = CallLog()
    taken = await take_turns({"slow": call_log.action("slow")}, 60, 0, lambda _: None)
    assert len(taken.times["slow"]) == 3


def test_one_time_is_all_percentiles() -> None:
    found = spread([2.5])
    assert (found.p50_ms, found.p95_ms, found.p99_ms, found.max_ms) == (2.5, 2.5, 2.5, 2.5)


def test_no_time_at_all_is_reported() -> None:
    with pytest.raises(ValueError, match="no time"):
        spread([])
