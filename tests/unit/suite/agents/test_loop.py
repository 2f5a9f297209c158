"""The loop on real servers: turns, parallel calls, ends, faults and budgets."""

import os
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from toolbooth.catalog import ServerSpec
from toolbooth.demo import demo_command
from toolbooth.errors import ProviderFault
from toolbooth.suite.agents.conversation import Conversation, Model, Opening, Reply, ToolUse, ToolUseResult
from toolbooth.suite.agents.costs import Budget, menu_tokens
from toolbooth.suite.agents.loop import AgentTask, run_agent
from toolbooth.suite.agents.models import ScriptedModel
from toolbooth.suite.agents.toolbox import open_toolbox
from toolbooth.suite.spec.script import read_script
from toolbooth.suite.trace import Trace, Usage

pytestmark = pytest.mark.anyio


def tickets() -> ServerSpec:
    command, *args = demo_command("tickets")
    return ServerSpec("tickets", "stdio", command, tuple(args))


class Given:
    """A model that says what a test gives it, and keeps the results that it gets."""

    def __init__(self, *replies: Reply | Exception, dollars: float | None = None) -> None:
        self.replies, self.dollars = list(replies), dollars
        self.results: list[Sequence[ToolUseResult]] = []
        self.opening: Opening | None = None

    def conversation(self, opening: Opening) -> Conversation:
        self.opening = opening
        return self

    async def reply(self, results: Sequence[ToolUseResult]) -> Reply:
        self.results.append(results)
        said = self.replies.pop(0)
        if isinstance(said, Exception):
            raise said
        return said

    def price(self, _input_tokens: int, _output_tokens: int) -> float | None:
        return self.dollars

    async def close(self) -> None:
        return None


def use(name: str, number: int = 1, problem: str = "", **arguments: object) -> ToolUse:
    return ToolUse(f"c{number}", name, arguments, problem)


async def run(
    model: Model, surface: str = "direct", budget: Budget | None = None, *specs: ServerSpec, turns: int = 10
) -> Trace:
    async with open_toolbox(specs or (tickets(),), surface, os.environ, Path()) as toolbox:
        task = AgentTask(Trace("Open a ticket", "Be brief.", "given", surface), max_turns=turns)
        return await run_agent(model, toolbox, task, budget or Budget())


async def test_calls_of_one_turn_are_made_and_reported_in_their_order() -> None:
    model = Given(Reply("", (use("list_labels", 1), use("get_ticket", 2, key="LF-12"))), Reply("well"))
    trace = await run(model)
    assert [call.id for call in trace.calls] == ["tickets.list_labels", "tickets.get_ticket"]
    assert [result.id for result in model.results[1]] == ["c1", "c2"]
    assert "LF-12" in model.results[1][1].text
    assert (trace.ended, trace.final_response, len(trace.turns)) == ("done", "well", 2)


async def test_the_model_reads_the_prompt_the_system_prompt_and_what_servers_say() -> None:
    model = Given(Reply("well"))
    await run(model, "search")
    assert model.opening is not None
    assert model.opening.prompt == "Open a ticket"
    assert model.opening.system_prompt.startswith("Be brief.\n\n")
    assert "search_tools" in {tool["name"] for tool in model.opening.menu}


async def test_a_tools_error_is_reported_and_the_run_goes_on() -> None:
    model = Given(Reply("", (use("get_ticket", key="LF-999999"),)), Reply("there is none"))
    trace = await run(model)
    assert model.results[1][0].is_error
    assert trace.ended == "done"


async def test_a_call_that_cannot_be_read_is_answered_and_not_made() -> None:
    model = Given(Reply("", (use("close_ticket", problem="your arguments are no JSON"),)), Reply("sorry"))
    trace = await run(model)
    assert model.results[1][0] == ToolUseResult("c1", "close_ticket", "your arguments are no JSON", True)
    assert [call.id for call in trace.calls] == ["tickets.close_ticket"]


