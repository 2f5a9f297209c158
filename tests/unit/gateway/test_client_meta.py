"""What `_meta` tells clients: which tools to load at once, and words to find the others by."""

from dataclasses import replace
from typing import Any

import pytest
from tests.unit.gateway.sample_registry import sample_registry

from toolbooth.catalog import ServerTools, Tool
from toolbooth.catalog.config import GatewaySettings
from toolbooth.gateway.client_meta import ALWAYS_LOAD, SEARCH_HINT, hints_ahead
from toolbooth.gateway.surfaces import build
from toolbooth.gateway.tool_registry import ToolRegistry
from toolbooth.gateway.upstreams.tool_list import work_ahead
from toolbooth.tokens import weigh

SETTINGS = GatewaySettings()
RICH: dict[str, Any] = {
    "name": "create_issue",
    "title": "Create an issue",
    "icons": [{"src": "data:image/png;base64,AA==", "mimeType": "image/png", "sizes": ["48x48"]}],
    "inputSchema": {"type": "object", "properties": {"repo": {"type": "string"}}},
    "annotations": {"title": "New issue", "destructiveHint": False},
    "_meta": {"ui": {"resourceUri": "ui://issue"}, "anthropic/maxResultSizeChars": 5_000},
}


def listed(surface: str, *raw: dict[str, Any], **settings: Any) -> dict[str, dict[str, Any]]:
    registry = ToolRegistry(["s"])
    registry.put(ServerTools("s", tuple(Tool.from_raw("s", each) for each in raw)))
    return {each["name"]: each for each in build(surface, registry, replace(SETTINGS, **settings)).menu()}


@pytest.mark.parametrize("surface", ["search", "code", "full"])
@pytest.mark.promise("surface:loaded")
def test_every_tool_of_a_short_menu_is_loaded_at_once(surface: str) -> None:
    menu = listed(surface, RICH, always_visible=("s.create_issue",))
    assert "s__create_issue" in menu
    assert all(entry["_meta"][ALWAYS_LOAD] is True for entry in menu.values())


@pytest.mark.promise("surface:loaded")
def test_a_pinned_tool_keeps_its_own_meta_title_and_icons() -> None:
    pinned = listed("search", RICH, always_visible=("s.create_issue",), slim=False)["s__create_issue"]
    assert pinned == {**RICH, "name": "s__create_issue", "_meta": {**RICH["_meta"], ALWAYS_LOAD: True}}


@pytest.mark.promise("surface:loaded")
def test_tools_of_direct_may_be_deferred() -> None:
    menu = listed("direct", RICH)
    assert ALWAYS_LOAD not in str(menu["s__create_issue"])
    assert menu["read_result"]["_meta"][ALWAYS_LOAD] is True  # cut answers name it
    theirs = {**RICH, "_meta": {ALWAYS_LOAD: True}}
    assert listed("direct", theirs)["s__create_issue"]["_meta"][ALWAYS_LOAD] is True


@pytest.mark.promise("surface:hints")
def test_a_tool_of_direct_keeps_its_own_meta_title_and_icons_and_gets_a_hint() -> None:
    entry = listed("direct", RICH)["s__create_issue"]
    hint = entry["_meta"].pop(SEARCH_HINT)
    assert "ticket" in hint.split()
    assert entry == {**RICH, "name": "s__create_issue"}


@pytest.mark.parametrize("theirs", ["a ticket", ""])
@pytest.mark.promise("surface:hints")
def test_a_hint_of_the_server_itself_stays(theirs: str) -> None:
    given = {**RICH, "_meta": {SEARCH_HINT: theirs}}
    assert listed("direct", given)["s__create_issue"]["_meta"] == {SEARCH_HINT: theirs}


@pytest.mark.promise("surface:hints")
def test_without_slimming_the_meta_of_direct_is_what_the_server_sent() -> None:
    assert listed("direct", RICH, slim=False)["s__create_issue"]["_meta"] == RICH["_meta"]


def test_a_tool_without_anything_to_add_gets_no_meta() -> None:
    assert "_meta" not in listed("direct", {"name": "frobnicate"})["s__frobnicate"]


def test_hints_are_found_once_for_each_tool(monkeypatch: pytest.MonkeyPatch) -> None:
    registry = sample_registry()
    hints_ahead(registry.catalog.tools)
    monkeypatch.setattr("toolbooth.search.hint.field_texts", None)  # a second search for words would fail
    menu = build("direct", registry, SETTINGS).menu()
    assert all(SEARCH_HINT in entry["_meta"] for entry in menu if entry["name"] != "read_result")


def test_no_hint_is_found_before_a_menu_shows_it(monkeypatch: pytest.MonkeyPatch) -> None:
    registry = sample_registry()
    monkeypatch.setattr("toolbooth.search.hint.field_texts", None)  # a search for words would fail
    for each in registry.catalog.servers:
        work_ahead(ServerTools(each.server, tuple(replace(tool) for tool in each.tools)), slim=True)


@pytest.mark.parametrize("surface", ["search", "code", "full", "direct"])
@pytest.mark.promise("surface:budget")
def test_meta_is_not_counted_because_no_model_reads_it(surface: str) -> None:
    menu = list(build(surface, sample_registry(), SETTINGS).menu())
    bare = [{key: value for key, value in entry.items() if key != "_meta"} for entry in menu]
    assert menu != bare
    assert weigh(menu).total_tokens == weigh(bare).total_tokens
