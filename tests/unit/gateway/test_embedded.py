"""The Python interface of a gateway: what is opened, what is called, and how errors and ends reach the program."""

import asyncio
import json
import re
import sys
from collections.abc import Coroutine, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

import pytest
from tests.behaviour.gateway_process import SteeredServer, alive
from tests.faults.gateway_driver import HOSTILE

from toolbooth import access, errors, gateway, limits
from toolbooth.demo import demo_command
from toolbooth.gateway.calls.context import CallContext, CallStep
from toolbooth.gateway.calls.tool_result import ToolResult
from toolbooth.gateway.session import INTERNAL_ERROR, Refusal
from toolbooth.store import LEDGER_FILE, STATE_FILE

pytestmark = pytest.mark.anyio
Result = TypeVar("Result")
NEVER = 3600.0  # seconds


def demo(name: str) -> dict[str, Any]:
    command, *words = demo_command(name)
    return {"command": command, "args": words}


TICKETS = {"mcpServers": {"tickets": demo("tickets")}}


@pytest.fixture
def environ(tmp_path: Path) -> Mapping[str, str]:
    return {"HOME": str(tmp_path), "PATH": "/usr/bin:/bin"}


def on_a_loop_of_its_own(work: Coroutine[Any, Any, Result]) -> Result:
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, work).result()


async def test_the_menu_has_names_descriptions_and_schemas(environ: Mapping[str, str]) -> None:
    async with gateway.open(TICKETS, environ=environ) as tools:
        menu = await tools.tools()
        assert [each.name for each in menu] == ["search_tools", "call_tool", "read_result"]
        assert all(each.description for each in menu)
        assert menu[0].input_schema["required"] == ["query"]
        assert "tickets" in tools.instructions


async def test_a_tool_is_called_by_its_own_name_or_through_the_menu(environ: Mapping[str, str]) -> None:
    arguments = {"status": "open", "per_page": 1}
    async with gateway.open(TICKETS, environ=environ) as tools:
        named = await tools.call("tickets.list_tickets", arguments)
        through = await tools.call("call_tool", {"name": "tickets.list_tickets", "arguments": arguments})
    assert named == through
    assert not named.is_error
    assert len(json.loads(named.text)["tickets"]) == 1


@pytest.mark.parametrize("surface", ["search", "code", "full", "direct"])
async def test_a_tool_is_called_by_its_own_name_and_the_rest_of_its_answer_is_read_on_the_same_surface(
    environ: Mapping[str, str], surface: str
) -> None:
    async with gateway.open(TICKETS, surface=surface, environ=environ) as tools:
        answer = await tools.call("tickets.export_tickets")
        (ref,) = set(re.findall(r"ref='([\w-]+)'", answer.text))
        rest = await tools.call("read_result", {"ref": ref, "lines": 1})
    assert not answer.is_error
    assert not rest.is_error, rest.text


@pytest.mark.parametrize("surface", ["code", "direct"])
async def test_the_tools_of_search_are_called_where_the_menu_lacks_them(
    environ: Mapping[str, str], surface: str
) -> None:
    async with gateway.open(TICKETS, surface=surface, environ=environ) as tools:
        answer = await tools.call("call_tool", {"name": "tickets.export_tickets"})
        (ref,) = set(re.findall(r"ref='([\w-]+)'", answer.text))
        rest = await tools.call("read_result", {"ref": ref, "lines": 1})
    assert not rest.is_error, rest.text


@pytest.mark.promise("approvals:split")
@pytest.mark.parametrize("surface", ["search", "full", "code"])
async def test_a_program_calls_every_tool_where_approvals_are_split(
    tmp_path: Path, environ: Mapping[str, str], surface: str
) -> None:
    config = tmp_path / "toolbooth.yaml"
    split = {"servers": {"tickets": demo("tickets")}, "gateway": {"approvals": "split"}}
    config.write_text(json.dumps(split), encoding="utf-8")
    async with gateway.open(config, surface=surface, environ=environ) as tools:
        answer = await tools.call("tickets.create_ticket", {"title": "A program may"})
    assert not answer.is_error, answer.text


@pytest.mark.parametrize("surface", ["search", "code"])
async def test_structured_content_comes_beside_the_texts(environ: Mapping[str, str], surface: str) -> None:
    server = {
        "command": sys.executable,
        "args": ["-m", "tests.behaviour.servers", "old"],
        "env": {"PYTHONPATH": str(Path(__file__).parents[3])},
    }
    async with gateway.open({"servers": {"t": server}}, surface=surface, environ=environ) as tools:
        answer = await tools.call("t.sample", {"kind": "structured"})
    assert answer.structured is not None
    assert answer.structured["rows"][0]["id"] == 1
    assert answer.text == '{"rows":[]}'


