"""Servers without a gateway: their tools side by side, their answers as a model reads them."""

import sys
from pathlib import Path

import anyio
import pytest
from tests.faults.gateway_driver import alive
from tests.stepped_clock import SteppedClock
from tests.unit.suite.agents.servers import ENVIRON, call_log, demo, hostile, let_time_pass, none_alive, pids

from toolbooth.catalog import ServerSpec, Tool
from toolbooth.errors import BackendFault, BackendNotFound, BackendTimeout, UserMistake
from toolbooth.suite.agents.direct_toolbox import direct_toolbox, menu_names
from toolbooth.suite.agents.toolbox import open_toolbox
from toolbooth.suite.trace import MadeCall

pytestmark = pytest.mark.anyio


async def test_the_menu_is_what_a_model_reads_of_all_tools() -> None:
    async with direct_toolbox([demo("tickets"), demo("notes")], ENVIRON) as box:
        assert len(box.menu) == len(box.catalog)
        assert [server.server for server in box.catalog.servers] == ["tickets", "notes"]
        assert all(tool.keys() <= {"name", "description", "inputSchema"} for tool in box.menu)
        assert {"create_ticket", "create_note"} <= {tool["name"] for tool in box.menu}
        assert box.instructions.startswith("tickets: ")


async def test_a_call_gives_the_servers_text_and_says_which_tool_it_was() -> None:
    async with direct_toolbox([demo("tickets"), demo("notes")], ENVIRON) as box:
        called = await box.call("get_ticket", {"key": "LF-142"})
        assert "LF-142" in called.text
        assert not called.is_error
        assert called.made == (MadeCall("get_ticket", "tickets", {"key": "LF-142"}),)
        wrong = await box.call("get_ticket", {"key": "LF-0"})
        assert wrong.is_error
        assert wrong.made == box.picked("get_ticket", {"key": "LF-0"})


async def test_tools_of_one_name_are_told_apart_by_their_servers() -> None:
    async with direct_toolbox([demo("notes", "mine"), demo("notes", "y ours")], ENVIRON) as box:
        names = [tool["name"] for tool in box.menu]
        assert {"mine__get_note", "y_ours__get_note"} <= set(names)
        assert box.picked("y_ours__get_note", {}) == (MadeCall("get_note", "y ours"),)


async def test_an_unknown_name_is_answered_with_the_nearest_and_was_a_choice() -> None:
    async with direct_toolbox([demo("tickets")], ENVIRON) as box:
        called = await box.call("creat_ticket", {"title": "x"})
        assert called.is_error
        assert "Nearest: create_ticket" in called.text
        assert called.made == (MadeCall("creat_ticket", "", {"title": "x"}),)


async def test_a_servers_error_is_for_the_model_and_without_secrets(tmp_path: Path) -> None:
    async with direct_toolbox([hostile(tmp_path, CANARY="canary-3141")], ENVIRON) as box:
        called = await box.call("refuse", {})
        assert called.is_error
        assert "error -32000: no way" in called.text
        assert "canary-3141" not in called.text
        assert called.made == (MadeCall("refuse", "h"),)


async def test_half_a_character_in_an_argument_harms_nobody(tmp_path: Path) -> None:
    async with direct_toolbox([hostile(tmp_path)], ENVIRON) as box:
        assert (await box.call("shape", {"field1": "a\ud800"})).text == '{"field1": "a?"}'


async def test_calls_are_made_side_by_side(tmp_path: Path) -> None:
    release = tmp_path / "release"
    async with direct_toolbox([hostile(tmp_path)], ENVIRON) as box, anyio.create_task_group() as tasks:
        for _ in range(2):
            tasks.start_soon(box.call, "slow", {"release": str(release)})
        while "overlap 2" not in call_log(tmp_path).read_text(encoding="utf-8"):  # noqa: ASYNC110
            await anyio.sleep(0.01)
        release.touch()


