"""One set of backends for all configs; what an edit of a config changes, and what it leaves alone."""

import json
import os
import threading
from pathlib import Path
from typing import IO

import anyio
import anyio.to_thread
import pytest
from tests.behaviour.gateway_process import alive, write_config
from tests.unit.gateway.runtime_fixture import Client, opened, until

from toolbooth import limits
from toolbooth.errors import UserMistake
from toolbooth.gateway.calls.context import CallContext, CallStep
from toolbooth.gateway.calls.tool_result import ToolResult
from toolbooth.gateway.offload import close_workers, in_worker, offload
from toolbooth.gateway.runtime import GatewayRequest, Runtime, open_runtime
from toolbooth.gateway.session import Refusal

pytestmark = pytest.mark.anyio


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("toolbooth.limits.RELOAD_EVERY", 0.05)


# -- configs that cannot be --------------------------------------------------------------------------------
@pytest.mark.promise("daemon:bad-config")
@pytest.mark.parametrize("text", [None, "{broken", "[]x"])
async def test_a_config_that_cannot_be_read_is_refused_also_beside_an_empty_gateway(
    tmp_path: Path, text: str | None
) -> None:
    async with opened(tmp_path) as idle_gateway:
        bad = tmp_path / "bad.json"
        if text is not None:
            bad.write_text(text)
        await idle_gateway.enter()
        for _ in range(2):
            with pytest.raises(UserMistake, match=r"bad\.json"):
                await idle_gateway.enter(bad)


@pytest.mark.promise("filters:shared")
async def test_one_server_with_two_filters_is_one_process_and_two_lists(tmp_path: Path) -> None:
    async with opened(tmp_path) as fixture:
        fixture.one.offer("get", "rm")
        one = await fixture.enter(
            fixture.config("a", s={**fixture.one.entry, "disabledTools": ["rm"]}), surface="direct"
        )
        two = await fixture.enter(fixture.config("b", s=fixture.one.entry), surface="direct")
        await until(
            lambda: two.view.registry.knows("s") and one.view.registry.knows("s"), "both know its tools"
        )
        assert (await one.menu(), await two.menu()) == (
            ["read_result", "s__get"],
            ["read_result", "s__get", "s__rm"],
        )
        assert one.view.gateway.upstreams["s"] is two.view.gateway.upstreams["s"]
        assert (await two.call_builtin("rm", text="x")).startswith("rm says x")
        with pytest.raises(Refusal, match="no tool"):
            await one.call_builtin("rm", text="x")


@pytest.mark.promise("filters:shared")
async def test_an_edited_filter_takes_effect_and_restarts_nothing(tmp_path: Path) -> None:
    async with opened(tmp_path) as fixture:
        fixture.one.offer("get", "rm")
        client = await fixture.enter(fixture.config("a", s=fixture.one.entry), surface="direct")
        await until(lambda: client.view.registry.knows("s"), "its tools are known")
        upstream = client.view.gateway.upstreams["s"]
        fixture.config("a", s={**fixture.one.entry, "enabledTools": ["rm"]})
        await until(lambda: list(client.view.surface.tools) == ["s__rm"], "the filter is applied")
        assert client.view.gateway.upstreams["s"] is upstream
        fixture.config("a", s=fixture.one.entry)
        await until(lambda: list(client.view.surface.tools) == ["s__get", "s__rm"], "the filter is gone")


@pytest.mark.promise("filters:claude-rules")
async def test_claude_codes_rules_are_followed_and_a_broken_file_changes_nothing(tmp_path: Path) -> None:
    async with opened(tmp_path) as fixture:
        fixture.one.offer("get", "rm")
        config = write_config(fixture.home / ".claude.json", {"s": fixture.one.entry})
        rules = fixture.home / ".claude" / "settings.json"
        client = await fixture.enter(config, surface="direct")
        await until(lambda: list(client.view.surface.tools) == ["s__get", "s__rm"], "its tools are known")
        rules.parent.mkdir()
        rules.write_text(json.dumps({"permissions": {"deny": ["mcp__s__rm"]}}))
        await until(lambda: list(client.view.surface.tools) == ["s__get"], "the rule is applied")
        rules.write_text('{"permissions": ')
        await until(lambda: fixture.runtime.status()["gateways"][0]["source_errors"], "the file is broken")
        assert list(client.view.surface.tools) == ["s__get"]


