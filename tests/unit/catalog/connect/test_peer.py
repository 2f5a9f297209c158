"""A peer: requests and their outcomes, requests and notifications of the server, over a transport in memory."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import anyio
import anyio.lowlevel
import pytest

from toolbooth.catalog.connect.messages import (
    BrokenMessage,
    ErrorResponse,
    Message,
    Notice,
    RawResult,
    Response,
    ServerRequest,
)
from toolbooth.catalog.connect.peer import Peer, QuestionRefused, ServerError
from toolbooth.catalog.connect.transport import Deliver
from toolbooth.errors import BackendCrashed, BackendFault, BackendProtocolError, BackendTimeout


class MemoryTransport:
    """A transport whose other end is the test."""

    def __init__(self) -> None:
        self.sent: list[Mapping[str, Any]] = []
        self.deliver: Callable[[Message, int | str | None], None] = lambda _message, _related: None
        self.ended: asyncio.Future[BackendFault] = asyncio.get_running_loop().create_future()

    def send(self, message: Mapping[str, Any], headers: Mapping[str, str] | None = None) -> None:  # noqa: ARG002
        self.sent.append(message)

    async def run(self, deliver: Deliver) -> BackendFault:
        self.deliver = deliver
        return await self.ended

    def explain(self, wording: str, request_id: int | str | None) -> BackendFault | None:  # noqa: ARG002
        return None

    def answer(self, number: int, **result: Any) -> None:
        self.deliver(Response(number, result), None)


async def with_peer(test: Callable[[Peer, MemoryTransport], Awaitable[None]]) -> None:
    transport = MemoryTransport()
    peer = Peer(transport)
    async with anyio.create_task_group() as tasks:
        await tasks.start(peer.run)
        await test(peer, transport)
        tasks.cancel_scope.cancel()


def run(test: Callable[[Peer, MemoryTransport], Awaitable[None]]) -> None:
    anyio.run(with_peer, test)


async def outcome_of(peer: Peer, timeout: float = 30) -> "asyncio.Task[dict[str, Any]]":
    task = asyncio.get_running_loop().create_task(peer.request("tools/call", {"name": "x"}, timeout))
    await anyio.lowlevel.checkpoint()
    return task


def test_answers_find_their_requests_in_any_order() -> None:
    async def test(peer: Peer, transport: MemoryTransport) -> None:
        one, two = await outcome_of(peer), await outcome_of(peer)
        transport.answer(2, of="two")
        transport.answer(1, of="one")
        assert (await one, await two) == ({"of": "one"}, {"of": "two"})
        assert peer.in_flight == 0

    run(test)


def test_bytes_of_a_result_are_read_where_an_object_is_wanted() -> None:
    async def test(peer: Peer, transport: MemoryTransport) -> None:
        one = await outcome_of(peer)
        transport.deliver(Response(1, RawResult(b'{"a":1}')), None)
        assert await one == {"a": 1}

    run(test)


def test_the_first_answer_wins_and_strays_are_counted() -> None:
    async def test(peer: Peer, transport: MemoryTransport) -> None:
        one = await outcome_of(peer)
        transport.answer(1, first=True)
        transport.answer(1, first=False)
        transport.answer(99)
        transport.deliver(ErrorResponse(98, -1, "no", None), None)
        assert await one == {"first": True}
        assert peer.strays == 3

    run(test)


def test_a_late_answer_is_a_timeout_and_the_server_is_told() -> None:
    async def test(peer: Peer, transport: MemoryTransport) -> None:
        with pytest.raises(BackendTimeout, match=r"within 0\.01 s"):
            await peer.request("tools/call", None, 0.01)
        assert transport.sent[-1]["method"] == "notifications/cancelled"
        assert transport.sent[-1]["params"]["requestId"] == 1

    run(test)


def test_one_alarm_serves_requests_with_different_deadlines() -> None:
    async def test(peer: Peer, transport: MemoryTransport) -> None:
        slow = await outcome_of(peer, 60)
        with pytest.raises(BackendTimeout):
            await peer.request("tools/call", None, 0.01)
        with pytest.raises(BackendTimeout):
            await peer.request("tools/call", None, 0.02)
        transport.answer(1, late=False)
        assert await slow == {"late": False}

    run(test)


def test_progress_prolongs_a_call_and_reaches_who_asked() -> None:
    async def test(peer: Peer, transport: MemoryTransport) -> None:
        heard: list[Mapping[str, Any]] = []
        task = asyncio.get_running_loop().create_task(
            peer.request("tools/call", {"_meta": {"mine": 1}}, 30, on_progress=heard.append)
        )
        await anyio.lowlevel.checkpoint()
        assert transport.sent[-1]["params"]["_meta"] == {"mine": 1, "progressToken": 1}
        transport.deliver(Notice("notifications/progress", {"progressToken": 1, "progress": 0.5}), None)
        transport.answer(1)
        await task
        transport.deliver(Notice("notifications/progress", {"progressToken": 1, "progress": 1}), None)
        assert [each["progress"] for each in heard] == [0.5]

    run(test)


def test_the_server_hears_of_a_caller_that_goes_away() -> None:
    async def test(peer: Peer, transport: MemoryTransport) -> None:
        task = await outcome_of(peer)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert transport.sent[-1]["method"] == "notifications/cancelled"
        transport.answer(1)
        assert peer.strays == 1

    run(test)


def test_the_handshake_is_abandoned_without_a_word() -> None:
    async def test(peer: Peer, transport: MemoryTransport) -> None:
        with pytest.raises(BackendTimeout):
            await peer.request("server/discover", None, 0.01)
        assert [each["method"] for each in transport.sent] == ["server/discover"]

    run(test)


def test_an_error_of_the_server_keeps_code_words_and_data() -> None:
    async def test(peer: Peer, transport: MemoryTransport) -> None:
        task = await outcome_of(peer)
        transport.deliver(ErrorResponse(1, -32021, "\x1b[31mno\x1b[0m", {"needs": "sampling"}), None)
        with pytest.raises(ServerError) as caught:
            await task
        assert (caught.value.code, caught.value.data) == (-32021, {"needs": "sampling"})
        assert "\x1b" not in str(caught.value)
        assert "\x1b" in caught.value.said

    run(test)


def test_a_broken_frame_fails_the_request_it_was_meant_for_and_no_other() -> None:
    async def test(peer: Peer, transport: MemoryTransport) -> None:
        one, two = await outcome_of(peer), await outcome_of(peer)
        transport.deliver(BrokenMessage(BackendProtocolError("sent nonsense"), 1), None)
        transport.answer(2, fine=True)
        with pytest.raises(BackendProtocolError, match="nonsense"):
            await one
        assert await two == {"fine": True}

    run(test)


def test_a_broken_frame_of_nobody_fails_all_that_wait() -> None:
    async def test(peer: Peer, transport: MemoryTransport) -> None:
        one, two = await outcome_of(peer), await outcome_of(peer)
        transport.deliver(BrokenMessage(BackendProtocolError("sent nonsense"), None), None)
        for task in (one, two):
            with pytest.raises(BackendProtocolError):
                await task

    run(test)


def test_the_end_of_the_transport_fails_those_who_wait_and_those_who_come() -> None:
    async def test(peer: Peer, transport: MemoryTransport) -> None:
        task = await outcome_of(peer)
        transport.ended.set_result(BackendCrashed("exited with code 3"))
        with pytest.raises(BackendCrashed, match="code 3"):
            await task
        with pytest.raises(BackendCrashed, match="code 3"):
            await peer.request("tools/call", None, 1)
        assert peer.ended.is_set()

    run(test)


def test_a_question_is_answered_or_refused() -> None:
    async def test(peer: Peer, transport: MemoryTransport) -> None:
        async def on_question(question: ServerRequest, _related: int | str | None) -> dict[str, Any]:
            if question.method == "roots/list":
                return {"roots": []}
            raise QuestionRefused(-32601, "not here", {"why": 1})

        peer.on_question = on_question
        transport.deliver(ServerRequest("a", "roots/list", None), None)
        transport.deliver(ServerRequest("b", "sampling/createMessage", {}), None)
        await anyio.wait_all_tasks_blocked()
        assert {"jsonrpc": "2.0", "id": "a", "result": {"roots": []}} in transport.sent
        refused = {"code": -32601, "message": "not here", "data": {"why": 1}}
        assert {"jsonrpc": "2.0", "id": "b", "error": refused} in transport.sent

    run(test)


def test_a_question_that_is_taken_back_is_not_answered() -> None:
    async def test(peer: Peer, transport: MemoryTransport) -> None:
        cancelled = anyio.Event()

        async def on_question(question: ServerRequest, _related: int | str | None) -> dict[str, Any]:
            try:
                await anyio.sleep_forever()
            finally:
                cancelled.set()
            return {}

        peer.on_question = on_question
        transport.deliver(ServerRequest(7, "elicitation/create", {}), None)
        await anyio.wait_all_tasks_blocked()
        transport.deliver(Notice("notifications/cancelled", {"requestId": 7}), None)
        await cancelled.wait()
        await anyio.wait_all_tasks_blocked()
        assert transport.sent == []

    run(test)


def test_who_offers_nothing_still_answers_a_ping() -> None:
    async def test(peer: Peer, transport: MemoryTransport) -> None:
        transport.deliver(ServerRequest(1, "ping", None), None)
        transport.deliver(ServerRequest(2, "roots/list", None), None)
        await anyio.wait_all_tasks_blocked()
        assert transport.sent[0] == {"jsonrpc": "2.0", "id": 1, "result": {}}
        assert transport.sent[1]["error"]["code"] == -32601

    run(test)


def test_notices_that_belong_to_no_request_are_heard() -> None:
    async def test(peer: Peer, transport: MemoryTransport) -> None:
        heard: list[tuple[str, int | str | None]] = []
        peer.on_notice = lambda notice, related: heard.append((notice.method, related))
        transport.deliver(Notice("notifications/message", {"level": "info"}), 5)
        assert heard == [("notifications/message", 5)]

    run(test)
