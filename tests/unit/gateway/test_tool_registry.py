"""The tool registry: what servers offer, found by name and by words, before and after they come up."""

from typing import Any

import anyio
import anyio.lowlevel
import pytest
from tests.unit.search.sample_catalog import TOOLS, catalog

from toolbooth.catalog import ServerTools, Tool
from toolbooth.gateway.public_names import AmbiguousName, UnknownName
from toolbooth.gateway.tool_registry import ToolRegistry, ToolRepair
from toolbooth.search import SearchEngine


def words_only() -> SearchEngine:
    return SearchEngine(None)


def full_registry(make_engine: Any = words_only) -> ToolRegistry:
    registry = ToolRegistry([each.server for each in catalog().servers], make_engine=make_engine)
    for each in catalog().servers:
        registry.put(each)
    return registry


def server(name: str, *tools: str, **about: str) -> ServerTools:
    made = tuple(Tool.from_raw(name, {"name": tool, "inputSchema": {"type": "object"}}) for tool in tools)
    return ServerTools(name, made, **about)  # type: ignore[arg-type]


def test_only_a_changed_definition_is_a_change() -> None:
    registry = ToolRegistry(["s"])
    assert registry.put(server("s", "a"))
    version = registry.version
    assert not registry.put(server("s", "a"))
    assert registry.version == version
    assert registry.put(server("s", "a", "b"))


def test_other_words_about_a_server_are_new_but_no_new_definitions() -> None:
    registry = ToolRegistry(["s"])
    registry.put(server("s", "a"))
    version = registry.version
    assert not registry.put(server("s", "a", instructions="for tests"))
    assert registry.version > version
    assert registry.servers["s"].instructions == "for tests"


def test_a_new_title_alone_is_a_changed_definition() -> None:
    registry = ToolRegistry(["s"])
    registry.put(ServerTools("s", (Tool.from_raw("s", {"name": "a"}),)))
    assert registry.put(ServerTools("s", (Tool.from_raw("s", {"name": "a", "title": "A"}),)))


def test_servers_are_in_the_order_of_the_config_whichever_came_first() -> None:
    registry = ToolRegistry(["b", "a"])
    for name in ("x", "a", "b"):
        registry.put(server(name, "t"))
    assert [each.server for each in registry.catalog.servers] == ["b", "a", "x"]
    assert list(registry.servers) == ["b", "a", "x"]


def test_a_new_config_drops_what_it_does_not_name() -> None:
    registry = ToolRegistry(["a", "b"])
    registry.put(server("a", "one"))
    registry.put(server("b", "two"))
    registry.configure(["b"])
    assert list(registry.servers) == ["b"]
    assert isinstance(registry.find("a.one"), UnknownName)
    assert registry.names.public(registry.catalog.tools[0]) == "b__two"


def test_tools_are_found_by_every_spelling_and_gone_when_dropped() -> None:
    registry = full_registry()
    for name in ("github.create_issue", "github__create_issue", "create_issue"):
        found = registry.find(name)
        assert isinstance(found, Tool)
        assert found.id == "github.create_issue"
    registry.drop("github")
    registry.drop("github")
    assert isinstance(registry.find("github.create_issue"), UnknownName)


def test_an_ambiguous_name_has_candidates_and_an_unknown_one_the_nearest() -> None:
    registry = full_registry()
    registry.put(server("jira", "create_issue"))
    assert registry.find("create_issue") == AmbiguousName(
        "create_issue", ("github.create_issue", "jira.create_issue")
    )
    unknown = registry.find("files.read_fiel")
    assert isinstance(unknown, UnknownName)
    assert unknown.nearest[0] == "files.read_file"
    assert len(unknown.nearest) <= 3


@pytest.mark.anyio
async def test_once_the_search_is_up_the_words_of_an_unknown_name_help() -> None:
    registry = full_registry()
    before = registry.find("weather_prediction_forecast")
    await registry.warm()
    after = registry.find("weather_prediction_forecast")
    assert isinstance(before, UnknownName)
    assert isinstance(after, UnknownName)
    assert "weather.get_forecast" in after.nearest


