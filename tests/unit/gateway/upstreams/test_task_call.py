"""A call that has become a task, on a clock that stands still until a test moves it."""

import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import pytest
from tests.stepped_clock import SteppedClock
from tests.unit.gateway.upstreams.upstream_clients import client, until

from toolbooth import limits
from toolbooth.catalog import ServerSpec
from toolbooth.errors import BackendFault, BackendTimeout
from toolbooth.gateway.upstreams.upstream import Upstream

pytestmark = pytest.mark.anyio
ROOT = Path(__file__).parents[4]
FORMS = pytest.mark.parametrize("theirs", ["old", "new"])
HOUR = 3600.0


@asynccontextmanager
async def upstream_of(protocol: str) -> AsyncIterator[Upstream]:
    words = ("-m", "tests.task_server", protocol)
    spec = ServerSpec(
        "talk", "stdio", sys.executable, words, env={"PYTHONPATH": str(ROOT)}, call_timeout=600.0
    )
    async with anyio.create_task_group() as tasks:
        upstream = Upstream(spec, {}, 0, tasks)
        try:
            yield upstream
        finally:
            upstream.stop()
            with anyio.CancelScope(shield=True):
                await upstream.stopped()
            tasks.cancel_scope.cancel()


class Call:
    """One call of the tool that runs only as a task; `outcome` is there when it is over."""

    def __init__(self, upstream: Upstream, do: str) -> None:
        self._upstream, self._do = upstream, do
        self.client = client("someone")
        self.scope = anyio.CancelScope()
        self.outcome: Any = None

    async def run(self) -> None:
        params = {"name": "research", "arguments": {"do": self._do}, "task": {"ttl": 1000}}
        with self.scope:
            try:
                self.outcome = await self._upstream.request_dict(self.client.caller(), "tools/call", params)
            except BackendFault as fault:
                self.outcome = fault

    async def begin(self, tasks: anyio.abc.TaskGroup) -> None:
        """Start it, and return when the server has it: no deadline of a handshake passes with the clock."""
        tasks.start_soon(self.run)
        while "tools/call research" not in await self.seen():
            pass

    async def seen(self, do: str = "look") -> list[str]:
        params = {"name": "seen", "arguments": {"do": do}}
        result = await self._upstream.request_dict(self.client.caller(), "tools/call", params)
        said: list[str] = result["structuredContent"]["seen"]
        return said


async def stepped(clock: SteppedClock, condition: Callable[[], object], seconds: float = 0.1) -> None:
    """Let a little time pass again and again until something has happened."""

    def step() -> object:
        clock.advance(seconds)
        return condition()

    await until(step)


@FORMS
@pytest.mark.promise("gateway:tasks")
async def test_a_status_notification_ends_the_wait_of_an_hour(
    clock: SteppedClock, theirs: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "TASK_POLL_MOST", HOUR)
    async with upstream_of(theirs) as upstream, anyio.create_task_group() as tasks:
        call, begun = Call(upstream, "slow"), clock.now()
        await call.begin(tasks)
        while call.outcome is None:
            clock.advance(0.1)
            await call.seen("tell")
        assert call.outcome["structuredContent"]["steps"] == 3
        assert clock.now() - begun < HOUR


@FORMS
@pytest.mark.promise("gateway:tasks")
async def test_a_task_that_says_nothing_new_runs_out_of_time_and_is_cancelled(
    clock: SteppedClock, theirs: str
) -> None:
    async with upstream_of(theirs) as upstream, anyio.create_task_group() as tasks:
        call = Call(upstream, "never")
        await call.begin(tasks)
        await stepped(clock, lambda: call.outcome is not None, 1.0)
        assert isinstance(call.outcome, BackendTimeout)
        assert "reported nothing new of the task" in call.outcome.message
        assert "tasks/cancel task-1" in await call.seen()


@FORMS
@pytest.mark.promise("gateway:tasks")
async def test_a_look_that_fails_is_repeated(clock: SteppedClock, theirs: str) -> None:
    async with upstream_of(theirs) as upstream, anyio.create_task_group() as tasks:
        call = Call(upstream, "flaky")
        await call.begin(tasks)
        await stepped(clock, lambda: call.outcome is not None)
        assert call.outcome["structuredContent"]["steps"] == 3
        assert len([each for each in await call.seen() if each.startswith("tasks/get")]) == 4


@pytest.mark.promise("gateway:tasks")
async def test_a_task_that_is_created_after_its_client_has_left_is_cancelled(clock: SteppedClock) -> None:
    async with upstream_of("old") as upstream, anyio.create_task_group() as tasks:
        call = Call(upstream, "late")
        await call.begin(tasks)
        call.scope.cancel()
        await anyio.lowlevel.checkpoint()
        assert "notifications/cancelled" not in await call.seen("release")
        while "tasks/cancel task-1" not in await call.seen():
            pass
        assert clock.now() == 1000.0


@pytest.mark.promise("gateway:tasks")
async def test_a_call_of_a_stateless_server_is_cancelled_like_any_other_before_it_is_a_task() -> None:
    async with upstream_of("new") as upstream, anyio.create_task_group() as tasks:
        call = Call(upstream, "late")
        await call.begin(tasks)
        call.scope.cancel()
        while "notifications/cancelled" not in await call.seen():
            pass


@pytest.mark.promise("gateway:tasks")
async def test_a_call_without_a_task_of_ours_asks_a_server_without_tasks_for_none() -> None:
    async with upstream_of("plain") as upstream:
        mine = client("someone")
        await upstream.request_dict(mine.caller(), "tools/call", {"name": "seen", "arguments": {}})
        outcomes: list[Any] = []
        params = {"name": "research", "arguments": {}, "task": {"ttl": 1000}}
        assert upstream.request_now(mine.caller(), "tools/call", params, outcomes.append) is not None
        await until(lambda: outcomes)
        assert outcomes[0].value["content"][0]["text"] == "ordinary False"
