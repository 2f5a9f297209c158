"""An upstream before a real server: requests by both paths, what failures count, what is given away."""

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import anyio
import anyio.lowlevel
import pytest
from tests.stepped_clock import SteppedClock
from tests.unit.gateway.upstreams.upstream_clients import call_of, client, hostile, until, upstream_before

from toolbooth.catalog.connect import RawResult, ServerError
from toolbooth.errors import (
    BackendBusy,
    BackendCrashed,
    BackendFault,
    BackendProtocolError,
    BackendResting,
    BackendTimeout,
)
from toolbooth.gateway.session import Caller
from toolbooth.gateway.upstreams.upstream import Upstream
from toolbooth.limits import BACKOFF_FIRST, BREAKER_REST, BREAKER_TIMEOUTS, LIST_TIMEOUT

pytestmark = pytest.mark.anyio
Outcome = dict[str, Any] | RawResult | BackendFault


def text_of(outcome: Outcome) -> str:
    assert not isinstance(outcome, BackendFault), str(outcome)
    result = outcome.value if isinstance(outcome, RawResult) else outcome
    text: str = result["content"][0]["text"]
    return text


async def call(
    upstream: Upstream, caller: Caller, tool: str, *, again: bool = False, **arguments: Any
) -> str:
    return text_of(await upstream.request(caller, "tools/call", call_of(tool, **arguments), again=again))


async def call_now(upstream: Upstream, caller: Caller, tool: str) -> Outcome:
    """By the path without a task."""
    future: asyncio.Future[Outcome] = asyncio.get_running_loop().create_future()
    abandon = upstream.request_now(caller, "tools/call", call_of(tool), future.set_result)
    assert abandon is not None
    return await future


async def test_the_first_request_starts_the_server_and_the_next_finds_it(tmp_path: Path) -> None:
    a = client("a")
    async with upstream_before(hostile(tmp_path)) as upstream:
        assert upstream.state == "idle"
        assert upstream.request_now(a.caller(), "tools/call", call_of("ok"), print) is None
        assert await call(upstream, a.caller(), "ok") == "ok"
        assert text_of(await call_now(upstream, a.caller(), "ok")) == "ok"
        assert (upstream.state, upstream.status()["starts"], upstream.status()["calls"]) == ("up", 1, 0)


async def test_sessions_with_the_same_capabilities_share_a_connection_and_others_do_not(
    tmp_path: Path,
) -> None:
    bad = hostile(tmp_path)
    async with upstream_before(bad) as upstream:
        for each in (client("a"), client("b"), client("c", "roots")):
            assert await call(upstream, each.caller(), "ok") == "ok"
        assert (len(upstream.connections), len(bad.pids)) == (2, 2)


async def test_a_crash_is_counted_once_and_before_those_who_waited_hear_of_it(
    tmp_path: Path, clock: SteppedClock
) -> None:
    a = client("a")
    async with upstream_before(hostile(tmp_path), clock=clock.now) as upstream:
        assert await call(upstream, a.caller(), "ok") == "ok"
        delays = []

        async def wait() -> None:
            with pytest.raises(BackendCrashed):
                await call(upstream, a.caller(), "hang")
            delays.append(upstream.breaker.delay())

        async with anyio.create_task_group() as tasks:
            for _ in range(3):
                tasks.start_soon(wait)
            await until(lambda: upstream.status()["calls"] == 3)
            crashed = await call_now(upstream, a.caller(), "crash")
        assert isinstance(crashed, BackendCrashed)
        first = BACKOFF_FIRST
        assert all(first / 2 <= each <= first for each in delays), "one crash is one step of the backoff"


async def test_a_request_that_may_be_repeated_is_sent_twice_at_most(tmp_path: Path) -> None:
    a, bad = client("a"), hostile(tmp_path)
    async with upstream_before(bad) as upstream:
        with pytest.raises(BackendCrashed):
            await call(upstream, a.caller(), "crash", again=True)
        assert len(bad.seen("call", "crash")) == 2
        with pytest.raises(BackendCrashed):
            await call(upstream, a.caller(), "crash")
        assert len(bad.seen("call", "crash")) == 3


async def test_strays_are_counted(tmp_path: Path) -> None:
    a = client("a")
    async with upstream_before(hostile(tmp_path)) as upstream:
        assert await call(upstream, a.caller(), "wrong_then_double_id") == "first"
        assert await call(upstream, a.caller(), "ok") == "ok"
        assert upstream.connections[0].peer.strays == 3