async def test_a_search_answers_on_every_surface(environ: Mapping[str, str]) -> None:
    async with gateway.open(TICKETS, surface="direct", environ=environ) as tools:
        found = await tools.search("create a ticket", limit=1)
        names = [each.name for each in await tools.tools()]
    assert found.startswith("tickets.create_ticket(")
    assert "tickets__create_ticket" in names


async def test_a_tool_of_the_direct_menu_is_called_before_anyone_asked_for_the_menu(
    environ: Mapping[str, str],
) -> None:
    async with gateway.open(TICKETS, surface="direct", environ=environ) as tools:
        answer = await tools.call("list_tickets", {"per_page": 1})
        assert answer == await tools.call("tickets__list_tickets", {"per_page": 1})
        assert answer == await tools.call("tickets.list_tickets", {"per_page": 1})
    assert "total" in answer.text


async def test_an_unknown_name_is_answered_with_the_nearest(environ: Mapping[str, str]) -> None:
    async with gateway.open(TICKETS, environ=environ) as tools:
        answer = await tools.call("tickets.creat_ticket")
    assert answer.is_error
    assert "tickets.create_ticket" in answer.text


async def test_an_error_of_the_protocol_names_its_server(tmp_path: Path, environ: Mapping[str, str]) -> None:
    server = {"command": sys.executable, "args": ["-S", HOSTILE, str(tmp_path / "diary")]}
    async with gateway.open({"servers": {"h": server}}, surface="direct", environ=environ) as tools:
        with pytest.raises(errors.BackendRefused) as refused:
            await tools.call("refuse")
    assert refused.value.server == "h"


@pytest.mark.parametrize(
    ("config", "words"),
    [
        ("missing.json", "missing.json: there is no such file"),
        ({"mcpServers": {"x": {}}}, "x: has neither a command nor a url"),
        ({"x": 1}, "the config: has no servers"),
        (
            {"servers": {"x": {"command": "x", "env": {"X": "\ud800"}}}},
            "the config: cannot be written as JSON",
        ),
    ],
    ids=["missing", "no-command", "no-servers", "no-json"],
)
async def test_a_config_that_cannot_be_used_is_one_error_of_the_user(
    tmp_path: Path, environ: Mapping[str, str], config: gateway.GatewayConfig, words: str
) -> None:
    with pytest.raises(errors.UserMistake, match=words):
        async with gateway.open(config, cwd=tmp_path, environ=environ):
            pytest.fail("it was opened")


async def test_several_files_are_one_gateway_and_paths_start_at_cwd(
    tmp_path: Path, environ: Mapping[str, str]
) -> None:
    for name in ("tickets", "weather"):
        file = tmp_path / f"{name}.json"
        file.write_text(json.dumps({"mcpServers": {name: demo(name)}}), encoding="utf-8")
    files: list[str | Path] = ["tickets.json", Path("weather.json")]
    async with gateway.open(files, cwd=tmp_path, environ=environ) as tools:
        assert "Servers: tickets; weather." in tools.instructions


@pytest.mark.promise("embed:errors")
async def test_an_error_of_the_program_comes_out_as_it_is(environ: Mapping[str, str]) -> None:
    with pytest.raises(ZeroDivisionError):
        async with gateway.open(TICKETS, environ=environ):
            _ = 1 / 0


@pytest.mark.promise("embed:no-orphans")
async def test_a_cancelled_program_leaves_no_server(tmp_path: Path, environ: Mapping[str, str]) -> None:
    server = SteeredServer.at(tmp_path / "s")

    async def program() -> None:
        async with gateway.open({"servers": {"s": server.entry}}, environ=environ) as tools:
            await tools.call("s.wait", {"text": "never"})

    task = asyncio.create_task(program())
    while "wait never" not in server.notes("heard"):  # noqa: ASYNC110
        await asyncio.sleep(0.01)
    task.cancel()
    await asyncio.sleep(0)
    task.cancel()  # the second does not hurry it
    with pytest.raises(asyncio.CancelledError):
        await task
    assert server.pids
    assert not any(map(alive, server.pids))


