"""Filters of tools: what the entry of a client's config lets through, whichever client it is of."""

from typing import Any

import pytest

from toolbooth.catalog import EVERY_TOOL, ServerTools, Tool, ToolFilter
from toolbooth.catalog.tool_filter import filter_of_entry, matches, unread_filter

NAMES = ("get", "put", "rm")


def let(entry: dict[str, Any]) -> list[str]:
    return [name for name in NAMES if filter_of_entry(entry).lets(name)]


@pytest.mark.promise("filters:read")
@pytest.mark.parametrize(
    ("entry", "kept"),
    [
        ({}, ["get", "put", "rm"]),
        ({"enabled_tools": ["get", "put"], "disabled_tools": ["put"]}, ["get"]),  # Codex
        ({"enabled_tools": []}, []),  # Codex offers nothing of such a server (0.169.0)
        ({"includeTools": ["get", "put(x)"], "excludeTools": ["get"]}, ["put"]),  # Gemini CLI
        ({"tools": ["*"]}, ["get", "put", "rm"]),  # Copilot CLI
        ({"tools": ["rm"]}, ["rm"]),
        ({"tools": "get, rm"}, ["get", "rm"]),
        ({"disabledTools": ["rm"], "alwaysAllow": ["get"]}, ["get", "put"]),  # Windsurf, Kiro, Roo Code
        ({"disabledTools": []}, ["get", "put", "rm"]),
        ({"tools": None, "excludeTools": None}, ["get", "put", "rm"]),
    ],
)
def test_each_clients_keys_are_read(entry: dict[str, Any], kept: list[str]) -> None:
    assert let(entry) == kept
    assert unread_filter(entry) == ""


@pytest.mark.parametrize("value", [{"rm": False}, 3, True, ["rm", 4], [["rm"]]])
def test_what_is_no_list_of_names_is_named_and_hides_nothing(value: object) -> None:
    assert unread_filter({"excludeTools": value}) == "excludeTools"
    assert let({"excludeTools": value}) == list(NAMES)


def test_of_two_filters_both_hold() -> None:
    both = filter_of_entry({"tools": ["get", "put"]}).joined(filter_of_entry({"disabledTools": ["put"]}))
    assert [name for name in NAMES if both.lets(name)] == ["get"]
    assert both.keys == ("tools", "disabledTools")
    assert EVERY_TOOL.joined(EVERY_TOOL) == EVERY_TOOL


def test_a_server_without_a_filter_is_the_very_same_object() -> None:
    offered = ServerTools("s", tuple(Tool("s", name) for name in NAMES))
    assert EVERY_TOOL.of(offered) is offered
    assert ToolFilter(without=frozenset({"other"})).of(offered) is offered
    assert [tool.name for tool in ToolFilter(without=frozenset({"rm"})).of(offered).tools] == ["get", "put"]


@pytest.mark.parametrize(
    ("rule", "name", "meant"),
    [
        ("a", "a", True),
        ("a", "ab", False),
        ("*", "", True),
        ("a*", "a", True),
        ("a*a", "a", False),
        ("a*b*c", "a.b.b.c", True),
        ("a*b*c", "a.c.b", False),
        ("*_rm*", "x_rm_all", True),
        ("a*" * 5000 + "b", "a" * 9000, False),
    ],
)
def test_a_star_stands_for_any_text(rule: str, name: str, meant: bool) -> None:
    assert matches(rule, name) is meant