async def unanswered(upstream: Upstream, caller: Caller, tool: str, clock: SteppedClock) -> None:
    """A call that is never answered: its time passes once it is sent, and nothing else is on its way."""

    async def wait() -> None:
        with pytest.raises(BackendTimeout):
            await call(upstream, caller, tool)

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(wait)
        await until(lambda: upstream.status()["calls"] == 1 and upstream.connections[0].listed)
        clock.advance(upstream.spec.call_timeout)


async def test_nonsense_for_an_answer_forgives_silences_and_a_timeout_does_not(
    tmp_path: Path, clock: SteppedClock
) -> None:
    a = client("a")
    async with upstream_before(hostile(tmp_path), clock=clock.now) as upstream:
        for _ in range(2):
            await unanswered(upstream, a.caller(), "hang", clock)
        with pytest.raises(BackendProtocolError):
            await call(upstream, a.caller(), "not_json")
        for _ in range(2):
            await unanswered(upstream, a.caller(), "hang", clock)
        assert upstream.breaker.closed
        await unanswered(upstream, a.caller(), "hang", clock)
        with pytest.raises(BackendResting):
            await call(upstream, a.caller(), "ok")


async def test_a_server_that_hangs_as_a_whole_is_started_anew(tmp_path: Path, clock: SteppedClock) -> None:
    a, bad = client("a"), hostile(tmp_path)
    async with upstream_before(bad, clock=clock.now) as upstream:
        assert await call(upstream, a.caller(), "ok") == "ok"
        for _ in range(BREAKER_TIMEOUTS):
            await unanswered(upstream, a.caller(), "freeze", clock)
        await until(lambda: not upstream.connections or upstream.connections[0].peer.in_flight == 1)  # a ping
        clock.advance(LIST_TIMEOUT)
        await until(lambda: not upstream.connections)
        clock.advance(BREAKER_REST)
        await upstream.connection_for(a.session, a.session.client_identity)
        assert len(bad.pids) == 2


async def test_a_server_that_only_leaves_calls_unanswered_keeps_its_process(
    tmp_path: Path, clock: SteppedClock
) -> None:
    a, bad = client("a"), hostile(tmp_path)
    async with upstream_before(bad, clock=clock.now) as upstream:
        for _ in range(BREAKER_TIMEOUTS):
            await unanswered(upstream, a.caller(), "hang", clock)
        connection = upstream.connections[0]
        await until(lambda: bad.seen("ping"))
        assert connection.live
        assert upstream.state == "resting"
        assert upstream.status()["fault"] == "did not answer tools/call within 60 s"


async def test_who_waits_for_a_place_is_refused_in_time(tmp_path: Path) -> None:
    a = client("a")
    async with upstream_before(hostile(tmp_path), concurrency=1) as upstream:
        assert await call(upstream, a.caller(), "ok") == "ok"
        taken = upstream.request_now(a.caller(), "tools/call", call_of("hang"), print)
        assert taken is not None
        usual = upstream.spec
        upstream.spec = replace(usual, call_timeout=0.1)  # for those who come now; the place stays taken
        with pytest.raises(BackendBusy, match="had no free slot for this call"):
            await call(upstream, a.caller(), "ok")
        upstream.spec = usual
        taken()
        assert await call(upstream, a.caller(), "ok") == "ok"


async def test_a_call_that_waited_for_a_place_hears_that_the_breaker_opened_meanwhile(tmp_path: Path) -> None:
    a, bad = client("a"), hostile(tmp_path)
    async with upstream_before(bad, concurrency=1) as upstream:
        assert await call(upstream, a.caller(), "ok") == "ok"
        taken = upstream.request_now(a.caller(), "tools/call", call_of("hang"), print)
        assert taken is not None

        async def wait() -> None:
            with pytest.raises(BackendResting):
                await call(upstream, a.caller(), "noise")

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(wait)
            await anyio.lowlevel.checkpoint()
            for _ in range(BREAKER_TIMEOUTS):
                upstream.breaker.timed_out()
            taken()
        assert bad.seen("call", "noise") == []


