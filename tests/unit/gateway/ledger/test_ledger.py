"""The ledger: one row for each call, in a file of its user alone, without anything of what was said."""

import stat
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.unit.gateway.ledger.rows import answered, text

from toolbooth.catalog.connect import RawResult
from toolbooth.gateway.ledger import Ledger
from toolbooth.gateway.ledger.ledger import CallPayload, CallQueue, SizeOnly, held_size
from toolbooth.store import session_digest


@pytest.fixture(params=["file", "memory"])
def ledger(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Ledger]:
    made = Ledger(tmp_path / "data" if request.param == "file" else None)
    yield made
    made.close()
    assert not made.notes


def test_every_call_is_one_row(ledger: Ledger) -> None:
    ledger.record(answered(text("a long answer"), text("short"), steps=("collapse", "truncate")))
    ledger.record(answered("hits", server="toolbooth", tool="search_tools", kind="discovery"))
    last, first = ledger.recent(10)
    assert (first.server, first.tool, first.ms, first.outcome) == ("github", "list_issues", 12.0, "ok")
    assert (first.bytes_before, first.bytes_after, first.steps) == (13, 5, ("collapse", "truncate"))
    assert first.session == session_digest("a session")
    assert (last.tool, last.kind) == ("search_tools", "discovery")
    assert ledger.recent(1) == [last]


def test_calls_of_many_threads_are_all_there(ledger: Ledger) -> None:
    def work(name: str) -> None:
        for _ in range(300):
            ledger.record(answered(text("x"), session=name))

    threads = [threading.Thread(target=work, args=(f"session {number}",)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    stats = ledger.stats()
    assert stats.totals.calls == 1200
    assert [each.calls for each in stats.sessions] == [300] * 4
    assert ledger.stats(session="session 2").totals.calls == 300
    assert len(ledger.recent(1000, session="session 3")) == 300


def test_statistics_are_asked_for_before_any_call(ledger: Ledger) -> None:
    assert ledger.recent(5) == []
    document = ledger.stats().as_json()
    assert document["totals"]["calls"] == 0
    assert document["tools"] == []


def test_after_closing_all_is_written_and_more_may_come(tmp_path: Path) -> None:
    before = set(threading.enumerate())
    ledger = Ledger(tmp_path)
    for _ in range(2):
        ledger.record(answered("x"))
        ledger.close()
    ledger.close()
    again = Ledger(tmp_path)
    assert again.stats().totals.calls == 2
    again.close()
    assert set(threading.enumerate()) <= before


def test_many_large_answers_are_estimated_and_none_is_lost() -> None:
    ledger = Ledger(None, most_held=10_000)
    large = RawResult(b'{"content":[{"type":"text","text":"' + b"word " * 1900 + b'"}]}')
    for _ in range(50):
        ledger.record(answered(large, "kept away"))
    stats = ledger.stats()
    assert stats.totals.calls == 50
    assert 0 < stats.totals.estimated_rows < 50
    ledger.close()


@pytest.mark.promise("ledger:private")
def test_the_file_holds_nothing_of_what_was_said_and_is_its_users_alone(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    ledger = Ledger(folder)
    secret = "canary-7f3a"  # in each answer and in the session's name
    for payload in (text(secret), RawResult(f'{{"content":[{{"text":"{secret}"}}]}}'.encode()), secret):
        ledger.record(answered(payload, f"{secret} too", session=secret))
    ledger.flush()
    files = sorted(folder.iterdir())
    assert [file.name for file in files] == [
        "ledger.sqlite3",
        "ledger.sqlite3-shm",
        "ledger.sqlite3-wal",
    ]
    for file in files:
        assert secret.encode() not in file.read_bytes()
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    ledger.close()
    assert secret.encode() not in (folder / "ledger.sqlite3").read_bytes()


def test_calls_come_out_in_the_order_in_which_they_ended() -> None:
    waiting = CallQueue(clock=iter([1.0, 2.0]).__next__)
    calls = [answered("one"), answered("two")]
    assert [waiting.put(call) for call in calls] == [1, 2]
    assert [(entry.at, entry.answered) for _ in calls if (entry := waiting.take())] == [
        (1.0, calls[0]),
        (2.0, calls[1]),
    ]
    assert waiting.take() is None


def test_beyond_its_limit_only_the_size_of_answers_is_kept() -> None:
    waiting = CallQueue(most_held=1000)
    large = RawResult(b"x" * 900)
    for _ in range(3):
        waiting.put(answered(large, "short"))
    first, second, third = (waiting.take() for _ in range(3))
    assert first is not None
    assert first.answered.before is large
    for late in (second, third):
        assert late is not None
        assert (late.answered.before, late.answered.after) == (SizeOnly(900), SizeOnly(5))
        assert (late.answered.tool, late.answered.outcome) == ("list_issues", "ok")
    assert waiting.held == 905
    waiting.done(first)
    assert waiting.held == 0
    waiting.put(answered(large))
    last = waiting.take()
    assert last is not None
    assert last.answered.before is large


def test_an_answer_that_passed_unchanged_is_held_once() -> None:
    waiting = CallQueue()
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
        (SizeOnly(7), 7),
    ],
)
def test_sizes_are_found_without_reading(payload: CallPayload, size: int) -> None:
    assert held_size(payload) == size
