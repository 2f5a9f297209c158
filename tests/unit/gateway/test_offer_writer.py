"""Offers on their way into the cache: at once, again with their index, and at the latest when the gateway ends."""

from collections.abc import Callable, Coroutine
from dataclasses import replace
from pathlib import Path
from typing import Any

import anyio
import pytest

from toolbooth.catalog import ServerSpec, ServerTools, Tool
from toolbooth.gateway.cached_offer import CachedOffer
from toolbooth.gateway.offer_cache import CacheFolder, OfferCache
from toolbooth.gateway.offer_writer import OfferWriter
from toolbooth.gateway.tool_registry import ToolRegistry
from toolbooth.search import SearchEngine

pytestmark = pytest.mark.anyio


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("toolbooth.limits.WORK_AHEAD_AFTER", 0.0)


def spec(name: str) -> ServerSpec:
    return ServerSpec(name, "stdio", "command")


def offer(server: str, *names: str) -> ServerTools:
    return ServerTools(server, tuple(Tool.from_raw(server, {"name": name}) for name in names))


def entries(folder: Path) -> list[Path]:
    return list(folder.glob("*.server"))


class Gateway:
    """The parts of a gateway that know and keep offers; nothing runs in the background unless a test runs it."""

    def __init__(self, folder: Path) -> None:
        self.folder = CacheFolder(folder)
        self.engines: list[SearchEngine] = []
        self.registry = ToolRegistry(make_engine=self._engine)
        self.cache = OfferCache(self.folder)
        self.spawned: list[Callable[[], Coroutine[Any, Any, None]]] = []
        self.writer = OfferWriter(self.registry, self.cache, self._spawn, lambda: False)

    def _engine(self) -> SearchEngine:
        self.engines.append(SearchEngine(None))
        return self.engines[-1]

    def _spawn(self, function: Callable[..., Coroutine[Any, Any, None]], *arguments: Any) -> None:
        self.spawned.append(lambda: function(*arguments))

    def listed(self, *offers: ServerTools) -> None:
        for each in offers:
            self.registry.put(each)
            self.writer.listed(spec(each.server), each, {"tools": {}})

    def recall(self, server: str) -> None:
        known = self.cache.recall(spec(server))
        assert known is not None
        self.registry.put(known.offered, known.index)
        self.writer.recalled(spec(server), known)

    async def background(self) -> None:
        async with anyio.create_task_group() as tasks:
            for each in self.spawned:
                tasks.start_soon(each)
        self.spawned.clear()

    def kept(self, server: str) -> CachedOffer:
        known = self.folder.load(spec(server))
        assert known is not None
        return known


async def test_what_a_server_lists_is_kept_at_once_and_then_with_its_index(tmp_path: Path) -> None:
    gateway = Gateway(tmp_path)
    gateway.listed(offer("a", "x"))
    await gateway.spawned[0]()
    assert (gateway.kept("a").offered, gateway.kept("a").index) == (offer("a", "x"), None)
    await gateway.background()
    assert gateway.kept("a").index == gateway.registry.stored_index("a")


async def test_many_servers_are_joined_once_when_all_are_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    joins: list[int] = []
    real = SearchEngine._state

    def joined(engine: SearchEngine) -> Any:
        joins.extend([len(entries(tmp_path))] * (not engine.joined))
        return real(engine)

    monkeypatch.setattr(SearchEngine, "_state", joined)
    gateway = Gateway(tmp_path)
    gateway.listed(*(offer(f"s{number}", "x") for number in range(20)))
    await gateway.background()
    assert joins == [20]
    assert gateway.registry.warmed


async def test_what_is_recalled_without_an_index_gets_one_and_stays_as_old_as_it_was(tmp_path: Path) -> None:
    CacheFolder(tmp_path).save(spec("a"), offer("a", "x"), {"tools": {}}, refreshed=7.0)
    gateway = Gateway(tmp_path)
    gateway.recall("a")
    await gateway.writer.run()
    kept = gateway.kept("a")
    assert (kept.refreshed, kept.capabilities) == (7.0, {"tools": {}})
    assert kept.index == gateway.registry.stored_index("a")