async def test_an_abandoned_call_notifies_the_server_and_gives_its_slot_back(tmp_path: Path) -> None:
    a, bad = client("a"), hostile(tmp_path)
    async with upstream_before(bad, concurrency=1) as upstream:
        assert await call(upstream, a.caller(), "ok") == "ok"
        for _ in range(2):
            abandon = upstream.request_now(a.caller(), "tools/call", call_of("hang"), print)
            assert abandon is not None
            waiting = asyncio.ensure_future(call_now(upstream, a.caller(), "ok"))
            await anyio.lowlevel.checkpoint()
            assert not waiting.done()
            abandon()
            assert text_of(await waiting) == "ok"
        await until(lambda: len(bad.seen("cancelled", "hang")) == 2)
        assert await call(upstream, a.caller(), "ok") == "ok"


async def test_a_call_without_a_task_waits_for_its_place_and_is_refused_in_time(tmp_path: Path) -> None:
    a = client("a")
    async with upstream_before(hostile(tmp_path), concurrency=1) as upstream:
        assert await call(upstream, a.caller(), "ok") == "ok"
        taken = upstream.request_now(a.caller(), "tools/call", call_of("hang"), print)
        assert taken is not None
        usual = upstream.spec
        upstream.spec = replace(usual, call_timeout=0.1)  # for those who come now; the place stays taken
        late = await call_now(upstream, a.caller(), "ok")
        assert isinstance(late, BackendBusy)
        assert "had no free slot for this call" in str(late)
        upstream.spec = usual
        taken()
        assert text_of(await call_now(upstream, a.caller(), "ok")) == "ok"


async def test_a_call_that_is_abandoned_while_it_waits_never_reaches_the_server(tmp_path: Path) -> None:
    a, bad = client("a"), hostile(tmp_path)
    async with upstream_before(bad, concurrency=1) as upstream:
        assert await call(upstream, a.caller(), "ok") == "ok"
        taken = upstream.request_now(a.caller(), "tools/call", call_of("hang"), print)
        waiting = upstream.request_now(a.caller(), "tools/call", call_of("noise"), print)
        assert taken is not None
        assert waiting is not None
        waiting()
        taken()
        assert text_of(await call_now(upstream, a.caller(), "ok")) == "ok"
        assert bad.seen("call", "noise") == []


async def test_a_call_whose_server_ends_while_it_waits_goes_on_with_the_next_process(tmp_path: Path) -> None:
    a = client("a")
    async with upstream_before(hostile(tmp_path), concurrency=1) as upstream:
        assert await call(upstream, a.caller(), "ok") == "ok"
        crashed: asyncio.Future[Outcome] = asyncio.get_running_loop().create_future()
        upstream.request_now(a.caller(), "tools/call", call_of("crash"), crashed.set_result)
        waiting = asyncio.ensure_future(call_now(upstream, a.caller(), "ok"))
        assert isinstance(await crashed, BackendCrashed)
        assert text_of(await waiting) == "ok"
        assert upstream.status()["starts"] == 2


async def test_an_unexpected_error_before_a_waiting_call_is_sent_is_its_own(tmp_path: Path) -> None:
    """The call goes on in a task of the runtime, which an error would end for everybody."""
    a = client("a")

    async def broken(_connection: object) -> None:
        raise KeyError("canary")

    async with upstream_before(hostile(tmp_path), concurrency=1) as upstream:
        assert await call(upstream, a.caller(), "ok") == "ok"
        await until(lambda: upstream.connections[0].listed)
        crashed, refused = (asyncio.get_running_loop().create_future() for _ in range(2))
        upstream.request_now(a.caller(), "tools/call", call_of("crash"), crashed.set_result)
        assert upstream.request_now(a.caller(), "tools/call", call_of("ok"), refused.set_result, broken)
        waiting = asyncio.ensure_future(call_now(upstream, a.caller(), "ok"))
        assert isinstance(await crashed, BackendCrashed)
        assert "cannot be used (KeyError)" in str(await refused)
        assert text_of(await waiting) == "ok"


