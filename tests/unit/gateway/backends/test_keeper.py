"""Lines are started once for all, closed when idle, and gone when they are stopped."""

from pathlib import Path

import anyio
import pytest
from tests.faults.gateway_driver import alive
from tests.unit.gateway.backends.stand import Reader, backend_before, call_of, client, hostile, until

from toolbooth.errors import BackendCrashed, BackendNotFound, BackendResting
from toolbooth.limits import MAX_RESTARTS

pytestmark = pytest.mark.anyio


async def test_callers_at_once_start_one_process(tmp_path: Path) -> None:
    a, bad, go = client("a"), hostile(tmp_path, f"wait-for={tmp_path / 'go'}"), tmp_path / "go"
    lines = []
    async with backend_before(bad) as backend:

        async def want() -> None:
            lines.append(await backend.line_for(a.session, a.session.face))

        async with anyio.create_task_group() as tasks:
            for _ in range(5):
                tasks.start_soon(want)
            await until(lambda: bad.pids)
            assert backend.state == "starting"
            go.touch()
        assert len(set(map(id, lines))) == 1
        assert len(bad.pids) == 1


async def test_a_process_that_ends_slowly_does_not_let_two_successors_start(tmp_path: Path) -> None:
    a, go = client("a"), tmp_path / "go"
    bad = hostile(tmp_path, "stubborn", f"wait-for={go}")
    go.touch()
    async with backend_before(bad) as backend:
        backend.keeper.close(await backend.line_for(a.session, a.session.face))
        go.unlink()
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(backend.line_for, a.session, a.session.face)
            await until(lambda: not backend.lines)  # the old process is gone, the new one is still starting
            tasks.start_soon(backend.line_for, a.session, a.session.face)
            await until(lambda: len(bad.pids) == 2)
            go.touch()
        assert len(bad.pids) == 2


async def test_a_stop_ends_also_what_is_still_starting(tmp_path: Path) -> None:
    a, bad = client("a"), hostile(tmp_path, "wait-for=/nowhere")
    async with backend_before(bad) as backend:

        async def want() -> None:
            with pytest.raises(BackendCrashed, match="was stopped"):
                await backend.line_for(a.session, a.session.face)

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(want)
            await until(lambda: bad.pids)
            backend.stop()
        await until(lambda: not alive(bad.pids[0]))
        assert backend.breaker.delay() == 0, "a stop is no crash"


async def test_an_idle_line_is_closed_and_that_is_no_crash(tmp_path: Path) -> None:
    a, bad = client("a"), hostile(tmp_path)
    async with backend_before(bad, idle_stop=0.05) as backend:
        await backend.line_for(a.session, a.session.face)
        await until(lambda: not backend.lines)
        assert (backend.state, backend.fault, backend.breaker.delay()) == ("idle", None, 0)
        assert not alive(bad.pids[0])


async def test_a_server_that_cannot_be_started_is_tried_a_few_times_and_then_left_alone(
    tmp_path: Path,
) -> None:
    a = client("a")
    async with backend_before(hostile(tmp_path), cwd=tmp_path / "gone") as backend:
        for _ in range(MAX_RESTARTS):
            with pytest.raises(BackendNotFound, match="working directory"):
                await backend.line_for(a.session, a.session.face)
        with pytest.raises(BackendResting):
            await backend.line_for(a.session, a.session.face)
        assert "working directory" in backend.status()["fault"]


async def test_a_server_without_a_list_finishes_its_calls_before_it_is_given_up(tmp_path: Path) -> None:
    a, bad, go = client("a"), hostile(tmp_path, "refuse-list"), tmp_path / "go"
    async with backend_before(bad) as backend:
        reader = Reader()
        backend.news.append(reader)
        results = []

        async def call() -> None:
            results.append(await backend.request(a.caller(), "tools/call", call_of("slow", release=str(go))))

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(call)
            await until(lambda: backend.fault is not None and bad.seen("call", "slow"))
            go.touch()
        assert len(results) == 1
        await until(lambda: not backend.lines)
        assert "no list today" in backend.status()["fault"]
        assert (reader.lists, reader.failures) == ([], ["bad"])
