"""What is remembered of servers between two starts."""

import logging
from pathlib import Path

import anyio
import pytest

from toolbooth.catalog import ServerSpec, ServerTools, Tool
from toolbooth.gateway import memory as memory_module
from toolbooth.gateway.cache import Cache
from toolbooth.gateway.memory import Memory

pytestmark = pytest.mark.anyio
SPEC = ServerSpec("one", "stdio", "command")


def offer(*names: str) -> ServerTools:
    wires = [{"name": name, "inputSchema": {"type": "object"}} for name in names]
    return ServerTools("one", tuple(Tool.from_wire("one", wire) for wire in wires))


def kept(folder: Path) -> Path:
    (file,) = folder.glob("*.server")
    return file


async def keep(folder: Path, offered: ServerTools) -> None:
    async with anyio.create_task_group() as tasks:
        Memory(Cache(folder), tasks).store(SPEC, offered, {"tools": {}})


async def test_what_a_server_offered_is_known_after_a_restart(tmp_path: Path) -> None:
    await keep(tmp_path, offer("a", "b"))
    async with anyio.create_task_group() as tasks:
        memory = Memory(Cache(tmp_path), tasks)
        assert not memory.fresh(SPEC)
        known = memory.recall(SPEC)
        assert known is not None
        assert (known.offered, known.capabilities) == (offer("a", "b"), {"tools": {}})
        assert memory.fresh(SPEC)


async def test_what_is_old_is_known_but_not_fresh(tmp_path: Path) -> None:
    Cache(tmp_path).save(SPEC, offer("a"), {}, refreshed=1.0)
    async with anyio.create_task_group() as tasks:
        memory = Memory(Cache(tmp_path), tasks)
        assert memory.recall(SPEC) is not None
        assert not memory.fresh(SPEC)


async def test_the_same_offer_is_written_once_while_it_is_fresh(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await keep(tmp_path, offer("a"))
    file = kept(tmp_path)
    inode = file.stat().st_ino
    async with anyio.create_task_group() as tasks:
        memory = Memory(Cache(tmp_path), tasks)
        memory.recall(SPEC)
        memory.store(SPEC, offer("a"), {})
    assert file.stat().st_ino == inode
    monkeypatch.setattr(memory_module, "CACHE_MAX_AGE", 0.0)
    async with anyio.create_task_group() as tasks:
        memory = Memory(Cache(tmp_path), tasks)
        memory.recall(SPEC)
        memory.store(SPEC, offer("a"), {})
    assert file.stat().st_ino != inode


async def test_each_trouble_is_logged_once(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    await keep(tmp_path, offer("a"))
    kept(tmp_path).write_bytes(b"junk")
    with caplog.at_level(logging.WARNING):
        async with anyio.create_task_group() as tasks:
            memory = Memory(Cache(tmp_path), tasks)
            assert (memory.recall(SPEC), memory.recall(SPEC)) == (None, None)
    assert [record.getMessage() for record in caplog.records] == memory.notes
    assert memory.notes == ["the cache of one is damaged; it is made anew"]


async def test_counts_of_calls_are_kept(tmp_path: Path) -> None:
    async with anyio.create_task_group() as tasks:
        Memory(Cache(tmp_path), tasks).save_usage({"one.a": 3})
        Memory(Cache(tmp_path), tasks).save_usage({})
        assert Memory(Cache(tmp_path), tasks).usage == {"one.a": 3}