async def test_a_server_that_hangs_is_a_fault_of_its_own_and_others_go_on(
    tmp_path: Path, clock: SteppedClock
) -> None:
    async with direct_toolbox([hostile(tmp_path), demo("notes")], ENVIRON) as box:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(let_time_pass, clock, tmp_path)
            with pytest.raises(BackendTimeout, match="h: did not answer") as caught:
                await box.call("hang", {})
        assert caught.value.server == "h"
        assert not (await box.call("list_notes", {})).is_error
    assert none_alive(tmp_path)


async def test_a_server_that_cannot_be_reached_is_named_and_the_others_end(tmp_path: Path) -> None:
    gone = ServerSpec("gone", "stdio", "no-such-command-here")
    with pytest.raises(BackendNotFound) as caught:
        async with direct_toolbox([hostile(tmp_path), gone], ENVIRON):
            raise AssertionError("a toolbox without all its servers")
    assert caught.value.server == "gone"
    assert not call_log(tmp_path).exists() or none_alive(tmp_path)


async def test_last_words_of_a_server_hold_no_secret() -> None:
    quits = "import os, sys; sys.exit('cannot log in with ' + os.environ['TOKEN'])"
    spec = ServerSpec("leaks", "stdio", sys.executable, ("-c", quits), {"TOKEN": "canary-2718"})
    with pytest.raises(BackendFault, match="cannot log in with") as caught:
        async with direct_toolbox([spec], ENVIRON):
            pass
    assert "canary-2718" not in str(caught.value)


async def test_a_mute_server_is_given_up() -> None:
    spec = ServerSpec("mute", "stdio", sys.executable, ("-c", "import time; time.sleep(99)"), timeout=0.3)
    with pytest.raises(BackendTimeout) as caught:
        async with direct_toolbox([spec], ENVIRON):
            pass
    assert caught.value.server == "mute"


async def test_an_error_inside_leaves_alone_and_every_process_ends(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError):
        async with direct_toolbox([hostile(tmp_path)], ENVIRON):
            raise ZeroDivisionError
    assert none_alive(tmp_path)


@pytest.mark.parametrize("surface", ["direct", "search"])
async def test_a_cancelled_run_leaves_no_process(tmp_path: Path, surface: str) -> None:
    async with anyio.create_task_group() as tasks:

        async def run() -> None:
            async with open_toolbox([hostile(tmp_path)], surface, ENVIRON, tmp_path) as box:
                wrapped = ("hang", {}) if surface == "direct" else ("call_tool", {"name": "h.hang"})
                await box.call(*wrapped)

        tasks.start_soon(run)
        while not call_log(tmp_path).exists() or "call hang" not in call_log(tmp_path).read_text("utf-8"):  # noqa: ASYNC110
            await anyio.sleep(0.01)
        assert alive(pids(tmp_path)[-1])
        tasks.cancel_scope.cancel()
    assert none_alive(tmp_path)


def test_an_unknown_surface_is_refused_with_those_there_are() -> None:
    with pytest.raises(UserMistake, match="choose one of direct, search, full, code"):
        open_toolbox([], "sideways", {}, Path())


def names(*ids: tuple[str, str]) -> list[str]:
    return list(menu_names([Tool(server, name) for server, name in ids]))


def test_a_name_stays_where_no_other_tool_has_it() -> None:
    assert names(("a", "get"), ("b", "put"), ("a", "x-Y_9")) == ["get", "put", "x-Y_9"]


def test_a_name_that_two_have_gets_its_server_before_it() -> None:
    assert names(("a", "get"), ("b b", "get")) == ["a__get", "b_b__get"]


def test_a_name_that_providers_refuse_is_written_in_legal_letters() -> None:
    assert names(("a", "x.y"), ("a", "ü")) == ["a__x_y", "a___"]
    assert [len(name) for name in names(("a", "x" * 64), ("a", "y" * 65))] == [64, 64]


def test_names_that_come_out_alike_are_told_apart() -> None:
    found = names(("a", "x.y"), ("a", "x y"), ("b", "a__x_y"))
    assert found[2] == "a__x_y"
    assert len(set(found)) == 3
    assert all(name.startswith("a__x_y_") for name in found[:2])
