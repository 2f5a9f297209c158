"""What our prompts put before a model."""

from collections.abc import Mapping
from pathlib import Path

import pytest
from tests.unit.gateway.builtin_resources.idle_gateway import GONE, IdleGateway, open_idle_gateway

from toolbooth.catalog import ServerTools, Tool
from toolbooth.errors import WrongArguments
from toolbooth.gateway.builtin_resources import PROMPTS
from toolbooth.gateway.ledger import Ledger
from toolbooth.tokens import count

pytestmark = pytest.mark.anyio


async def say(idle_gateway: IdleGateway, name: str, given: Mapping[str, str] | None = None) -> str:
    return await PROMPTS[name].say(idle_gateway.view, idle_gateway.session, given or {})


async def test_discover_names_the_servers_and_how_to_use_them(idle_gateway: IdleGateway) -> None:
    text = await say(idle_gateway, "discover")
    for name in idle_gateway.view.gateway.upstreams:
        assert f"\n{name}: " in text
    assert "search_tools(" in text
    assert "Before you say that something cannot be done" in text
    assert count(text) < 300


async def test_find_tool_searches_for_the_task_and_says_who_was_not_searched(
    tmp_path: Path, ledger: Ledger
) -> None:
    known = [ServerTools("github", (Tool("github", "create_issue", "Create a new issue in a repository"),))]
    async with open_idle_gateway(tmp_path, ledger, known, unknown=[GONE]) as idle_gateway:
        text = await say(idle_gateway, "find_tool", {"task": "open an issue about the parser"})
        assert text.startswith("Task: open an issue about the parser\n")
        assert "\ngithub.create_issue() — Create a new issue in a repository" in text
        assert f"not up, tools unknown: {GONE} (command no-such-command-here was not found" in text
        assert "call_tool(" in text


@pytest.mark.parametrize("given", [{}, {"task": ""}, {"task": " \n"}, {"task": 5}])
async def test_find_tool_needs_a_task(idle_gateway: IdleGateway, given: dict[str, str]) -> None:
    with pytest.raises(WrongArguments, match="find_tool needs `task`"):
        await say(idle_gateway, "find_tool", given)


async def test_server_status_asks_for_a_verdict_on_what_is_known(idle_gateway: IdleGateway) -> None:
    text = await say(idle_gateway, "server_status")
    assert text.startswith("Tell me in a few words")
    assert f"\n{GONE}: idle, tools not known yet" in text


@pytest.mark.parametrize("name", PROMPTS)
async def test_without_any_server_the_user_learns_what_to_do(
    tmp_path: Path, ledger: Ledger, name: str
) -> None:
    async with open_idle_gateway(tmp_path, ledger, []) as idle_gateway:
        assert "No MCP server is configured" in await say(idle_gateway, name, {"task": "anything"})


async def test_tasks_are_offered_in_the_words_of_the_tools_names(idle_gateway: IdleGateway) -> None:
    [task] = PROMPTS["find_tool"].arguments
    offered = list(task.values(idle_gateway.view))
    assert {"create issue", "search files", "send email"} <= set(offered)
    assert len(offered) == len(set(offered))