async def test_an_index_that_other_rules_made_is_written_anew_once_it_was_looked_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = Gateway(tmp_path)
    first.listed(offer("a", "x"))
    with monkeypatch.context() as earlier:
        earlier.setattr("toolbooth.search.stored_block.rules", lambda: "earlier")
        await first.background()
    old = first.kept("a").index
    second = Gateway(tmp_path)
    second.recall("a")
    assert second.registry.search("x").hits
    await second.writer.run()
    assert second.kept("a").index not in (None, old)
    third = Gateway(tmp_path)
    third.recall("a")
    await third.registry.warm()
    assert third.registry.unsaved == ()


async def test_what_is_listed_just_before_the_end_is_written_with_its_index(tmp_path: Path) -> None:
    gateway = Gateway(tmp_path)
    gateway.listed(offer("a", "x"), offer("b", "y"))
    await gateway.writer.finish()  # nothing in the background has run
    assert gateway.kept("a").index
    assert gateway.kept("b").index


async def test_the_end_waits_only_so_long_for_the_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("toolbooth.limits.WRITE_AT_CLOSE", 0.0)
    gateway = Gateway(tmp_path)
    gateway.listed(*(offer(f"s{number}", "x") for number in range(20)))
    await gateway.writer.finish()
    assert len(entries(tmp_path)) < 20


async def test_an_offer_that_is_replaced_or_gone_meanwhile_is_not_written(tmp_path: Path) -> None:
    gateway = Gateway(tmp_path)
    gateway.listed(offer("a", "old"), offer("a", "new"), offer("b", "x"))
    gateway.registry.drop("b")
    gateway.writer.forget("b")
    await gateway.writer.finish()
    assert gateway.kept("a").offered == offer("a", "new")
    assert gateway.folder.load(spec("b")) is None


async def test_a_list_that_says_the_same_is_not_written_again(tmp_path: Path) -> None:
    first = Gateway(tmp_path)
    first.listed(offer("a", "x"))
    await first.background()
    (file,) = entries(tmp_path)
    before = file.stat().st_ino
    second = Gateway(tmp_path)
    second.recall("a")
    second.listed(offer("a", "x"))
    await second.background()
    assert file.stat().st_ino == before


class Holds:
    """A gate that holds back tools by name."""

    def __init__(self, *names: str) -> None:
        self._names = names

    def admit(self, offered: ServerTools) -> ServerTools:
        kept = tuple(tool for tool in offered.tools if tool.name not in self._names)
        return replace(offered, tools=kept) if len(kept) < len(offered.tools) else offered

    def forget(self, server: str) -> None:
        raise AssertionError(f"{server} is still served")

    def why(self, tool: Tool) -> str:
        return f"{tool.id} is held back"

    def note(self, count: int) -> str:
        return f"{count} held back"

    def approved_hints(self, tool: Tool) -> None:  # noqa: ARG002
        return None


@pytest.mark.parametrize(
    ("held", "later", "made_anew"),
    [("y", "y", False), ("y", "x", True), ("y", "none", True), ("none", "y", True), ("none", "none", False)],
)
async def test_the_index_of_what_a_lock_lets_pass_is_kept_for_just_that(
    tmp_path: Path, held: str, later: str, made_anew: bool
) -> None:
    first = Gateway(tmp_path)
    first.registry.gate = Holds(held)
    first.listed(offer("a", "x", "y"))
    await first.background()
    second = Gateway(tmp_path)
    second.registry.gate = Holds(later)
    second.recall("a")
    assert {hit.tool.name for hit in second.registry.search("x y").hits} == {"x", "y"} - {later}
    assert second.registry.unsaved == ("a",) * made_anew
    await second.writer.run()
    third = Gateway(tmp_path)
    third.registry.gate = Holds(later)
    third.recall("a")
    await third.registry.warm()
    assert third.registry.unsaved == ()


async def test_an_index_of_another_part_is_written_anew_also_where_the_server_listed_the_same(
    tmp_path: Path,
) -> None:
    first = Gateway(tmp_path)
    first.listed(offer("a", "x", "y"))
    await first.background()
    second = Gateway(tmp_path)
    second.registry.gate = Holds("y")
    second.recall("a")
    second.listed(offer("a", "x", "y"))
    await second.background()
    third = Gateway(tmp_path)
    third.registry.gate = Holds("y")
    third.recall("a")
    await third.registry.warm()
    assert third.registry.unsaved == ()
