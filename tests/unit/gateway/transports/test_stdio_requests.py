"""Which requests of a client are at work, and when its stdin is not read."""

import asyncio
from typing import Any

import anyio.lowlevel
import pytest

from toolbooth.gateway.transports.stdio_pipe import Pipe
from toolbooth.gateway.transports.stdio_requests import RequestQueue
from toolbooth.gateway.transports.stdio_writer import StdioWriter

pytestmark = pytest.mark.anyio


class ClientRequests:
    """Notes what is started; a request called `at once` is over before its start is."""

    def __init__(self) -> None:
        self.pipe = Pipe(lambda _frame: None)
        self.started: list[Any] = []
        self.writer = StdioWriter(self.pipe, None)
        self.queue = RequestQueue(self.pipe, self.writer, self._start)

    def _start(self, message: dict[str, Any]) -> None:
        self.started.append(message["id"])
        if str(message["id"]).startswith("at once"):
            self.queue.leave(message["id"])

    def ask(self, number: int | str, size: int = 10, method: str = "tools/call") -> None:
        self.queue.take(number, {"id": number, "method": method}, size)

    @property
    def reads(self) -> bool:
        return not self.pipe._held


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("toolbooth.limits.MAX_OPEN_REQUESTS", 2)
    monkeypatch.setattr("toolbooth.limits.MAX_WAITING_REQUESTS", 3)
    monkeypatch.setattr("toolbooth.limits.MAX_OPEN_BYTES", 1000)
    monkeypatch.setattr("toolbooth.limits.MOST_OPEN_BYTES", 2000)


async def test_what_finds_no_place_waits_its_turn_and_then_reading_stops() -> None:
    requests = ClientRequests()
    for number in range(5):
        assert requests.reads
        requests.ask(number)
    assert (requests.started, requests.reads) == ([0, 1], False)
    requests.queue.leave(1)
    assert (requests.started, requests.reads) == ([0, 1, 2], True)
    requests.queue.leave(3)  # cancelled while it waited
    requests.queue.leave(0)
    assert requests.started == [0, 1, 2, 4]
    assert [number in requests.queue for number in range(5)] == [False, False, True, False, True]


async def test_open_requests_are_bounded_by_their_bytes_too() -> None:
    requests = ClientRequests()
    requests.ask(0, 999)
    assert requests.reads
    requests.ask(1, 1)
    assert not requests.reads
    requests.queue.leave(1)
    assert requests.reads


async def test_nothing_is_started_for_a_client_that_does_not_read() -> None:
    requests = ClientRequests()
    requests.pipe.pause_writing()
    requests.ask(0)
    assert requests.started == []
    requests.pipe.resume_writing()
    assert requests.started == [0]


async def test_requests_that_end_at_once_do_not_start_each_other_deeper_and_deeper() -> None:
    requests = ClientRequests()
    requests.pipe.pause_writing()
    for number in range(5000):
        requests.ask(f"at once {number}", 0)
    requests.pipe.resume_writing()
    assert (len(requests.started), requests.queue.busy) == (5000, False)


async def test_who_only_listens_takes_no_place_and_keeps_nobody_from_leaving() -> None:
    requests = ClientRequests()
    for number in range(4):
        requests.ask(number, method="subscriptions/listen")
    assert (requests.started, requests.queue.busy, 3 in requests.queue) == ([0, 1, 2, 3], False, True)


async def test_nothing_is_started_after_the_end() -> None:
    requests = ClientRequests()
    for number in range(3):
        requests.ask(number)
    requests.queue.close()
    requests.queue.leave(0)
    assert requests.started == [0, 1]


async def test_while_the_client_owes_an_answer_it_is_read_whatever_is_open() -> None:
    requests = ClientRequests()
    requests.ask(0, 1000)
    assert not requests.reads
    asking = asyncio.ensure_future(requests.writer.ask("roots/list", None))
    await anyio.lowlevel.checkpoint()
    assert requests.reads
    requests.ask(1, 100)
    assert requests.reads
    assert requests.writer.hear({"id": "toolbooth-1", "result": {}})
    await asking
    assert not requests.reads
    requests.queue.leave(0)
    assert requests.reads


async def test_beyond_the_second_bound_a_request_is_one_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("toolbooth.limits.MOST_OPEN_REQUESTS", 4)
    requests = ClientRequests()
    requests.ask(0, 900)
    requests.ask(1, 900, "subscriptions/listen")
    assert (requests.queue.full(200), requests.queue.full(201)) == (False, True)
    requests.ask(2, 0)
    requests.ask(3, 0)
    assert requests.queue.full(0)
    requests.queue.leave(1)
    assert (requests.queue.full(0), requests.queue.full(1100)) == (False, False)
