"""What is remembered of servers between two starts."""

import gc
import logging
from pathlib import Path

import pytest

from toolbooth.catalog import ServerSpec, ServerTools, Tool
from toolbooth.gateway import process
from toolbooth.gateway.offer_cache import CacheFolder, OfferCache, recalling

pytestmark = pytest.mark.anyio
SPEC = ServerSpec("one", "stdio", "command")


def offer(*names: str) -> ServerTools:
    raw_tools = [{"name": name, "inputSchema": {"type": "object"}} for name in names]
    return ServerTools("one", tuple(Tool.from_raw("one", raw) for raw in raw_tools))


def kept(folder: Path) -> Path:
    (file,) = folder.glob("*.server")
    return file


async def keep(folder: Path, offered: ServerTools, index: bytes | None = None) -> None:
    await OfferCache(CacheFolder(folder)).store(SPEC, offered, {"tools": {}}, index)


async def test_what_a_server_offered_is_known_after_a_restart(tmp_path: Path) -> None:
    await keep(tmp_path, offer("a", "b"))
    offer_cache = OfferCache(CacheFolder(tmp_path))
    assert not offer_cache.fresh(SPEC)
    known = offer_cache.recall(SPEC)
    assert known is not None
    assert (known.offered, known.capabilities) == (offer("a", "b"), {"tools": {}})
    assert offer_cache.fresh(SPEC)


async def test_what_is_old_is_known_but_not_fresh(tmp_path: Path) -> None:
    CacheFolder(tmp_path).save(SPEC, offer("a"), {}, refreshed=1.0)
    offer_cache = OfferCache(CacheFolder(tmp_path))
    assert offer_cache.recall(SPEC) is not None
    assert not offer_cache.fresh(SPEC)


async def test_the_same_offer_is_new_only_when_what_is_kept_is_old(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await keep(tmp_path, offer("a"))
    offer_cache = OfferCache(CacheFolder(tmp_path))
    offer_cache.recall(SPEC)
    assert not offer_cache.seen(SPEC, offer("a"))
    assert offer_cache.seen(SPEC, offer("a", "b"))
    monkeypatch.setattr("toolbooth.limits.CACHE_MAX_AGE", 0.0)
    assert offer_cache.seen(SPEC, offer("a", "b"))


async def test_an_index_is_kept_for_the_offer_it_was_made_of(tmp_path: Path) -> None:
    await keep(tmp_path, offer("a"), b"index")
    offer_cache = OfferCache(CacheFolder(tmp_path))
    offer_cache.recall(SPEC)
    assert offer_cache.indexed(SPEC)
    offer_cache.seen(SPEC, offer("a"))
    assert offer_cache.indexed(SPEC)
    offer_cache.seen(SPEC, offer("b"))
    assert not offer_cache.indexed(SPEC)


async def test_what_is_written_again_is_as_old_as_it_was(tmp_path: Path) -> None:
    await OfferCache(CacheFolder(tmp_path)).store(SPEC, offer("a"), {}, b"index", refreshed=1.0)
    known = CacheFolder(tmp_path).load(SPEC)
    assert known is not None
    assert (known.refreshed, known.index) == (1.0, b"index")


async def test_each_problem_is_logged_once(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    await keep(tmp_path, offer("a"))
    kept(tmp_path).write_bytes(b"junk")
    with caplog.at_level(logging.WARNING):
        offer_cache = OfferCache(CacheFolder(tmp_path))
        assert (offer_cache.recall(SPEC), offer_cache.recall(SPEC)) == (None, None)
    assert [record.getMessage() for record in caplog.records] == offer_cache.notes
    assert offer_cache.notes == ["the cache of one is damaged; it is written again"]


@pytest.fixture
def froze(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Whether the collector ran, for each time that the heap was frozen, in a process that is not known to be ours."""
    monkeypatch.setattr(process, "_heap", process._Heap())
    frozen: list[bool] = []
    monkeypatch.setattr("gc.freeze", lambda: frozen.append(gc.isenabled()))
    return frozen


def recall(tools: int) -> None:
    with recalling() as count:
        assert not gc.isenabled()
        count(tools)
    assert gc.isenabled()


@pytest.mark.parametrize(("tools", "times"), [(4_999, 0), (5_000, 1)])
def test_recalling_pauses_the_collector_and_in_our_process_it_never_looks_at_many_definitions_again(
    tools: int, times: int, froze: list[bool]
) -> None:
    process._heap.ours = True
    recall(tools)
    recall(tools)
    assert froze == [False] * times


@pytest.mark.promise("embed:guest")
def test_the_heap_of_a_program_that_embeds_a_gateway_is_never_frozen(froze: list[bool]) -> None:
    recall(5_000)
    assert froze == []
