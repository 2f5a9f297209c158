"""The queue of the ledger holds any number of calls, and only so many bytes."""

import pytest
from tests.unit.gateway.ledger.rows import answered, text

from toolbooth.catalog.connect import RawResult
from toolbooth.gateway.ledger.answered import Payload, Sized
from toolbooth.gateway.ledger.waiting import Waiting, held_size


def test_calls_come_out_in_the_order_in_which_they_ended() -> None:
    waiting = Waiting(clock=iter([1.0, 2.0]).__next__)
    calls = [answered("one"), answered("two")]
    assert [waiting.put(call) for call in calls] == [1, 2]
    assert [(entry.at, entry.answered) for _ in calls if (entry := waiting.take())] == [
        (1.0, calls[0]),
        (2.0, calls[1]),
    ]
    assert waiting.take() is None


def test_beyond_its_room_answers_are_told_by_their_size() -> None:
    waiting = Waiting(most_held=1000)
    large = RawResult(b"x" * 900)
    for _ in range(3):
        waiting.put(answered(large, "short"))
    first, second, third = (waiting.take() for _ in range(3))
    assert first is not None
    assert first.answered.before is large
    for late in (second, third):
        assert late is not None
        assert (late.answered.before, late.answered.after) == (Sized(900), Sized(5))
        assert (late.answered.tool, late.answered.outcome) == ("list_issues", "ok")
    assert waiting.held == 905
    waiting.done(first)
    assert waiting.held == 0
    waiting.put(answered(large))
    last = waiting.take()
    assert last is not None
    assert last.answered.before is large


def test_an_answer_that_passed_unchanged_is_held_once() -> None:
    waiting = Waiting()
    waiting.put(answered(RawResult(b"x" * 900)))
    assert waiting.held == 900


@pytest.mark.parametrize(
    ("payload", "size"),
    [
        (None, 0),
        ("four", 4),
        (RawResult(b"{}"), 2),
        (RawResult(memoryview(b"{ }")), 3),
        (text("one", "three"), 8),
        ({"content": [{"type": "resource", "resource": {"text": "four"}}, {"type": "image"}, None]}, 4),
        ({"content": "?"}, 0),
        ({"content": [{"text": 5}]}, 0),
        (Sized(7), 7),
    ],
)
def test_sizes_are_found_without_reading(payload: Payload, size: int) -> None:
    assert held_size(payload) == size
