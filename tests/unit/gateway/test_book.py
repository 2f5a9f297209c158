"""The book: what servers offer, found by name and by words, before and after they come up."""

from typing import Any

import anyio
import anyio.lowlevel
import numpy as np
import pytest
from tests.unit.search.shelf import TOOLS, catalog

from toolbooth.catalog import ServerTools, Tool
from toolbooth.gateway.book import Book, Repair
from toolbooth.gateway.names import Ambiguous, Unknown
from toolbooth.search import SearchEngine


def words_only() -> SearchEngine:
    return SearchEngine(None)


def full_book(make_engine: Any = words_only) -> Book:
    book = Book([each.server for each in catalog().servers], make_engine=make_engine)
    for each in catalog().servers:
        book.put(each)
    return book


def server(name: str, *tools: str, **about: str) -> ServerTools:
    made = tuple(Tool.from_wire(name, {"name": tool, "inputSchema": {"type": "object"}}) for tool in tools)
    return ServerTools(name, made, **about)  # type: ignore[arg-type]


def test_only_a_changed_definition_is_a_change() -> None:
    book = Book(["s"])
    assert book.put(server("s", "a"))
    version = book.version
    assert not book.put(server("s", "a"))
    assert book.version == version
    assert book.put(server("s", "a", "b"))


def test_other_words_about_a_server_are_new_but_no_new_definitions() -> None:
    book = Book(["s"])
    book.put(server("s", "a"))
    version = book.version
    assert not book.put(server("s", "a", instructions="for tests"))
    assert book.version > version
    assert book.servers["s"].instructions == "for tests"


def test_a_new_title_alone_is_a_changed_definition() -> None:
    book = Book(["s"])
    book.put(ServerTools("s", (Tool.from_wire("s", {"name": "a"}),)))
    assert book.put(ServerTools("s", (Tool.from_wire("s", {"name": "a", "title": "A"}),)))


def test_servers_stand_in_the_order_of_the_config_whichever_came_first() -> None:
    book = Book(["b", "a"])
    for name in ("x", "a", "b"):
        book.put(server(name, "t"))
    assert [each.server for each in book.catalog.servers] == ["b", "a", "x"]
    assert list(book.servers) == ["b", "a", "x"]


def test_a_new_config_drops_what_it_does_not_name() -> None:
    book = Book(["a", "b"])
    book.put(server("a", "one"))
    book.put(server("b", "two"))
    book.configure(["b"])
    assert list(book.servers) == ["b"]
    assert isinstance(book.find("a.one"), Unknown)
    assert book.names.public(book.catalog.tools[0]) == "two"


def test_tools_are_found_by_every_spelling_and_gone_when_dropped() -> None:
    book = full_book()
    for name in ("github.create_issue", "github__create_issue", "create_issue"):
        found = book.find(name)
        assert isinstance(found, Tool)
        assert found.id == "github.create_issue"
    book.drop("github")
    book.drop("github")
    assert isinstance(book.find("github.create_issue"), Unknown)


def test_an_ambiguous_name_has_candidates_and_an_unknown_one_the_nearest() -> None:
    book = full_book()
    book.put(server("jira", "create_issue"))
    assert book.find("create_issue") == Ambiguous(
        "create_issue", ("github.create_issue", "jira.create_issue")
    )
    unknown = book.find("files.read_fiel")
    assert isinstance(unknown, Unknown)
    assert unknown.nearest[0] == "files.read_file"
    assert len(unknown.nearest) <= 3


@pytest.mark.anyio
async def test_once_the_search_is_up_the_words_of_an_unknown_name_help() -> None:
    book = full_book()
    before = book.find("weather_prediction_forecast")
    await book.warm()
    after = book.find("weather_prediction_forecast")
    assert isinstance(before, Unknown)
    assert isinstance(after, Unknown)
    assert "weather.get_forecast" in after.nearest


@pytest.mark.anyio
async def test_nothing_is_made_before_the_first_search() -> None:
    made = []

    def make() -> SearchEngine:
        made.append(1)
        return words_only()

    book = full_book(make)
    book.find("no_such_tool")
    assert book.vectors("github") is None
    assert made == []
    await book.warm()
    await book.warm()
    assert made == [1]


@pytest.mark.anyio
async def test_the_search_follows_the_book() -> None:
    book = full_book()
    await book.warm()
    assert book.search("create an issue", 1).hits[0].tool.id == "github.create_issue"
    book.drop("github")
    assert all(hit.tool.server != "github" for hit in book.search("create an issue").hits)
    book.put(ServerTools("github", tuple(tool for tool in TOOLS if tool.server == "github")))
    await book.warm()
    assert book.search("create an issue", 1, server="github").hits


@pytest.mark.anyio
async def test_the_loop_lives_while_the_search_is_made() -> None:
    book = full_book(SearchEngine)
    beats = 0
    async with anyio.create_task_group() as group:
        group.start_soon(book.warm)
        group.start_soon(book.warm)
        while not book._index.fresh:
            beats += 1
            await anyio.lowlevel.checkpoint()
    assert beats > 1
    assert book.search("send a mail").hits


def test_what_is_used_is_found_a_little_sooner() -> None:
    book = full_book()
    before = book.search("repository issue", 2).hits
    book.used(before[1].tool.id)
    for _ in range(1000):
        book.used(before[1].tool.id)
    boosts = {hit.tool.id: hit.why.usage_boost for hit in book.search("repository issue", 2).hits}
    assert boosts[before[1].tool.id] > 0
    assert book.usage[before[1].tool.id] == 1001


def test_vectors_come_back_from_the_cache_and_strange_ones_are_made_anew() -> None:
    book = full_book(SearchEngine)
    expected = [hit.tool.id for hit in book.search("open a ticket").hits]
    stored = book.vectors("github")
    assert stored is not None
    offered = book.servers["github"]
    for kept in (
        stored,
        stored._replace(embedder="other"),
        stored._replace(rows=b"short"),
        stored._replace(columns=0),
    ):
        other = Book(book.configured)
        for each in catalog().servers:
            other.put(each, kept if each is offered or each.server == "github" else None)
        assert [hit.tool.id for hit in other.search("open a ticket").hits] == expected
    rows = stored.fitting(SearchEngine(), len(offered.tools))
    assert rows is not None
    assert rows.dtype == np.float32


def test_a_tool_that_an_sdk_would_refuse_is_repaired_and_noted_once() -> None:
    book = Book(["s"])
    wires = (
        {"name": "a", "inputSchema": {"properties": {}}},
        {"name": "b", "inputSchema": {"type": "object"}},
    )
    for _ in range(2):
        book.put(ServerTools("s", tuple(Tool.from_wire("s", wire) for wire in wires)))
    assert book.repairs == (Repair("s.a", "its input schema has no type"),)


@pytest.mark.anyio
async def test_a_name_longer_than_any_tools_is_not_searched_for(monkeypatch: pytest.MonkeyPatch) -> None:
    book = full_book()
    await book.warm()
    asked: list[str] = []
    real = book.search

    def search(query: str, *rest: Any) -> Any:
        asked.append(query)
        return real(query, *rest)

    monkeypatch.setattr(book, "search", search)
    assert isinstance(book.find("x" * 60_000), Unknown)
    assert asked == []
    assert isinstance(book.find("read_fiel"), Unknown)
    assert asked == ["read_fiel"]