@pytest.mark.promise("embed:no-orphans")
async def test_a_call_that_is_open_when_the_block_is_left_is_cancelled_and_answered(
    tmp_path: Path, environ: Mapping[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("toolbooth.limits.SHUTDOWN_GRACE", NEVER)  # the transport need not wait for an answer
    server = SteeredServer.at(tmp_path / "s")
    async with gateway.open({"servers": {"s": server.entry}}, environ=environ) as tools:
        call = asyncio.create_task(tools.call("s.wait", {"text": "never"}))
        while "wait never" not in server.notes("heard"):  # noqa: ASYNC110
            await asyncio.sleep(0.01)
    answer = await call
    assert answer.is_error
    assert "was closed" in answer.text
    assert not any(map(alive, server.pids))


@pytest.mark.promise("embed:errors")
async def test_a_call_that_is_too_large_fails_alone(tmp_path: Path, environ: Mapping[str, str]) -> None:
    server = SteeredServer.at(tmp_path / "s")
    async with gateway.open({"servers": {"s": server.entry}}, environ=environ) as tools:
        call = asyncio.create_task(tools.call("s.wait", {"text": "release"}))
        while "wait release" not in server.notes("heard"):  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        large = await tools.call("s.echo", {"text": "x" * limits.MAX_FRAME})
        server.sign("release")
        assert (await call).text == "wait says release"
    assert large.is_error
    assert large.text.startswith("The call was not made: tools/call has 16,777,")


@pytest.mark.promise("embed:errors")
@pytest.mark.parametrize(
    ("value", "words"), [("\ud83d", "surrogate"), ({(1, 2): 3}, "JSON")], ids=["half-a-pair", "no-json"]
)
async def test_arguments_that_cannot_be_sent_are_answered_in_words(
    environ: Mapping[str, str], value: object, words: str
) -> None:
    async with gateway.open(TICKETS, environ=environ) as tools:
        answer = await tools.call("tickets.list_tickets", {"status": value})
    assert answer.is_error
    assert words in answer.text


class _Refuses(CallStep):
    def before(self, call: CallContext) -> ToolResult | None:
        raise Refusal(INTERNAL_ERROR, f"{call.tool.id}: no calls are left today")


@pytest.mark.promise("embed:errors")
async def test_a_call_that_a_step_refuses_is_answered_in_its_words(environ: Mapping[str, str]) -> None:
    async with gateway.open(TICKETS, environ=environ) as tools:
        tools._client.view.gateway.steps.append(_Refuses())
        answer = await tools.call("tickets.list_labels")
    assert answer.is_error
    assert answer.text == "tickets.list_labels: no calls are left today"


@pytest.mark.promise("embed:errors")
async def test_the_block_may_be_left_in_another_task(tmp_path: Path, environ: Mapping[str, str]) -> None:
    server = SteeredServer.at(tmp_path / "s")
    opened = gateway.open({"servers": {"s": server.entry}}, environ=environ)
    tools = await asyncio.create_task(opened.__aenter__())
    assert (await tools.call("s.echo", {"text": "x"})).text == "echo says x"
    await asyncio.create_task(opened.__aexit__(None, None, None))
    assert not any(map(alive, server.pids))
    with pytest.raises(errors.NothingToWeigh, match="has ended"):
        await tools.tools()


@pytest.mark.promise("embed:several")
def test_gateways_side_by_side_and_in_one_loop_after_another(environ: Mapping[str, str]) -> None:
    async def forecasts() -> list[str]:
        weather = {"mcpServers": {"weather": demo("weather")}}
        async with (
            gateway.open(TICKETS, environ=environ) as one,
            gateway.open(weather, environ=environ) as two,
        ):
            return [one.instructions, two.instructions]

    for _ in range(2):
        one, two = on_a_loop_of_its_own(forecasts())
        assert "tickets" in one
        assert "weather" not in one
        assert "weather" in two


async def test_the_principal_is_that_of_the_session(environ: Mapping[str, str]) -> None:
    ines = access.Principal("u-1", "Ines")
    async with gateway.open(TICKETS, principal=ines, environ=environ) as tools:
        sessions = tools._client.view.gateway.sessions
        assert {each.principal for each in sessions} == {ines}


@pytest.mark.parametrize("ledger", [True, False])
async def test_calls_are_in_the_ledger_only_if_that_is_asked_for(
    tmp_path: Path, environ: Mapping[str, str], ledger: bool
) -> None:
    async with gateway.open(TICKETS, ledger=ledger, environ=environ) as tools:
        await tools.call("tickets.list_labels")
    for file in (LEDGER_FILE, STATE_FILE):  # and in what ranks the searches of the user
        assert bool(list(tmp_path.rglob(file))) is ledger  # noqa: ASYNC240


@pytest.mark.parametrize("principal", ["eve", None, access.Principal(" ")])
async def test_a_principal_without_an_id_is_refused_before_anything_starts(
    environ: Mapping[str, str], principal: Any
) -> None:
    with pytest.raises(errors.UserMistake, match="with an id"):
        async with gateway.open(TICKETS, environ=environ, principal=principal):
            raise AssertionError("it was opened")
