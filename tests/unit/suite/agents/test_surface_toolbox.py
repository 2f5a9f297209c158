"""Servers behind a surface: what the model sees is the gateway's menu, what is scored are the real tools."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import anyio
import pytest
from tests.stepped_clock import SteppedClock
from tests.unit.suite.agents.servers import ENVIRON, demo, hostile, let_time_pass, none_alive

from toolbooth.catalog import ServerSpec
from toolbooth.errors import BackendNotFound, BackendTimeout
from toolbooth.suite.agents.surface_toolbox import SurfaceToolbox, surface_toolbox
from toolbooth.suite.agents.toolbox import open_toolbox
from toolbooth.suite.trace import MadeCall

pytestmark = pytest.mark.anyio
MENUS = {
    "search": ["search_tools", "call_tool", "read_result"],
    "code": ["search_tools", "call_tool_chain", "read_result"],
}
GOT = MadeCall("get_ticket", "tickets", {"key": "LF-142"})
LOOP = """\
page = await tickets.list_tickets(per_page=2)
for each in page["tickets"]:
    await tickets.get_ticket(key=each["key"])
"""


@pytest.mark.parametrize("surface", sorted(MENUS))
async def test_a_model_sees_the_surface_and_the_catalog_is_what_is_behind(
    tmp_path: Path, surface: str
) -> None:
    async with surface_toolbox([demo("tickets"), demo("notes")], surface, ENVIRON, tmp_path) as box:
        assert [tool["name"] for tool in box.menu] == MENUS[surface]
        assert all(tool.keys() == {"name", "description", "inputSchema"} for tool in box.menu)
        assert [server.server for server in box.catalog.servers] == ["tickets", "notes"]
        assert "search_tools" in box.instructions


@pytest.mark.parametrize(
    ("tool", "given", "made", "error"),
    [
        ("call_tool", {"name": "tickets.get_ticket", "arguments": {"key": "LF-142"}}, (GOT,), False),
        ("call_tool", {"name": "get_ticket", "arguments": '{"key": "LF-142"}'}, (GOT,), False),
        ("call_tool", {"name": "tickets__get_ticket", "key": "LF-142"}, (MadeCall("get_ticket", "tickets"),), True),
        ("call_tool", {"name": "get_tiket"}, (MadeCall("get_tiket"),), True),
        ("call_tool", {"name": "get_ticket"}, (MadeCall("get_ticket", "tickets"),), True),
        ("call_tool", {}, (), True),
        ("get_ticket", {"key": "LF-142"}, (MadeCall("get_ticket", "", {"key": "LF-142"}),), True),
        ("search_tools", {"query": "ticket"}, (), False),
        ("tool_info", {"name": "tickets.get_ticket"}, (), False),
        ("list_tools", {}, (), False),
        ("manage_servers", {}, (), False),
        ("read_result", {"ref": "none"}, (), True),
        ("call_tool_chain", {"code": "await tickets.get_ticket(key='LF-142')"}, (GOT,), False),
        ("call_tool_chain", {"code": '{"tool": "get_ticket", "arguments": {"key": "LF-142"}}'}, (GOT,), False),
        ("call_tool_chain", {"code": '{"tool": "get_tiket"}'}, (MadeCall("get_tiket"),), True),
        ("call_tool_chain", {"code": 5}, (), True),
    ],
)  # fmt: skip
async def test_every_call_is_seen_through_to_the_real_tool(
    full: SurfaceToolbox, tool: str, given: Mapping[str, Any], made: tuple[MadeCall, ...], error: bool
) -> None:
    called = await full.call(tool, given)
    assert called.made == made
    assert called.is_error is error, called.text
    assert full.picked(tool, given) == made


@pytest.fixture(scope="module")
async def full(tmp_path_factory: pytest.TempPathFactory, anyio_backend: str) -> Any:
    folder = tmp_path_factory.mktemp("full")
    async with surface_toolbox([demo("tickets")], "full", ENVIRON, folder) as box:
        yield box


@pytest.mark.parametrize("end", ["", "1 / 0"])
async def test_all_calls_of_code_are_known_also_where_it_failed(full: SurfaceToolbox, end: str) -> None:
    called = await full.call("call_tool_chain", {"code": LOOP + end})
    assert called.is_error is bool(end)
    assert [each.id for each in called.made] == ["tickets.list_tickets", *["tickets.get_ticket"] * 2]
    assert called.made[0].arguments == {"per_page": 2}
    assert full.picked("call_tool_chain", {"code": LOOP}) == ()


async def test_a_call_whose_answer_is_cut_can_be_read_on(full: SurfaceToolbox) -> None:
    called = await full.call("call_tool", {"name": "list_tickets", "arguments": {"per_page": 50}})
    ref = called.text.partition("ref='")[2].partition("'")[0]
    assert not (await full.call("read_result", {"ref": ref})).is_error


async def test_a_hung_server_is_a_fault_also_where_code_catches_it(
    tmp_path: Path, clock: SteppedClock
) -> None:
    code = "try:\n    await h.hang()\nexcept Exception:\n    pass\n'went on'"
    async with surface_toolbox([hostile(tmp_path)], "full", ENVIRON, tmp_path) as box:
        asked: tuple[tuple[str, dict[str, str]], ...] = (
            ("call_tool", {"name": "h.hang"}),
            ("call_tool_chain", {"code": code}),
        )
        for calls, (tool, given) in enumerate(asked, 1):
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(let_time_pass, clock, tmp_path, calls)
                with pytest.raises(BackendTimeout, match="did not answer") as caught:
                    await box.call(tool, given)
            assert caught.value.server == "h"
        assert (await box.call("call_tool", {"name": "h.ok"})).text == "ok"
    assert none_alive(tmp_path)


async def test_a_servers_error_is_for_the_model_and_without_secrets(tmp_path: Path) -> None:
    spec = hostile(tmp_path, CANARY="canary-3141")
    async with surface_toolbox([spec], "search", ENVIRON, tmp_path) as box:
        called = await box.call("call_tool", {"name": "h.refuse"})
        assert called.is_error
        assert "no way" in called.text
        assert "canary-3141" not in called.text


async def test_a_server_that_cannot_be_started_is_named(tmp_path: Path) -> None:
    gone = ServerSpec("gone", "stdio", "no-such-command-here")
    with pytest.raises(BackendNotFound) as caught:
        async with surface_toolbox([demo("notes"), gone], "search", ENVIRON, tmp_path):
            raise AssertionError("a toolbox without all its servers")
    assert caught.value.server == "gone"


async def test_nothing_of_the_users_own_is_read_or_written(tmp_path: Path) -> None:
    homes = {name: str(tmp_path / name) for name in ("HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME")}
    scripts = tmp_path / "config" / "toolbooth" / "scripts"
    scripts.mkdir(parents=True)
    (scripts / "own.py").write_text('"""Mine."""\n\n1\n', encoding="utf-8")
    environ = {**ENVIRON, **homes, "XDG_CONFIG_HOME": str(tmp_path / "config")}
    async with surface_toolbox([demo("notes")], "search", environ, tmp_path) as box:
        await box.call("search_tools", {"query": "own script"})
        assert [server.server for server in box.catalog.servers] == ["notes"]
    assert not any(map(os.path.exists, homes.values()))


async def test_several_toolboxes_live_side_by_side(tmp_path: Path) -> None:
    met: dict[str, int] = {}

    async def run(surface: str) -> None:
        async with open_toolbox([demo("notes")], surface, ENVIRON, tmp_path) as box:
            met[surface] = len(box.catalog)
            while len(met) < 3:  # noqa: ASYNC110 - until all are open at once
                await anyio.sleep(0.01)

    async with anyio.create_task_group() as tasks:
        for surface in ("direct", "search", "code"):
            tasks.start_soon(run, surface)
    assert len(set(met.values())) == 1