async def test_a_call_is_answered_also_where_the_next_in_turn_raises(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    a = client("a")
    async with upstream_before(hostile(tmp_path), concurrency=1) as upstream:
        assert await call(upstream, a.caller(), "ok") == "ok"
        await until(lambda: upstream.connections[0].listed)
        answered = asyncio.ensure_future(call_now(upstream, a.caller(), "ok"))
        await anyio.lowlevel.checkpoint()
        waiting = asyncio.ensure_future(call_now(upstream, a.caller(), "ok"))
        await anyio.lowlevel.checkpoint()

        def broken(*_given: object) -> None:
            monkeypatch.undo()
            raise KeyError("canary")

        monkeypatch.setattr(upstream.pool, "at_hand", broken)
        assert [text_of(await each) for each in (answered, waiting)] == ["ok", "ok"]


async def test_a_call_whose_breaker_opens_while_it_waits_is_refused(tmp_path: Path) -> None:
    a, bad = client("a"), hostile(tmp_path)
    async with upstream_before(bad, concurrency=1) as upstream:
        assert await call(upstream, a.caller(), "ok") == "ok"
        taken = upstream.request_now(a.caller(), "tools/call", call_of("hang"), print)
        assert taken is not None
        waiting = asyncio.ensure_future(call_now(upstream, a.caller(), "noise"))
        await anyio.lowlevel.checkpoint()
        for _ in range(BREAKER_TIMEOUTS):
            upstream.breaker.timed_out()
        taken()
        assert isinstance(await waiting, BackendResting)
        assert bad.seen("call", "noise") == []


async def test_a_cancelled_request_notifies_the_server(tmp_path: Path) -> None:
    a, bad = client("a"), hostile(tmp_path)
    async with upstream_before(bad) as upstream:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(call, upstream, a.caller(), "hang")
            await until(lambda: bad.seen("call", "hang"))
            tasks.cancel_scope.cancel()
        await until(lambda: bad.seen("cancelled", "hang"))
        assert upstream.status()["calls"] == 0


async def test_progress_reaches_the_client_under_its_own_token(tmp_path: Path) -> None:
    a = client("a")
    async with upstream_before(hostile(tmp_path)) as upstream:
        assert await call(upstream, a.caller(progress_token="mine"), "progress") == "ok"
        assert a.channel.sent == [("notifications/progress", {"progress": 1, "progressToken": "mine"})]


async def test_words_between_the_server_and_us_reach_no_client(tmp_path: Path) -> None:
    a = client("a")
    async with upstream_before(hostile(tmp_path)) as upstream:
        assert await call(upstream, a.caller(progress_token=1), "late_progress") == "ok"
        await until(lambda: a.channel.sent)
        assert a.channel.sent == [("notifications/message", {"level": "info", "data": "end"})]


async def test_nobody_waits_for_a_server_that_says_nothing_to_a_level(tmp_path: Path) -> None:
    a, bad = client("a"), hostile(tmp_path, "mute-level")
    a.session.log_level = "info"
    async with upstream_before(bad) as upstream:
        assert await call(upstream, a.caller(), "ok") == "ok"
        a.session.log_level = "error"
        await upstream.set_log_level(a.session, "error")
        await until(lambda: bad.seen("level") == ["level info", "level error"])
        await until(lambda: bad.seen("listing"))
        assert upstream.connections[0].peer.in_flight >= 2, "neither has been answered"


async def test_an_error_of_the_server_keeps_code_and_data_but_no_secret(tmp_path: Path) -> None:
    a = client("a")
    async with upstream_before(hostile(tmp_path), env={"CANARY": "canary-5ad9c1"}) as upstream:
        with pytest.raises(ServerError) as refused:
            await call(upstream, a.caller(), "refuse")
        assert refused.value.code == -32000
        assert refused.value.data == {"token": "•••", "kept": 1}
        assert refused.value.said.endswith("with •••")
        assert "canary" not in f"{refused.value} {upstream.status()}"


async def test_last_words_leave_out_secrets_of_the_environment_that_the_client_was_started_in(
    tmp_path: Path,
) -> None:
    a = client("a")
    async with upstream_before(hostile(tmp_path), environ={"PARENT_TOKEN": "canary-5ad9c1"}) as upstream:
        with pytest.raises(BackendCrashed) as crashed:
            await call(upstream, a.caller(), "crash")
        assert "canary" not in str(crashed.value)


async def test_the_end_of_a_session_ends_the_connection_that_is_its_own(tmp_path: Path) -> None:
    a, b, bad = client("a"), client("b"), hostile(tmp_path)
    async with upstream_before(bad) as upstream:
        assert await call(upstream, a.caller(), "ok") == "ok"
        upstream.connections[0].owner = a.session
        assert await call(upstream, b.caller(), "ok") == "ok"
        assert len(upstream.connections) == 2
        upstream.release(a.session)
        await until(lambda: len(upstream.connections) == 1)
        assert await call(upstream, b.caller(), "ok") == "ok"
        assert len(bad.pids) == 2
