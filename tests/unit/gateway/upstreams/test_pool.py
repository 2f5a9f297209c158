"""Lines are started once for all, closed when idle, and gone when they are stopped."""

from pathlib import Path

import anyio
import pytest
from tests.faults.gateway_driver import alive
from tests.unit.gateway.upstreams.upstream_clients import (
    Client,
    Reader,
    call_of,
    client,
    hostile,
    until,
    upstream_before,
)

from toolbooth.access import Principal
from toolbooth.errors import BackendCrashed, BackendNotFound, BackendResting
from toolbooth.gateway.upstreams.connection import UpstreamConnection
from toolbooth.limits import MAX_RESTARTS

pytestmark = pytest.mark.anyio


async def test_callers_at_once_start_one_process(tmp_path: Path) -> None:
    a, bad, go = client("a"), hostile(tmp_path, f"wait-for={tmp_path / 'go'}"), tmp_path / "go"
    connections = []
    async with upstream_before(bad) as upstream:

        async def want() -> None:
            connections.append(await upstream.connection_for(a.session, a.session.client_identity))

        async with anyio.create_task_group() as tasks:
            for _ in range(5):
                tasks.start_soon(want)
            await until(lambda: bad.pids)
            assert upstream.state == "starting"
            go.touch()
        assert len(set(map(id, connections))) == 1
        assert len(bad.pids) == 1


@pytest.mark.promise("serve-http:principals")
async def test_principals_share_no_process_even_if_they_ask_at_once(tmp_path: Path) -> None:
    bad, go = hostile(tmp_path, f"wait-for={tmp_path / 'go'}"), tmp_path / "go"
    one, two = Principal("key-1"), Principal("key-2")
    clients = [client("a", principal=one), client("b", principal=two), client("c", principal=one)]
    connections: dict[str, UpstreamConnection] = {}
    async with upstream_before(bad) as upstream:

        async def want(each: Client) -> None:
            identity = each.session.client_identity
            connections[each.session.id] = await upstream.connection_for(each.session, identity)

        async with anyio.create_task_group() as tasks:
            for each in clients:
                tasks.start_soon(want, each)
            await until(lambda: len(bad.pids) == 2)
            go.touch()
        assert connections["a"] is connections["c"] is not connections["b"]
        assert [each.principal for each in (connections["a"], connections["b"])] == [one, two]
        again = [upstream.pool.at_hand(each.session, each.session.client_identity) for each in clients]
        assert again == [connections[each.session.id] for each in clients]
        assert len(bad.pids) == 2


async def test_the_connection_of_an_idle_principal_is_closed_while_another_is_at_work(tmp_path: Path) -> None:
    bad, go = hostile(tmp_path), tmp_path / "go"
    idle, busy = (client(name, principal=Principal(name)) for name in ("key-1", "key-2"))
    async with upstream_before(bad, idle_stop=0.05) as upstream, anyio.create_task_group() as tasks:
        await upstream.connection_for(idle.session, idle.session.client_identity)
        call = call_of("slow", release=str(go))
        tasks.start_soon(upstream.request, busy.caller(), "tools/call", call)
        await until(lambda: bad.seen("call", "slow"))
        await until(lambda: [each.principal.id for each in upstream.connections] == ["key-2"])
        go.touch()


async def test_a_process_that_ends_slowly_does_not_let_two_successors_start(tmp_path: Path) -> None:
    a, go = client("a"), tmp_path / "go"
    bad = hostile(tmp_path, "stubborn", f"wait-for={go}")
    go.touch()
    async with upstream_before(bad) as upstream:
        upstream.pool.close(await upstream.connection_for(a.session, a.session.client_identity))
        go.unlink()
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(upstream.connection_for, a.session, a.session.client_identity)
            await until(
                lambda: not upstream.connections
            )  # the old process is gone, the new one is still starting
            tasks.start_soon(upstream.connection_for, a.session, a.session.client_identity)
            await until(lambda: len(bad.pids) == 2)
            go.touch()
        assert len(bad.pids) == 2


async def test_a_stop_ends_also_what_is_still_starting(tmp_path: Path) -> None:
    a, bad = client("a"), hostile(tmp_path, "wait-for=/nowhere")
    async with upstream_before(bad) as upstream:

        async def want() -> None:
            with pytest.raises(BackendCrashed, match="was stopped"):
                await upstream.connection_for(a.session, a.session.client_identity)

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(want)
            await until(lambda: bad.pids)
            upstream.stop()
        await until(lambda: not alive(bad.pids[0]))
        assert upstream.breaker.delay() == 0, "a stop is no crash"


async def test_an_idle_connection_is_closed_and_that_is_no_crash(tmp_path: Path) -> None:
    a, bad = client("a"), hostile(tmp_path)
    async with upstream_before(bad, idle_stop=0.05) as upstream:
        await upstream.connection_for(a.session, a.session.client_identity)
        await until(lambda: not upstream.connections)
        assert (upstream.state, upstream.fault, upstream.breaker.delay()) == ("idle", None, 0)
        assert not alive(bad.pids[0])


async def test_a_server_that_cannot_be_started_is_tried_a_few_times_and_then_left_alone(
    tmp_path: Path,
) -> None:
    a = client("a")
    async with upstream_before(hostile(tmp_path), cwd=tmp_path / "gone") as upstream:
        for _ in range(MAX_RESTARTS):
            with pytest.raises(BackendNotFound, match="working directory"):
                await upstream.connection_for(a.session, a.session.client_identity)
        with pytest.raises(BackendResting):
            await upstream.connection_for(a.session, a.session.client_identity)
        assert "working directory" in upstream.status()["fault"]


async def test_a_server_without_a_list_finishes_its_calls_before_it_is_given_up(tmp_path: Path) -> None:
    a, bad, go = client("a"), hostile(tmp_path, "refuse-list"), tmp_path / "go"
    async with upstream_before(bad) as upstream:
        reader = Reader()
        upstream.listeners.append(reader)
        results = []

        async def call() -> None:
            results.append(await upstream.request(a.caller(), "tools/call", call_of("slow", release=str(go))))

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(call)
            await until(lambda: upstream.fault is not None and bad.seen("call", "slow"))
            go.touch()
        assert len(results) == 1
        await until(lambda: not upstream.connections)
        assert "no list today" in upstream.status()["fault"]
        assert (reader.lists, reader.failures) == ([], ["bad"])