async def test_a_file_that_is_still_missing_is_read_when_it_comes(tmp_path: Path) -> None:
    async with opened(tmp_path) as idle_gateway:
        a, late = idle_gateway.config("a", s=idle_gateway.one.entry), tmp_path / "late.json"
        await idle_gateway.enter(a)
        both = await idle_gateway.enter(a, late)
        write_config(late, {"t": idle_gateway.two.entry})
        await until(lambda: "t" in both.view.gateway.upstreams, "the other file is read, too")


# -- one set of backends -----------------------------------------------------------------------------------
@pytest.mark.promise("runtime:shared")
async def test_the_same_server_in_two_configs_is_one_process(tmp_path: Path) -> None:
    async with opened(tmp_path) as idle_gateway:
        one = await idle_gateway.enter(idle_gateway.config("a", s=idle_gateway.one.entry))
        two = await idle_gateway.enter(
            idle_gateway.config("b", s=idle_gateway.one.entry, t=idle_gateway.two.entry), surface="direct"
        )
        assert await one.call("s.echo", text="x") == "echo says x"
        assert (await two.request("tools/call", {"name": "s__echo", "arguments": {}}))["content"]
        assert len(idle_gateway.one.pids) == 1
    assert not any(map(alive, idle_gateway.one.pids))


@pytest.mark.promise("runtime:shared")
async def test_a_server_with_another_environment_is_another(tmp_path: Path) -> None:
    async with opened(tmp_path) as idle_gateway:
        for value in ("a", "b"):
            config = idle_gateway.config(value, s={**idle_gateway.one.entry, "env": {"WHO": value}})
            client = await idle_gateway.enter(config)
            assert await client.call("s.variable", text="WHO") == value
        assert len(idle_gateway.one.pids) == 2


async def test_clients_of_one_config_share_a_gateway_within_a_folder(tmp_path: Path) -> None:
    async with opened(tmp_path) as idle_gateway:
        config = idle_gateway.config(s=idle_gateway.one.entry)
        one, two = await idle_gateway.enter(config), await idle_gateway.enter(config)
        other = await idle_gateway.enter(config, cwd=Path("/"))
        assert one.view.gateway is two.view.gateway is not other.view.gateway
        assert [each["sessions"] for each in idle_gateway.runtime.status()["gateways"]] == [2, 1]


class Closed(CallStep):
    """Lets no call pass."""

    def before(self, call: CallContext) -> ToolResult | None:
        return ToolResult.said(f"{call.tool.id} is closed today", error=True)


@pytest.mark.promise("gateway:one-pipeline")
async def test_every_gateway_of_a_runtime_takes_its_steps(tmp_path: Path) -> None:
    async with opened(tmp_path, steps=[Closed()]) as fixture:
        for folder in (tmp_path, Path("/")):
            client = await fixture.enter(fixture.config(s=fixture.one.entry), cwd=folder)
            await client.view.gateway.learn("s", client.session)
            assert await client.call("s.echo", text="x") == "s.echo is closed today"
    assert not [line for line in fixture.one.notes("heard") if line.startswith("echo")]


async def test_a_gateway_without_processes_is_shared_across_folders(tmp_path: Path) -> None:
    async with opened(tmp_path) as idle_gateway:
        config = idle_gateway.config(
            remote={"url": "http://127.0.0.1:9/mcp"}, s={**idle_gateway.one.entry, "cwd": "/"}
        )
        one, two = await idle_gateway.enter(config), await idle_gateway.enter(config, cwd=Path("/"))
        assert one.view.gateway is two.view.gateway


async def test_a_config_that_cannot_be_read_is_refused_only_where_it_was_named(tmp_path: Path) -> None:
    async with opened(tmp_path) as idle_gateway:
        with pytest.raises(UserMistake, match=r"gone\.json"):
            await idle_gateway.enter(tmp_path / "gone.json")
        assert (await idle_gateway.enter()).view.gateway.upstreams == {}


