"""Ways take turns: in blocks, in another order each time, and one that fails ends alone."""

import pytest

from toolbooth.bench.latency import turns as module
from toolbooth.bench.latency.turns import Way, take_turns
from toolbooth.errors import BackendCrashed

pytestmark = pytest.mark.anyio


@pytest.fixture(autouse=True)
def no_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_PAUSE", 0.0)


class Diary:
    """Ways that write down when they are done, and give their number of times so far for a time."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def way(self, name: str, ends_after: int = 1_000) -> Way:
        async def done() -> float:
            times = self.lines.count(name)
            if times >= ends_after:
                raise BackendCrashed("gone", name)
            self.lines.append(name)
            return float(times)

        return done


async def test_the_warm_up_is_not_counted() -> None:
    diary = Diary()
    taken = await take_turns({"a": diary.way("a")}, 3, 2, lambda _: None)
    assert taken.times == {"a": [2.0, 3.0, 4.0]}


async def test_blocks_alternate_and_another_way_begins_each_time() -> None:
    diary, told = Diary(), list[int]()
    await take_turns({"a": diary.way("a"), "b": diary.way("b")}, 50, 0, told.append)
    blocks = [name for at, name in enumerate(diary.lines) if not at or diary.lines[at - 1] != name]
    assert blocks == [
        "a",
        "b",
        "a",
        "b",
    ]  # a b, b a, a b: where a way ends one round and begins the next, one run
    assert diary.lines.count("a") == diary.lines.count("b") == 50
    assert told == [0, 20, 40]


async def test_a_way_that_fails_keeps_its_times_and_the_others_go_on() -> None:
    diary = Diary()
    ways = {"good": diary.way("good"), "bad": diary.way("bad", ends_after=25)}
    taken = await take_turns(ways, 60, 0, lambda _: None)
    assert len(taken.times["good"]) == 60
    assert len(taken.times["bad"]) == 25
    assert taken.failed == {"bad": "bad: gone"}


async def test_a_slow_way_is_not_done_a_whole_block_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_BLOCK_SECONDS", 0.0)
    diary = Diary()
    taken = await take_turns({"slow": diary.way("slow")}, 60, 0, lambda _: None)
    assert len(taken.times["slow"]) == 3
