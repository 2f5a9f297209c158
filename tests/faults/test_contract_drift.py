"""Servers whose definitions change under a lock that is enforced: between list and call, in a storm, in a crash."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from tests.behaviour.command_line import toolbooth
from tests.faults.gateway_driver import DrivenGateway, HostileServer, gateway, until

CHANGED = "changing.shape is held back: its definition changed since it was locked (inputSchema). "


@contextmanager
def enforced(folder: Path, *servers: HostileServer, surface: str = "full") -> Iterator[DrivenGateway]:
    """What twins of these servers offer is locked, with diaries of their own; then the gateway keeps to it."""
    twins = folder / "twins"
    twins.mkdir()
    entries = {each.name: replace(each, folder=twins).entry for each in servers}
    config, lock = twins / "mcp.json", folder / "agreed.lock"
    config.write_text(json.dumps({"mcpServers": entries}))
    ugly = (
        "--accept-findings",
        "bidi-controls",
        "--accept-findings",
        "terminal-escape",
    )  # of the tool `ugly`
    said = toolbooth("lock", config, "--file", lock, *ugly, home=twins)
    assert said.code == 0, said
    settings = {"contracts": {"lock": str(lock)}}
    with gateway(folder, *servers, surface=surface, settings=settings) as booth:
        yield booth


@pytest.mark.promise("contracts:judged-at-the-call")
def test_a_definition_that_flips_between_list_and_call_is_refused(tmp_path: Path) -> None:
    changing, good = HostileServer("changing", tmp_path), HostileServer("good", tmp_path)
    with enforced(tmp_path, changing, good) as booth:
        assert booth.call("changing.shape", field1="a").text == '{"field1": "a"}'
        assert booth.call("changing.change").text == "ok"
        until(lambda: "is held back" in booth.builtin("tool_info", {"name": "changing.shape"}).text)
        for arguments in ({"field1": "a"}, {"field2": "b"}, {}):
            said = booth.call("changing.shape", **arguments)
            assert said.error
            assert said.text.startswith(CHANGED)
            assert "\n" not in said.text
        assert "shape" not in booth.builtin("list_tools", {"server": "changing"}).text
        assert booth.call("changing.ok").text == "ok"
        assert booth.call("good.shape", field1="a").text == '{"field1": "a"}'
        assert len(changing.seen("call", "shape")) == 1


@pytest.mark.promise("contracts:enforced")
def test_a_storm_of_changes_approves_nothing_and_delays_nobody(tmp_path: Path) -> None:
    changing, good = HostileServer("changing", tmp_path), HostileServer("good", tmp_path)
    with enforced(tmp_path, changing, good) as booth:
        assert booth.call("changing.change").text == "ok"
        until(lambda: booth.call("changing.shape").text.startswith(CHANGED))
        for _time in range(20):
            assert booth.call("changing.storm").text == "ok"  # 500 notices
            assert booth.call("changing.shape", field2="b").text.startswith(CHANGED)
            assert booth.call("good.ok").text == "ok"
        assert changing.seen("call", "shape") == []
        assert booth.notices == [], "a fixed menu never changes"


UNLISTED = "changing.ok is held back: its server said that its tools changed and has not listed them since. "


@pytest.mark.promise("contracts:notice-without-list")
@pytest.mark.parametrize("way", ["change_silently", "change_and_refuse", "change_and_page"])
def test_after_a_notice_nothing_is_called_until_the_list_has_come(tmp_path: Path, way: str) -> None:
    changing, good = HostileServer("changing", tmp_path), HostileServer("good", tmp_path)
    with enforced(tmp_path, changing, good) as booth:
        assert booth.call("changing.ok").text == "ok"
        assert booth.call(f"changing.{way}").text == "ok"
        for _time in range(3):
            said = booth.call("changing.ok")
            assert said.error
            assert said.text.startswith(UNLISTED)
        assert booth.call("good.ok").text == "ok"
        assert "changing.ok" not in booth.builtin("list_tools", {"server": "changing"}).text
        assert booth.builtin("tool_info", {"name": "changing.ok"}).text.startswith(UNLISTED)
        code = booth.builtin("call_tool_chain", {"code": "await changing.ok()"})
        assert code.error
        assert UNLISTED.rstrip() in code.text
        assert len(changing.seen("call", "ok")) == 1
        changing.diary.with_suffix(".relent").touch()
        until(lambda: booth.call("changing.ok").text == "ok")
        assert changing.pids == changing.pids[:1], "the same process listed them after all"


@pytest.mark.promise("contracts:notice-without-list")
def test_a_notice_holds_back_what_the_direct_surface_shows(tmp_path: Path) -> None:
    changing = HostileServer("changing", tmp_path)
    with enforced(tmp_path, changing, surface="direct") as booth:
        listed = {tool["name"] for tool in booth.request("tools/list")["result"]["tools"]}
        (ok,) = [name for name in listed if name.endswith("ok")]
        (silently,) = [name for name in listed if name.endswith("change_silently")]
        assert booth.builtin(ok).text == "ok"
        assert booth.builtin(silently).text == "ok"
        said = booth.request("tools/call", {"name": ok, "arguments": {}})
        assert "has not listed them since" in str(said)
        assert len(changing.seen("call", "ok")) == 1


@pytest.mark.promise("contracts:notice-without-list")
def test_a_call_that_is_open_when_the_notice_comes_is_answered(tmp_path: Path) -> None:
    changing = HostileServer("changing", tmp_path)
    release = tmp_path / "release"
    with enforced(tmp_path, changing) as booth:
        open_call = booth.begin_call("changing.slow", release=str(release))
        until(lambda: changing.seen("call", "slow"))
        assert booth.call("changing.change_silently").text == "ok"
        assert booth.call("changing.ok").text.startswith(UNLISTED)
        release.touch()
        assert booth.said(open_call).text == "ok"


@pytest.mark.promise("contracts:judged-at-the-call")
def test_a_call_that_may_be_repeated_is_not_when_its_server_comes_back_changed(tmp_path: Path) -> None:
    twice = HostileServer("twice", tmp_path, ("crash_once",))
    with enforced(tmp_path, twice) as booth:
        said = booth.call("twice.crash_once")
        assert said.error
        assert said.text.startswith("twice.crash_once is held back: its definition changed")
        assert len(twice.seen("call", "crash_once")) == 1
        assert len(twice.pids) == 2
        assert booth.call("twice.ok").text == "ok"


@pytest.mark.promise("contracts:enforced")
def test_a_server_with_ugly_names_is_held_back_in_clean_words(tmp_path: Path) -> None:
    plain, ugly = HostileServer("s", tmp_path), HostileServer("s", tmp_path, ("ugly-names",))
    with enforced(tmp_path, plain):
        pass
    settings = {"contracts": {"lock": str(tmp_path / "agreed.lock")}}
    with gateway(tmp_path, ugly, settings=settings) as booth:
        assert booth.call("s.ok").text == "ok"
        said = booth.call("s.\x1b[31mred\u202egnp.exe\u200b<b>[/x]")
        assert said.error
        assert " is held back: it is not in the lock. " in said.text
        assert not [sign for sign in ("\x1b", "\u202e", "\u200b") if sign in said.text]