# -- registered servers ------------------------------------------------------------------------------------
@pytest.mark.promise("runtime:registered")
async def test_what_was_registered_or_deregistered_stays_so_across_edits(tmp_path: Path) -> None:
    async with opened(tmp_path) as idle_gateway:
        allowed = "gateway: {manage_servers: true}"
        client = await idle_gateway.enter(
            idle_gateway.yaml(allowed, s=idle_gateway.one.entry), surface="full"
        )
        reported = await client.call_builtin(
            "manage_servers", action="register", server="mine", config=idle_gateway.two.entry
        )
        assert reported.startswith("mine: up, 5 tools")
        await client.call_builtin("manage_servers", action="deregister", server="s")
        idle_gateway.yaml(
            f"{allowed}\nalways_visible: [mine.echo]", s=idle_gateway.one.entry, t=idle_gateway.one.entry
        )
        await until(lambda: "t" in client.view.gateway.upstreams, "the edit takes effect")
        assert list(client.view.gateway.upstreams) == ["t", "mine"]
        assert len(idle_gateway.two.pids) == 1
        assert "mine__echo" in await client.menu()


@pytest.mark.promise("runtime:shared")
async def test_a_server_that_one_config_gives_up_runs_on_for_another(tmp_path: Path) -> None:
    async with opened(tmp_path) as idle_gateway:
        other = await idle_gateway.enter(idle_gateway.config(s=idle_gateway.one.entry))
        config = idle_gateway.yaml("gateway: {manage_servers: true}", s=idle_gateway.one.entry)
        client = await idle_gateway.enter(config, surface="full")
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(other.call, "s.wait")
            await until(lambda: "wait None" in idle_gateway.one.notes("heard"), "the call is there")
            await client.call_builtin("manage_servers", action="deregister", server="s")
            assert client.view.gateway.upstreams == {}
            idle_gateway.one.sign("None")
        assert await other.call("s.echo", text="on") == "echo says on"
        assert len(idle_gateway.one.pids) == 1


# -- reload ------------------------------------------------------------------------------------------------
@pytest.mark.promise("reload:quiet")
async def test_a_file_that_says_the_same_in_other_words_disturbs_nobody(tmp_path: Path) -> None:
    """Some clients keep their history in the file that names their servers, and write it all the time."""
    async with opened(tmp_path) as idle_gateway:
        config = idle_gateway.config(s=idle_gateway.one.entry)
        client = await idle_gateway.enter(config, surface="direct")
        await client.menu()
        version, opening = client.view.gateway.registry.version, idle_gateway.runtime._open[0]
        client.heard.clear()
        said = json.loads(config.read_text())
        for number in range(3):
            before = opening.stamps
            config.write_text(json.dumps({**said, "history": ["x"] * number}))
            await until(lambda before=before: opening.stamps != before, "the file is read again")  # type: ignore[misc]
        assert client.view.gateway.registry.version == version
        assert client.heard == []


@pytest.mark.promise("reload:servers")
async def test_a_removed_server_that_is_just_starting_ends_too(tmp_path: Path) -> None:
    async with opened(tmp_path) as idle_gateway:
        idle_gateway.one.sign("hold")
        client = await idle_gateway.enter(idle_gateway.config(s=idle_gateway.one.entry))
        await until(lambda: idle_gateway.one.pids, "the server is started")
        idle_gateway.config(t=idle_gateway.two.entry)
        await until(lambda: "t" in client.view.gateway.upstreams, "the edit takes effect")
        (idle_gateway.one.folder / "hold").unlink()
        await until(lambda: not any(map(alive, idle_gateway.one.pids)), "the process ends")


async def test_a_new_server_is_started_for_the_clients_that_are_there(tmp_path: Path) -> None:
    async with opened(tmp_path) as idle_gateway:
        client = await idle_gateway.enter(idle_gateway.config(s=idle_gateway.one.entry), surface="direct")
        idle_gateway.config(s=idle_gateway.one.entry, t=idle_gateway.two.entry)
        await until(lambda: "t" in client.view.gateway.registry.servers, "its tools are known")
        assert "notifications/tools/list_changed" in client.heard
        fixed = await idle_gateway.enter(idle_gateway.config("b", s=idle_gateway.one.entry))
        idle_gateway.config("b", t=idle_gateway.two.entry)
        await until(lambda: "t" in fixed.view.gateway.upstreams, "the edit takes effect")
        assert fixed.heard == []


