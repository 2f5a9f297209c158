"""The gate of a registry with a lock: what it admits, what is said of the rest, and how often."""

import logging
from typing import Any

import pytest
from tests.locks import lock_of, tool_definition

from toolbooth.catalog import ServerTools, Tool, redact_raw
from toolbooth.contracts import digest_of
from toolbooth.gateway.contract_gate import ContractGate, LiveDigests
from toolbooth.gateway.public_names import UnknownName
from toolbooth.gateway.tool_registry import ToolRegistry
from toolbooth.limits import MOST_LOCK_NOTES
from toolbooth.search import SearchEngine

LOCKED = {"a": "One.", "b": "Two."}


def offer(server: str = "s", **words: str) -> ServerTools:
    tools = tuple(Tool.from_raw(server, tool_definition(name, said)) for name, said in words.items())
    return ServerTools(server, tools)


def contract_gate(mode: str = "enforce", **locked: str) -> ContractGate:
    made = ContractGate(mode, lambda _server: ())  # type: ignore[arg-type]
    made.take(lock_of(s=locked or LOCKED))
    return made


def registry(gate: ContractGate) -> ToolRegistry:
    made = ToolRegistry(["s"], make_engine=lambda: SearchEngine(None))
    made.gate = gate
    return made


def test_an_offer_that_is_as_locked_gets_in_as_it_is() -> None:
    offered = offer(**LOCKED)
    assert contract_gate().admit(offered) is offered
    made = registry(contract_gate())
    made.put(offered)
    assert made.shown_of(offered) is offered
    assert made.held() == ()
    assert made.held_note() == []


def test_what_is_held_back_is_known_by_every_spelling_and_shadows_nobody() -> None:
    made = ToolRegistry(["s", "t"], make_engine=lambda: SearchEngine(None))
    made.gate = contract_gate()
    made.put(offer(a="One.", new="Three."))
    made.put(offer("t", a="Evil twin."))
    for name in ("s.new", "s__new", "new", "`new`"):
        found = made.find(name)
        assert isinstance(found, UnknownName)
        assert found.held is not None
        assert found.held.tool.id == "s.new"
    bare = made.find("a")
    assert isinstance(bare, Tool)
    assert bare.server == "s"
    assert [tool.id for tool in made.held()] == ["s.new", "t.a"]
    assert [tool.id for tool in made.held("t")] == ["t.a"]


def test_vectors_of_a_whole_offer_do_not_serve_a_part_of_it() -> None:
    made = registry(contract_gate())
    offered = offer(a="One.", new="Three.")
    made.put(offered)
    assert made.shown_of(offered) is not offered


def test_what_is_our_own_passes_every_gate() -> None:
    made = registry(contract_gate())
    made.put(offer("scripts", tidy="Mine."), trusted=True)
    assert not made.judge_again()
    assert isinstance(made.find("scripts.tidy"), Tool)


def test_a_hidden_name_of_a_tool_runs_nothing_when_its_line_is_pasted() -> None:
    made = registry(contract_gate())
    made.put(offer(**{"x; rm -rf ~ \u202e$(id)`id`": "Three."}))
    (tool,) = made.held()
    why = made.held_back(tool.id)
    assert why is not None
    assert "--accept 's.x; rm -rf ~ \\u{202e}$(id)`id`' --reason" in why.why
    assert "\u202e" not in why.why


def test_the_log_has_a_line_for_what_differs_once_and_not_for_ever(caplog: pytest.LogCaptureFixture) -> None:
    gate = contract_gate()
    with caplog.at_level(logging.WARNING):
        for _time in range(3):
            gate.admit(offer(a="One.", b="Too."))
            gate.admit(offer(**LOCKED))
        assert [record.getMessage() for record in caplog.records] == ["s: 1 held back: b (changed)"]
        for number in range(2 * MOST_LOCK_NOTES):
            gate.admit(offer(**{f"new{number}": "x"}))
        assert len(caplog.records) == MOST_LOCK_NOTES
    assert gate.differing(["s", "t"]) == [f"s: 1 held back: new{2 * MOST_LOCK_NOTES - 1} (not in the lock)"]
    gate.forget("s")
    assert gate.differing(["s"]) == []


def test_many_differences_are_a_few_names_and_a_number() -> None:
    gate = contract_gate("warn")
    gate.admit(offer(**{f"new{number}": "x" for number in range(9)}))
    (line,) = gate.differing(["s"])
    assert line.endswith("new4 (not in the lock) and 4 more")
    assert gate.for_agents("s") == line.removeprefix("s: ")
    gate.use("enforce")
    assert gate.for_agents("s") == "9 held back"


def test_a_pending_tool_costs_no_digest() -> None:
    """A hostile server lists 20,000 of them at every look."""
    gate = contract_gate()
    hostile = Tool("s", "new", raw={"name": "new", "description": object()})  # no JSON: a digest would raise
    shown = gate.admit(ServerTools("s", (hostile,)))
    assert shown.tools == ()
    assert gate.counts("s") == {"approved": 0, "pending": 1, "changed": 0}


SECRETS = ('quo"ted\\secret', "schlüssel-4711", "half\udcffcharacter", "plain-4711")
RAW_TOOLS: list[dict[str, Any]] = [
    {"name": "a", "description": "plain"},
    {"name": "a", "inputSchema": {"default": 2**80}},
    {"name": "a", "description": "half \ud800 a character"},
    {"name": "a", "default": 1.0},
    {"name": "a", "default": True},
    *({"name": "a", "description": f"with {secret} in it"} for secret in SECRETS),
    {"name": "plain-4711", "plain-4711": "as a key"},
]


@pytest.mark.parametrize("raw", RAW_TOOLS, ids=repr)
def test_a_live_tool_has_the_digest_that_its_lock_would_have(raw: dict[str, Any]) -> None:
    assert LiveDigests(SECRETS).of(raw) == digest_of(redact_raw(raw, SECRETS))


def test_what_is_equal_to_python_alone_is_not_the_same() -> None:
    one, true, same = ({"name": "a", "default": value} for value in (1, True, 1.0))
    digests = LiveDigests(SECRETS)
    assert digests.of(one) == digests.of(same) != digests.of(true)
