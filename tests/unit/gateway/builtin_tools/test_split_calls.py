"""What a call may do, by the hints of its server and of the lock, and which variant may make it."""

from dataclasses import replace
from typing import Any

import pytest
from tests.locks import lock_of, tool_definition

from toolbooth.catalog import ServerTools, Tool
from toolbooth.gateway.builtin_tools.split_calls import (
    EFFECTS,
    VARIANTS,
    Effect,
    call_name,
    effect_of,
    mark_of,
    wrong_variant,
)
from toolbooth.gateway.contract_gate import ContractGate
from toolbooth.gateway.public_names import CALL_NAMES
from toolbooth.gateway.tool_registry import ToolRegistry
from toolbooth.search import SearchEngine

READS: dict[str, Any] = {"readOnlyHint": True}
DESTROYS: dict[str, Any] = {"readOnlyHint": False, "destructiveHint": True}


def tool(hints: object) -> Tool:
    raw = {**tool_definition("t", "Does it."), **({} if hints is None else {"annotations": hints})}
    return Tool.from_raw("s", raw)


def registry(gate: ContractGate | None = None) -> ToolRegistry:
    made = ToolRegistry(["s"], make_engine=lambda: SearchEngine(None))
    made.gate = gate
    return made


def locked(mode: str, hints: dict[str, Any]) -> ContractGate:
    gate = ContractGate(mode, lambda _server: ())  # type: ignore[arg-type]
    lock = lock_of(s={"t": "Does it."})
    contract = lock.contracts.servers["s"].tools["t"]
    raw = {**contract.raw, "annotations": hints}
    server = replace(lock.contracts.servers["s"], tools={"t": replace(contract, raw=raw)})
    gate.take(replace(lock, contracts=replace(lock.contracts, servers={"s": server})))
    return gate


@pytest.mark.parametrize(
    ("hints", "effect"),
    [
        (None, Effect.WRITE),
        ({}, Effect.WRITE),
        ({"title": "T"}, Effect.WRITE),
        (READS, Effect.READ),
        ({"readOnlyHint": False}, Effect.WRITE),
        ({"readOnlyHint": False, "destructiveHint": False}, Effect.WRITE),
        (DESTROYS, Effect.DESTROY),
        ({"destructiveHint": True}, Effect.DESTROY),
        ({"readOnlyHint": True, "destructiveHint": True}, Effect.DESTROY),
        ({"readOnlyHint": "true"}, Effect.WRITE),
    ],
)
def test_without_hints_a_tool_may_write_and_a_contradiction_counts_as_the_stricter(
    hints: object, effect: Effect
) -> None:
    assert effect_of(registry(), tool(hints)) is effect


@pytest.mark.promise("approvals:lock")
@pytest.mark.parametrize("mode", ["enforce", "warn"])
def test_a_server_cannot_relabel_its_tool_as_milder_than_it_was_approved(mode: str) -> None:
    gate = locked(mode, DESTROYS)
    assert effect_of(registry(gate), tool(READS)) is Effect.DESTROY
    assert wrong_variant(registry(gate), tool(READS), "call_read_tool")
    assert mark_of(registry(gate), tool(READS)) == "[destructive]"


@pytest.mark.promise("approvals:lock")
def test_a_server_may_call_its_tool_worse_than_it_was_approved() -> None:
    assert effect_of(registry(locked("warn", READS)), tool(DESTROYS)) is Effect.DESTROY
    assert effect_of(registry(locked("warn", READS)), tool(READS)) is Effect.READ
    assert effect_of(registry(locked("warn", {})), tool(READS)) is Effect.WRITE


def test_a_tool_that_the_lock_does_not_know_is_taken_at_its_word() -> None:
    gate = locked("warn", DESTROYS)
    assert effect_of(registry(gate), replace(tool(READS), name="other")) is Effect.READ


def test_a_saved_script_may_do_anything() -> None:
    made = registry()
    made.put(ServerTools("s", (tool(READS),)), trusted=True)
    assert effect_of(made, tool(READS)) is Effect.DESTROY


@pytest.mark.promise("approvals:split")
@pytest.mark.parametrize("hints", [READS, None, DESTROYS])
@pytest.mark.parametrize("through", CALL_NAMES)
def test_a_variant_calls_what_is_milder_and_call_tool_calls_everything(through: str, hints: object) -> None:
    effect = effect_of(registry(), tool(hints))
    said = wrong_variant(registry(), tool(hints), through)
    assert bool(said) is (through in EFFECTS and EFFECTS[through] < effect)
    assert not said or VARIANTS[effect].name in said


def test_a_program_calls_through_what_the_menu_has() -> None:
    variants = [each.name for each in VARIANTS.values()]
    assert [call_name(menu) for menu in (["call_tool"], variants, ["read_result"])] == [
        "call_tool",
        "call_destructive_tool",
        "",
    ]
