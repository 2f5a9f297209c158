"""What is remembered of servers between two starts."""

import logging
from pathlib import Path

import anyio
import pytest

from toolbooth.catalog import ServerSpec, ServerTools, Tool
from toolbooth.gateway.offer_cache import CacheFolder, OfferCache

pytestmark = pytest.mark.anyio
SPEC = ServerSpec("one", "stdio", "command")


def offer(*names: str) -> ServerTools:
    raw_tools = [{"name": name, "inputSchema": {"type": "object"}} for name in names]
    return ServerTools("one", tuple(Tool.from_raw("one", raw) for raw in raw_tools))


def kept(folder: Path) -> Path:
    (file,) = folder.glob("*.server")
    return file


async def keep(folder: Path, offered: ServerTools) -> None:
    async with anyio.create_task_group() as tasks:
        OfferCache(CacheFolder(folder), tasks).store(SPEC, offered, {"tools": {}})


async def test_what_a_server_offered_is_known_after_a_restart(tmp_path: Path) -> None:
    await keep(tmp_path, offer("a", "b"))
    async with anyio.create_task_group() as tasks:
        offer_cache = OfferCache(CacheFolder(tmp_path), tasks)
        assert not offer_cache.fresh(SPEC)
        known = offer_cache.recall(SPEC)
        assert known is not None
        assert (known.offered, known.capabilities) == (offer("a", "b"), {"tools": {}})
        assert offer_cache.fresh(SPEC)


async def test_what_is_old_is_known_but_not_fresh(tmp_path: Path) -> None:
    CacheFolder(tmp_path).save(SPEC, offer("a"), {}, refreshed=1.0)
    async with anyio.create_task_group() as tasks:
        offer_cache = OfferCache(CacheFolder(tmp_path), tasks)
        assert offer_cache.recall(SPEC) is not None
        assert not offer_cache.fresh(SPEC)


async def test_the_same_offer_is_written_once_while_it_is_fresh(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await keep(tmp_path, offer("a"))
    file = kept(tmp_path)
    inode = file.stat().st_ino
    async with anyio.create_task_group() as tasks:
        offer_cache = OfferCache(CacheFolder(tmp_path), tasks)
        offer_cache.recall(SPEC)
        offer_cache.store(SPEC, offer("a"), {})
    assert file.stat().st_ino == inode
    monkeypatch.setattr("toolbooth.limits.CACHE_MAX_AGE", 0.0)
    async with anyio.create_task_group() as tasks:
        offer_cache = OfferCache(CacheFolder(tmp_path), tasks)
        offer_cache.recall(SPEC)
        offer_cache.store(SPEC, offer("a"), {})
    assert file.stat().st_ino != inode


async def test_each_problem_is_logged_once(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    await keep(tmp_path, offer("a"))
    kept(tmp_path).write_bytes(b"junk")
    with caplog.at_level(logging.WARNING):
        async with anyio.create_task_group() as tasks:
            offer_cache = OfferCache(CacheFolder(tmp_path), tasks)
            assert (offer_cache.recall(SPEC), offer_cache.recall(SPEC)) == (None, None)
    assert [record.getMessage() for record in caplog.records] == offer_cache.notes
    assert offer_cache.notes == ["the cache of one is damaged; it is written again"]
