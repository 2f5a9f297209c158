"""Failures as an agent reads them: short, clean, and with what to do next."""

import json
from typing import Any

import pytest
from tests.unit.gateway.sample_registry import sample_registry

from toolbooth import errors
from toolbooth.catalog import Tool
from toolbooth.errors import BackendFault, FrameTooLarge, ToolHeldBack
from toolbooth.gateway.agent_texts import (
    ambiguous_tool,
    definition_text,
    not_found,
    unknown_tool,
    upstream_failed,
)
from toolbooth.gateway.public_names import AmbiguousName, UnknownName
from toolbooth.tokens import count

COMPLETE = (ToolHeldBack,)  # they say themselves what to do
FAULTS = [
    kind
    for kind in vars(errors).values()
    if isinstance(kind, type) and issubclass(kind, BackendFault) and kind not in COMPLETE
]


def why_unknown(name: str, *builtin_tools: Any) -> str:
    registry = sample_registry()
    return unknown_tool(registry, name, registry.find(name), *builtin_tools)


@pytest.mark.parametrize("kind", FAULTS)
def test_every_fault_is_two_short_sentences_with_advice(kind: type[BackendFault]) -> None:
    said = upstream_failed(kind("ended with code 1; it said: \x1b[31mboom\x1b[0m\n\u202eevil.", "github"))
    assert said.startswith("github: ended with code 1; it said: boom \\u{202e}evil. ")
    assert said.endswith(".")
    assert "\n" not in said
    assert count(said) <= 70


def test_too_large_an_answer_has_advice_of_its_own() -> None:
    assert "Ask for less" in upstream_failed(FrameTooLarge("sent more than 16 MiB", "x"))


def test_an_unknown_name_is_said_with_the_nearest_and_how_to_search() -> None:
    said = why_unknown("github.create_isue")
    assert said.startswith('There is no tool "github.create_isue". Nearest: github.create_issue')
    assert said.endswith("search_tools finds tools by what they do.")
    assert not_found(UnknownName("x\x07" * 200)).startswith('There is no tool "x\\x07x')


def test_a_tool_that_is_behind_the_menu_is_said_to_be_called_through_it() -> None:
    said = why_unknown("github__create_issue")
    assert (
        said
        == '"github__create_issue" is not in this menu: use call_tool(name="github.create_issue", arguments={…}).'
    )


def test_where_the_menu_holds_every_tool_the_nearest_are_named_as_it_names_them() -> None:
    said = why_unknown("github__create_isue", ())
    assert said.startswith('There is no tool "github__create_isue". Nearest: github__create_issue')
    assert "search_tools" not in said
    assert "Nearest: github__create_issue." in why_unknown("github.create_issue", ())


def test_an_ambiguous_name_is_said_with_its_candidates() -> None:
    found = AmbiguousName("go", ("a.go", "b.go"))
    assert (
        ambiguous_tool(found)
        == not_found(found)
        == 'Several tools are called "go": a.go, b.go. Use one of these.'
    )


def test_a_definition_shows_the_schema_where_the_signature_had_to_leave_out() -> None:
    values = [f"value{number}" for number in range(9)]
    schema = {"type": "object", "properties": {"kind": {"enum": values, "description": "Which."}}}
    head, shown = definition_text(Tool("s", "t", "Do it.", schema)).splitlines()
    assert head == "s.t(kind:value0|value1|value2|…) — Do it."
    assert json.loads(shown) == schema


def test_an_enormous_schema_is_shown_only_when_asked_for() -> None:
    values = [f"value number {number}" for number in range(2000)]
    tool = Tool(
        "s", "t", "", {"type": "object", "properties": {"kind": {"enum": values, "description": "Which."}}}
    )
    assert len(definition_text(tool)) < 400
    assert "brief=false" in definition_text(tool)
    assert "value number 1999" in definition_text(tool, brief=False)


def test_a_definition_is_clean_whatever_a_server_sends() -> None:
    schema = {"type": "object", "properties": {"a\x1b[2J": {"description": "\x1b]0;x\x07 clean"}}}
    tool = Tool("s", "t", "Line\n\x1b[1mtwo", schema)
    assert "\x1b" not in definition_text(tool)
    assert len(definition_text(Tool("s", "t", "word " * 10_000))) < 1_000
