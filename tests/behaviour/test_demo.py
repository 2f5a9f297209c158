"""`toolbooth demo` tells the story on real servers, with no network and no keys."""

from pathlib import Path
from typing import Any

import pytest

from tests.behaviour.command_line import CommandResult, toolbooth
from toolbooth.demo import DEMO_SERVERS
from toolbooth.limits import INSTRUCTION_TOKENS
from toolbooth.tokens import count


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> CommandResult:
    home = tmp_path_factory.mktemp("home")
    said = toolbooth("demo", "--json", home=home)
    assert said.code == 0, said.err
    assert not list(home.iterdir()), "the demo leaves nothing in the user's folders"
    return said


@pytest.fixture(scope="module")
def gateway(asked: CommandResult) -> Any:
    return asked.json["gateway"]


@pytest.mark.promise("demo:all-servers")
def test_the_demo_weighs_every_bundled_server(asked: CommandResult) -> None:
    assert {server["server"] for server in asked.json["servers"]} == set(DEMO_SERVERS)
    assert asked.json["source_errors"] == []
    assert 60 <= len(asked.json["tools"]) <= 75
    assert asked.json["slimming"]["saves_tokens"] > 0
    assert asked.json["duplicates"]
    assert asked.json["advice"][0]["id"] == "gateway"


@pytest.mark.promise("demo:gateway")
def test_the_gateway_shows_three_tools_for_a_fraction_of_the_tokens(
    asked: CommandResult, gateway: Any
) -> None:
    assert gateway["menu"] == ["search_tools", "call_tool", "read_result"]
    assert gateway["menu_tokens"] <= 190 < asked.json["total_tokens"] // 20
    assert 0 < gateway["instructions_tokens"] <= INSTRUCTION_TOKENS


@pytest.mark.promise("demo:gateway")
def test_the_saving_that_is_advised_is_kept_by_the_gateway(asked: CommandResult, gateway: Any) -> None:
    advised = asked.json["advice"][0]["saving_tokens"]
    carried = gateway["menu_tokens"] + gateway["instructions_tokens"]
    assert 0 < advised <= asked.json["total_tokens"] - carried


@pytest.mark.promise("demo:gateway")
def test_an_agent_finds_a_tool_is_corrected_and_calls_it(gateway: Any) -> None:
    search, wrong, right = gateway["task"]
    assert search["answer"].startswith("tickets.create_ticket(title*")
    assert wrong["is_error"]
    assert '"priority" must be one of low|medium|high|urgent' in wrong["answer"]
    assert not right["is_error"]
    assert '"title": "Login page is blank"' in right["answer"]
    assert "No tool here fits" in gateway["not_here"]["answer"]
    assert all(each["tokens"] == count(each["answer"]) for each in gateway["task"])


@pytest.mark.promise("demo:gateway")
def test_the_sums_of_the_task_are_those_of_its_model_calls(asked: CommandResult, gateway: Any) -> None:
    menu = gateway["menu_tokens"] + gateway["instructions_tokens"]
    search, wrong, right = (each["tokens"] for each in gateway["task"])
    assert gateway["task_tokens"] == 4 * menu + 3 * search + 2 * wrong + right
    instructions = sum(server["instructions_tokens"] for server in asked.json["servers"])
    assert gateway["task_tokens_without"] == 2 * (asked.json["total_tokens"] + instructions) + right


@pytest.mark.promise("demo:gateway")
def test_code_makes_many_calls_and_the_agent_reads_what_they_come_to(gateway: Any) -> None:
    assert not gateway["code"]["is_error"]
    assert gateway["code_calls"] > 5
    assert 0 < gateway["code"]["tokens"] < gateway["code_tokens"] / 20


@pytest.mark.promise("demo:gateway")
def test_a_fat_answer_is_cut_and_the_wanted_part_of_it_read(gateway: Any) -> None:
    assert gateway["fat"]["tokens"] < gateway["fat_tokens"] / 100
    assert "not shown: read_result(ref=" in gateway["fat"]["answer"]
    assert not gateway["read"]["is_error"]
    assert '"amount_cents":23500' in gateway["read"]["answer"]
    assert gateway["read"]["tokens"] < 100


@pytest.mark.promise("demo:story")
def test_the_demo_reads_as_a_story(tmp_path: Path, gateway: Any) -> None:
    said = toolbooth("demo", home=tmp_path)
    assert said.code == 0
    for words in (
        "1. ",
        "total",
        "per 1,000 calls",
        "look-alikes",
        "what to do",
        f"an agent sees 3 tools instead of 69: {gateway['menu_tokens']} tokens",
        '→ search_tools {"query": "open a new ticket',
        "Not called:",
        f"The ticket took {gateway['task_tokens']:,} tokens",
        "over budget",
        "toolbooth doctor",
        "toolbooth wrap",
    ):
        assert words in said.out
    assert "\x1b" not in said.out


@pytest.mark.promise("demo:suite")
def test_a_suite_proves_that_the_right_tools_are_still_found_for_less(asked: CommandResult) -> None:
    direct, search = asked.json["suite"]
    assert (direct["status"], search["status"]) == ("passed", "passed")
    before, after = (cell["verdicts"][0]["figures"] for cell in (direct, search))
    assert before["token_efficiency.f1"] == after["token_efficiency.f1"] == 100
    name = "token_efficiency.paid_tokens_per_correct"
    assert after[name] < before[name] / 2