@pytest.mark.promise("reload:broken")
async def test_a_file_that_is_gone_for_a_moment_stops_nothing(tmp_path: Path) -> None:
    """In a known place a missing file is no problem, so it is checked twice."""
    async with opened(tmp_path) as idle_gateway:
        place = tmp_path / ".config" / "toolbooth" / "toolbooth.yaml"
        place.parent.mkdir(parents=True)
        text = idle_gateway.yaml("", s=idle_gateway.one.entry).read_text()
        place.write_text(text)
        client = await idle_gateway.enter(cwd=Path("/"))
        assert list(client.view.gateway.upstreams) == ["s"]
        opening = idle_gateway.runtime._open[0]
        place.unlink()
        idle_gateway.runtime.look(opening)
        place.write_text(text)
        idle_gateway.runtime.look(opening)
        idle_gateway.runtime.look(opening)
        assert await client.call("s.echo", text="x") == "echo says x"
        assert len(idle_gateway.one.pids) == 1
        place.unlink()
        await until(lambda: client.view.gateway.upstreams == {}, "gone for good, it counts")


@pytest.mark.promise("reload:broken")
async def test_a_new_client_of_a_config_that_broke_gets_what_runs(tmp_path: Path) -> None:
    async with opened(tmp_path) as idle_gateway:
        config = idle_gateway.config(s=idle_gateway.one.entry)
        client = await idle_gateway.enter(config)
        config.write_text("{")
        late = await idle_gateway.enter(config)
        assert late.view.gateway is client.view.gateway
        assert await late.call("s.echo", text="x") == "echo says x"


@pytest.mark.promise("reload:broken")
@pytest.mark.parametrize("part", ["_look_at_scripts", "_look_at_lock", "_read_news"])
async def test_a_round_that_fails_is_logged_once_and_ends_no_server(
    part: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    rounds = list[str]()

    async def fails(*_: object) -> None:
        rounds.append(part)
        raise LookupError("a canary")

    monkeypatch.setattr(Runtime, part, fails)
    async with opened(tmp_path) as idle_gateway:
        client = await idle_gateway.enter(idle_gateway.config(s=idle_gateway.one.entry))
        await until(lambda: len(rounds) > 2, "the rounds go on")
        assert await client.call("s.echo", text="x") == "echo says x"
    assert sum("cannot be read" in line for line in caplog.messages) == 1


# -- what is remembered ------------------------------------------------------------------------------------
@pytest.mark.promise("cache:first")
async def test_a_fresh_catalog_starts_nothing_and_an_old_one_is_made_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(tmp_path) as idle_gateway:
        config = idle_gateway.config(s=idle_gateway.one.entry)
        client = await idle_gateway.enter(config, surface="direct")
        assert "s__echo" in await client.menu()
        await until(lambda: list(tmp_path.rglob("*.server")), "the catalog is kept")
        one = idle_gateway.one
    (one.folder / "tools").write_text("newer")
    async with open_runtime({"XDG_CACHE_HOME": str(tmp_path / "cache")}, tmp_path) as runtime:
        environ = {"HOME": str(tmp_path), "PATH": os.environ["PATH"]}
        again = Client(await runtime.enter(GatewayRequest((str(config),), "direct", tmp_path, environ)))
        assert "s__echo" in await again.menu()
        assert len(one.pids) == 1
        monkeypatch.setattr("toolbooth.limits.CACHE_MAX_AGE", 0.0)
        Client(again.view)
        await until(lambda: "notifications/tools/list_changed" in again.heard, "the change is announced")
        assert await again.menu() == ["read_result", "s__newer"]


@pytest.mark.skipif(os.name != "posix", reason="a named pipe holds the work")
async def test_a_worker_that_is_at_work_when_its_gateway_closes_is_not_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    close_workers()

    async def end_last(writer: IO[bytes]) -> None:
        try:
            await anyio.sleep_forever()
        finally:
            writer.close()

    async with open_runtime({}, tmp_path) as runtime:
        view = await runtime.enter(
            GatewayRequest((str(write_config(tmp_path / "mcp.json", {})),), None, tmp_path)
        )
        view.gateway.spawn(offload, limits.PROCESS_ASIDE, in_worker, Path.read_bytes, pipe)
        view.gateway.spawn(end_last, await anyio.to_thread.run_sync(pipe.open, "wb"))
        await anyio.wait_all_tasks_blocked()
    for each in threading.enumerate():
        if each.name == "toolbooth-worker":
            each.join(20)
            assert not each.is_alive(), "its process has not ended"
