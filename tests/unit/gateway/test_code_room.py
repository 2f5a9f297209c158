"""Runs of code take turns: nobody holds all workers, and a full house is a queue and no refusal."""

import anyio
import anyio.lowlevel
import pytest

from toolbooth.errors import SandboxFault
from toolbooth.gateway import code_room
from toolbooth.gateway.code_room import CodeRoom
from toolbooth.limits import CODE_EACH, CODE_WORKERS

pytestmark = pytest.mark.anyio


class Runs:
    """Runs that last until they are told to end."""

    def __init__(self, tasks: anyio.abc.TaskGroup) -> None:
        self.room, self._tasks = CodeRoom(), tasks
        self.order: list[str] = []
        self.ends: list[anyio.Event] = []

    async def begin(self, client: str, runs: int) -> None:
        for _ in range(runs):
            self._tasks.start_soon(self._run, client)
        await self.settle()

    async def _run(self, client: str) -> None:
        async with self.room.turn(client, 0):
            self.order.append(client)
            self.ends.append(end := anyio.Event())
            await end.wait()

    async def end(self, at: int) -> None:
        self.ends[at].set()
        await self.settle()

    async def settle(self) -> None:
        for _ in range(10):
            await anyio.lowlevel.checkpoint()


@pytest.mark.promise("gateway:fair")
async def test_long_runs_of_one_client_leave_workers_for_the_others() -> None:
    async with anyio.create_task_group() as tasks:
        runs = Runs(tasks)
        await runs.begin("hog", 20)
        assert runs.order == ["hog"] * CODE_EACH
        await runs.begin("other", 1)
        assert runs.order[-1] == "other"
        assert runs.room.runs == 21
        tasks.cancel_scope.cancel()
    assert runs.room.runs == 0


@pytest.mark.promise("gateway:fair")
async def test_who_comes_to_a_full_house_waits_for_the_next_worker() -> None:
    async with anyio.create_task_group() as tasks:
        runs = Runs(tasks)
        for hog in range(CODE_WORKERS // CODE_EACH):
            await runs.begin(f"hog {hog}", 10)
        assert len(runs.order) == CODE_WORKERS
        await runs.begin("other", 1)
        assert "other" not in runs.order
        await runs.end(0)
        assert runs.order[-1] == "other"
        tasks.cancel_scope.cancel()


async def test_a_queue_that_is_too_long_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(code_room, "MAX_CODE_WAITING", 2)
    async with anyio.create_task_group() as tasks:
        runs = Runs(tasks)
        await runs.begin("hog", CODE_EACH + 2)
        with pytest.raises(SandboxFault, match="2 runs of code wait already"):
            async with runs.room.turn("hog", 0):
                pass
        tasks.cancel_scope.cancel()


async def test_who_waits_too_long_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(code_room, "CODE_WAIT", 0.01)
    async with anyio.create_task_group() as tasks:
        runs = Runs(tasks)
        await runs.begin("hog", CODE_EACH)
        with pytest.raises(SandboxFault, match="no worker was free"):
            async with runs.room.turn("hog", 0):
                pass
        tasks.cancel_scope.cancel()
