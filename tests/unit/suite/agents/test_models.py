"""The key-free models: what they choose on each surface, and how a prompt falls into steps."""

import os
from pathlib import Path

import pytest

from toolbooth.catalog import ServerSpec
from toolbooth.demo import demo_command
from toolbooth.suite.agents.conversation import Model
from toolbooth.suite.agents.costs import Budget
from toolbooth.suite.agents.loop import AgentTask, run_agent
from toolbooth.suite.agents.models import LexicalModel, ScriptedModel, steps, through_menu
from toolbooth.suite.agents.toolbox import open_toolbox
from toolbooth.suite.spec.script import read_script
from toolbooth.suite.trace import Trace

PROMPT = "Open a ticket about the login page and then send a mail to Ada."
SURFACES = ("direct", "search", "full", "code")


def spec(name: str) -> ServerSpec:
    command, *args = demo_command(name)
    return ServerSpec(name, "stdio", command, tuple(args))


async def run_model(model: Model, surface: str) -> Trace:
    async with open_toolbox((spec("tickets"), spec("mail")), surface, os.environ, Path()) as toolbox:
        return await run_agent(model, toolbox, AgentTask(Trace(PROMPT, surface=surface)), Budget())


@pytest.mark.anyio
@pytest.mark.parametrize("surface", SURFACES)
async def test_lexical_picks_the_same_tools_on_every_surface_and_calls_none(surface: str) -> None:
    trace = await run_model(LexicalModel(), surface)
    assert [call.id for call in trace.calls] == ["tickets.create_ticket", "mail.send_message"]
    assert all(not each.result for each in trace.turns[-1].exchanges)
    assert trace.ended == "done"


@pytest.mark.anyio
@pytest.mark.parametrize("surface", SURFACES)
async def test_a_script_reaches_the_same_tool_on_every_surface(surface: str) -> None:
    script = read_script([{"call": "tickets.get_ticket", "args": {"key": "LF-12"}}, {"say": "seen"}])
    trace = await run_model(ScriptedModel(script), surface)
    assert [(call.id, dict(call.arguments)) for call in trace.calls] == [
        ("tickets.get_ticket", {"key": "LF-12"})
    ]
    assert "LF-12" in trace.turns[0].exchanges[0].result
    assert trace.final_response == "seen"


@pytest.mark.anyio
async def test_a_script_may_use_the_surfaces_own_tools() -> None:
    script = read_script([{"use": "search_tools", "args": {"query": "open a ticket"}}, "tickets.list_labels"])
    trace = await run_model(ScriptedModel(script), "search")
    assert "tickets.create_ticket" in trace.turns[0].exchanges[0].result
    assert [call.id for call in trace.calls] == ["tickets.list_labels"]


@pytest.mark.parametrize(
    ("prompt", "expected"),
    [
        ("Open a ticket.", ["Open a ticket"]),
        ("Open a ticket. Then send a mail.", ["Open a ticket", "Then send a mail"]),
        ("find the note, and then read it back", ["find the note", "read it back"]),
        ("Read v1.2 of the plan", ["Read v1.2 of the plan"]),
        ("ping", ["ping"]),
        ("", [""]),
    ],
)
def test_a_prompt_falls_into_its_steps(prompt: str, expected: list[str]) -> None:
    assert steps(prompt) == expected


def test_where_call_tool_is_split_the_script_calls_through_what_calls_every_tool() -> None:
    menu = {"search_tools", "call_read_tool", "call_write_tool", "call_destructive_tool", "read_result"}
    called = through_menu(menu, {}, "tickets.create_ticket", {"title": "x"})
    assert called == ("call_destructive_tool", {"name": "tickets.create_ticket", "arguments": {"title": "x"}})


def test_a_bare_name_that_only_one_server_has_is_enough() -> None:
    ids = {"a.read": "a__read", "b.read": "b__read", "b.write": "write"}
    assert through_menu(set(), ids, "write", {}) == ("write", {})
    assert through_menu(set(), ids, "a.read", {}) == ("a__read", {})
    assert through_menu(set(), ids, "read", {}) == ("read", {})