@pytest.mark.anyio
async def test_nothing_is_made_before_the_first_search() -> None:
    made = []

    def make() -> SearchEngine:
        made.append(1)
        return words_only()

    registry = full_registry(make)
    registry.find("no_such_tool")
    assert registry.unsaved == ()
    assert made == []
    await registry.warm()
    await registry.warm()
    assert made == [1]


@pytest.mark.anyio
async def test_the_search_follows_the_registry() -> None:
    registry = full_registry()
    await registry.warm()
    assert registry.search("create an issue", 1).hits[0].tool.id == "github.create_issue"
    registry.drop("github")
    assert all(hit.tool.server != "github" for hit in registry.search("create an issue").hits)
    registry.put(ServerTools("github", tuple(tool for tool in TOOLS if tool.server == "github")))
    await registry.warm()
    assert registry.search("create an issue", 1, server="github").hits


@pytest.mark.anyio
async def test_the_loop_lives_while_the_search_is_made() -> None:
    registry = full_registry(SearchEngine)
    beats = 0
    async with anyio.create_task_group() as group:
        group.start_soon(registry.warm)
        group.start_soon(registry.warm)
        while not registry._index.fresh:
            beats += 1
            await anyio.lowlevel.checkpoint()
    assert beats > 1
    assert registry.search("send a mail").hits


def test_what_is_used_is_found_a_little_sooner() -> None:
    registry = full_registry()
    before = registry.search("repository issue", 2).hits
    registry.used(before[1].tool.id)
    for _ in range(1000):
        registry.used(before[1].tool.id)
    boosts = {hit.tool.id: hit.why.usage_boost for hit in registry.search("repository issue", 2).hits}
    assert boosts[before[1].tool.id] > 0
    assert registry.usage[before[1].tool.id] == 1001


def test_an_index_comes_back_from_the_cache_and_a_strange_one_is_made_anew() -> None:
    registry = full_registry(SearchEngine)
    expected = registry.search("open a ticket")
    stored = registry.stored_index("github")
    assert stored is not None
    for kept, unsaved in ((stored, False), (stored[:-1], True), (b"", True), (b"short", True)):
        other = ToolRegistry(registry.configured, make_engine=SearchEngine)
        for each in catalog().servers:
            other.put(each, kept if each.server == "github" else None)
        assert other.search("open a ticket") == expected
        assert ("github" in other.unsaved) is unsaved


def test_the_index_of_one_server_is_made_without_joining_it_with_the_others() -> None:
    engines: list[SearchEngine] = []

    def make() -> SearchEngine:
        engines.append(SearchEngine(None))
        return engines[0]

    registry = full_registry(make)
    for each in registry.configured:
        assert registry.stored_index(each)
    assert engines[0]._joined is None
    assert registry.stored_index("nowhere") is None


def test_an_offer_that_is_listed_again_is_still_shown_whole() -> None:
    registry = ToolRegistry(["s"])
    registry.put(server("s", "a"))
    again = server("s", "a")
    assert not registry.put(again)
    assert registry.shown_of(again) == again


def test_a_tool_that_an_sdk_would_refuse_is_repaired_and_noted_once() -> None:
    registry = ToolRegistry(["s"])
    raw_tools = (
        {"name": "a", "inputSchema": {"properties": {}}},
        {"name": "b", "inputSchema": {"type": "object"}},
    )
    for _ in range(2):
        registry.put(ServerTools("s", tuple(Tool.from_raw("s", raw) for raw in raw_tools)))
    assert registry.repairs == (ToolRepair("s.a", "its input schema has no type"),)


@pytest.mark.anyio
async def test_a_name_longer_than_any_tools_is_not_searched_for(monkeypatch: pytest.MonkeyPatch) -> None:
    registry = full_registry()
    await registry.warm()
    asked: list[str] = []
    real = registry.search

    def search(query: str, *rest: Any) -> Any:
        asked.append(query)
        return real(query, *rest)

    monkeypatch.setattr(registry, "search", search)
    assert isinstance(registry.find("x" * 60_000), UnknownName)
    assert asked == []
    assert isinstance(registry.find("read_fiel"), UnknownName)
    assert asked == ["read_fiel"]
