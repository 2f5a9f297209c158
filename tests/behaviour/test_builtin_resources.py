"""What the gateway says about itself, seen by the SDK's client of either version, with two servers behind it."""

import json
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters
from mcp.shared.exceptions import MCPError
from mcp_types import PromptReference, ResourceTemplateReference

from tests.behaviour.gateway_client import connected, isolated_environ, write_config

pytestmark = pytest.mark.anyio
MODES = {"legacy": "2025-11-25", "auto": "2026-07-28"}
BUILTIN = [f"toolbooth://{path}" for path in ("overview", "servers", "tools", "recent", "stats", "health")]
TEMPLATES = [f"toolbooth://{path}" for path in ("tool/{name}", "server/{name}", "recent/{n}")]
PROMPTS = ["discover", "find_tool", "server_status"]


def demo(name: str) -> dict[str, Any]:
    return {"command": sys.executable, "args": ["-m", "toolbooth.demo", name]}


class Agent:
    """A client that has searched once, so that both servers are known."""

    def __init__(self, client: Client) -> None:
        self.client = client

    async def read(self, uri: str) -> str:
        [content] = (await self.client.read_resource(uri)).contents
        assert content.uri == uri
        text: str = content.text  # type: ignore[union-attr]
        return text

    async def prompt(self, name: str, **arguments: str) -> str:
        [message] = (await self.client.get_prompt(name, arguments)).messages
        assert message.role == "user"
        text: str = message.content.text  # type: ignore[union-attr]
        return text

    async def search(self, query: str) -> None:
        await self.client.call_tool("search_tools", {"query": query})


@asynccontextmanager
async def agent(home: Path, mode: str) -> AsyncIterator[Agent]:
    config = write_config(home, {"files": demo("files"), "mail": demo("mail")})
    words = ["-m", "toolbooth", "serve", "--no-daemon", "--config", str(config)]
    server = StdioServerParameters(command=sys.executable, args=words, env=isolated_environ(home))
    async with Client(server, mode=mode) as client:
        assert client.protocol_version == MODES[mode]
        made = Agent(client)
        await made.search("list the files of a folder")
        yield made


@pytest.mark.promise("builtin:listed")
@pytest.mark.parametrize("mode", MODES)
async def test_ours_come_first_in_every_list(mode: str, tmp_path: Path) -> None:
    async with agent(tmp_path, mode) as user:
        listed = (await user.client.list_resources()).resources
        assert [str(each.uri) for each in listed][: len(BUILTIN)] == BUILTIN
        assert all(each.title and each.description and each.mime_type for each in listed[: len(BUILTIN)])
        templates = (await user.client.list_resource_templates()).resource_templates
        assert [each.uri_template for each in templates][: len(TEMPLATES)] == TEMPLATES
        prompts = (await user.client.list_prompts()).prompts
        assert [each.name for each in prompts][: len(PROMPTS)] == PROMPTS


@pytest.mark.promise("builtin:read")
@pytest.mark.parametrize("mode", MODES)
async def test_everything_can_be_read(mode: str, tmp_path: Path) -> None:
    async with agent(tmp_path, mode) as user:
        overview = await user.read("toolbooth://overview")
        assert "\nfiles: " in overview
        assert "search_tools(" in overview
        assert "files: up, " in await user.read("toolbooth://servers")
        tools = await user.read("toolbooth://tools")
        assert [line.partition(":")[0] for line in tools.split("\n")] == ["files", "mail"]
        name = tools.partition(": ")[2].partition(",")[0]
        assert (await user.read(f"toolbooth://tool/files.{name}")).startswith(f"files.{name}(")
        assert (await user.read("toolbooth://server/mail")).startswith("mail: up, ")
        health = json.loads(await user.read("toolbooth://health"))
        assert [each["state"] for each in health["servers"]] == ["up", "up"]


@pytest.mark.promise("builtin:read")
@pytest.mark.parametrize("mode", MODES)
async def test_a_call_stands_in_the_recent_ones_and_in_the_summaries(mode: str, tmp_path: Path) -> None:
    async with agent(tmp_path, mode) as user:
        await user.client.call_tool("call_tool", {"name": "files.list_directory", "arguments": {"path": "/"}})
        recent = (await user.read("toolbooth://recent")).split("\n")
        assert " files.list_directory " in recent[1]
        assert len((await user.read("toolbooth://recent/1")).split("\n")) == 2
        stats = json.loads(await user.read("toolbooth://stats"))
        assert stats["all"]["totals"]["calls"] == 1
        assert "files.list_directory" in [each["tool"] for each in stats["all"]["tools"]]
        assert stats["session"]["totals"]["calls"] == 1


@pytest.mark.promise("builtin:not-found")
@pytest.mark.parametrize("mode", MODES)
async def test_what_is_not_there_is_refused_with_the_nearest(mode: str, tmp_path: Path) -> None:
    async with agent(tmp_path, mode) as user:
        for uri, nearest in (
            ("toolbooth://helth", "toolbooth://health"),
            ("toolbooth://server/mial", "mail"),
        ):
            with pytest.raises(MCPError, match=nearest) as refused:
                await user.read(uri)
            assert refused.value.error.code == (-32002 if mode == "legacy" else -32602)


@pytest.mark.promise("builtin:completion")
@pytest.mark.parametrize("mode", MODES)
async def test_variables_and_arguments_are_completed(mode: str, tmp_path: Path) -> None:
    async with agent(tmp_path, mode) as user:

        async def values(ref: Any, name: str, value: str) -> list[str]:
            return (await user.client.complete(ref, {"name": name, "value": value})).completion.values

        tool, server, recent = (ResourceTemplateReference(uri=uri) for uri in TEMPLATES)
        found = await values(tool, "name", "mail.")
        assert found
        assert all(each.startswith("mail.") for each in found)
        assert await values(server, "name", "fi") == ["files"]
        assert "20" in await values(recent, "n", "")
        assert await values(PromptReference(name="find_tool"), "task", "list")


@pytest.mark.promise("builtin:prompts")
@pytest.mark.parametrize("mode", MODES)
async def test_prompts_tell_what_is_here_what_fits_a_task_and_how_the_servers_are(
    mode: str, tmp_path: Path
) -> None:
    async with agent(tmp_path, mode) as user:
        assert "\nmail: " in await user.prompt("discover")
        found = await user.prompt("find_tool", task="list what is in a folder")
        assert "files.list_directory(" in found
        assert "files: up" in await user.prompt("server_status")
        with pytest.raises(MCPError, match="find_tool needs `task`"):
            await user.prompt("find_tool")


@pytest.mark.promise("builtin:read")
@pytest.mark.parametrize("protocol", ["old", "new"])
def test_a_server_that_never_answers_does_not_hold_up_what_is_ours(protocol: str, tmp_path: Path) -> None:
    """It gets no answer until the test is over: whoever waited for it would wait longer than the test does."""
    silent = {"command": sys.executable, "args": ["-c", "import sys; sys.stdin.read()"]}
    with connected(tmp_path, {"silent": silent, "files": demo("files")}, "search", protocol) as client:
        for uri in (*BUILTIN, "toolbooth://server/silent", "toolbooth://recent/3"):
            [content] = client.result("resources/read", {"uri": uri})["contents"]
            assert content["text"]
        said = client.result("prompts/get", {"name": "server_status"})["messages"][0]["content"]["text"]
        assert "silent: starting, tools not known yet" in said