async def test_a_tool_that_is_not_there_is_a_choice_that_counts() -> None:
    trace = await run(Given(Reply("", (use("shred_ticket"),)), Reply("oh")))
    assert trace.observed == [{"server": "", "name": "shred_ticket"}]


async def test_max_turns_ends_a_run_that_would_go_on() -> None:
    trace = await run(Given(*(Reply("", (use("list_labels"),)) for _ in range(3))), turns=2)
    assert (trace.ended, len(trace.turns), trace.failed) == ("max_turns", 2, False)


async def test_tokens_are_counted_where_no_provider_tells_them() -> None:
    async with open_toolbox((tickets(),), "direct", os.environ, Path()) as toolbox:
        task = AgentTask(Trace("Open a ticket", "", "scripted"), instructions=False)
        trace = await run_agent(ScriptedModel(read_script(["list_labels"])), toolbox, task, Budget())
        surface = menu_tokens(toolbox.menu)
    first, second = (turn.usage for turn in trace.turns)
    assert first.counted
    assert first.input == surface + 3
    assert second.input > first.input + first.output


async def test_the_usage_that_a_provider_tells_is_kept() -> None:
    usage = Usage(1000, 20, 800)
    trace = await run(Given(Reply("well", (), usage, 0.25)))
    assert (trace.input_tokens, trace.total_tokens, trace.cost) == (1000, 1020, 0.25)


async def test_a_providers_fault_ends_the_run_with_what_was_done_before() -> None:
    model = Given(Reply("", (use("list_labels"),)), ProviderFault("overloaded; try again later"))
    trace = await run(model)
    assert (trace.ended, trace.error, len(trace.turns)) == ("error", "overloaded; try again later", 1)
    assert trace.observed == []


@pytest.mark.parametrize("surface", ["direct", "search"])
async def test_a_server_that_dies_in_mid_run_is_an_error_of_that_run(surface: str) -> None:
    hostile = ServerSpec("dying", "stdio", sys.executable, ("-c", DYING))
    script = read_script([{"call": "dying.work"}, {"say": "done"}])
    trace = await run(ScriptedModel(script), surface, None, tickets(), hostile)
    assert trace.ended == "error"
    assert "dying" in trace.error


async def test_a_budget_refuses_the_call_that_could_pass_it() -> None:
    model = Given(Reply("", (use("list_labels"),), Usage(10, 10), 0.4), Reply("never said"), dollars=0.7)
    trace = await run(model, "direct", Budget(1.0, "the test"))
    assert trace.ended == "refused"
    assert "$1.00 budget of the test" in trace.error
    assert len(model.replies) == 1


async def test_what_a_call_really_cost_takes_the_place_of_what_it_could_have() -> None:
    replies = (Reply("", (use("list_labels"),), Usage(10, 10), 0.1) for _ in range(3))
    budget = Budget(1.0, "the test")
    trace = await run(Given(*replies, Reply("well", (), Usage(1, 1), 0.1), dollars=0.7), "direct", budget)
    assert trace.ended == "done"
    assert budget.spent == pytest.approx(0.4)


DYING = """
import json, sys
def say(number, result):
    print(json.dumps({"jsonrpc": "2.0", "id": number, "result": result}), flush=True)
for line in sys.stdin:
    message = json.loads(line)
    method, number = message.get("method"), message.get("id")
    if method == "initialize":
        version = message["params"]["protocolVersion"]
        about = {"name": "dying", "version": "1"}
        say(number, {"protocolVersion": version, "capabilities": {"tools": {}}, "serverInfo": about})
    elif method == "tools/list":
        say(number, {"tools": [{"name": "work", "inputSchema": {"type": "object"}}]})
    elif method == "tools/call":
        sys.exit(3)
    elif number is not None:
        error = {"code": -32601, "message": "no such method"}
        print(json.dumps({"jsonrpc": "2.0", "id": number, "error": error}), flush=True)
"""
