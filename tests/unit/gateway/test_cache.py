"""The cache keeps what servers offered; damaged, foreign or unwritable, it is merely absent."""

import os
import stat
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from toolbooth.catalog import ServerSpec, ServerTools, SetAside, Tool
from toolbooth.gateway.cached_offer import fingerprint
from toolbooth.gateway.offer_cache import _ABANDONED, CacheFolder

SECRET = "sk-canary-0123456789"
SPEC = ServerSpec("github", "stdio", "npx", ("-y", "x", "--token", SECRET), {"API_KEY": SECRET})
RAW = {
    "name": "create_issue",
    "title": "New",
    "inputSchema": {"type": "object", "maximum": 2**70},
    "x": "é",
}
OFFERED = ServerTools(
    "github",
    (Tool.from_raw("github", RAW), Tool.from_raw("github", {"name": "b"})),
    instructions="Issues.",
    title="GitHub",
    version="1",
    protocol="2025-11-25",
    set_aside=(SetAside("github", "c", "twice", "duplicate"),),
)
CAPABILITIES: dict[str, Any] = {"tools": {"listChanged": True}, "logging": {}}
INDEX = b"\x00\n\x01\x02" * 4


@pytest.fixture
def cache(tmp_path: Path) -> CacheFolder:
    return CacheFolder(tmp_path / "deep" / "toolbooth")


def files(cache: CacheFolder) -> Iterator[Path]:
    return (path for path in cache.folder.iterdir() if path.suffix == ".server")


def test_what_was_saved_comes_back_whole(cache: CacheFolder) -> None:
    cache.save(SPEC, OFFERED, CAPABILITIES, INDEX, refreshed=5.5)
    back = CacheFolder(cache.folder).load(SPEC)
    assert back is not None
    assert back.offered == OFFERED
    assert [tool.raw for tool in back.offered.tools] == [tool.raw for tool in OFFERED.tools]
    assert (back.capabilities, back.index, back.refreshed) == (CAPABILITIES, INDEX, 5.5)
    assert cache.notes == []


def test_nothing_is_there_at_first_and_that_is_no_note(cache: CacheFolder) -> None:
    assert cache.load(SPEC) is None
    assert cache.notes == []


@pytest.mark.parametrize(
    "other",
    [
        replace(SPEC, env={"API_KEY": "another account"}),
        replace(SPEC, args=("-y", "x", "--token", "another")),
        replace(SPEC, name="other"),
        replace(SPEC, command="uvx"),
        replace(SPEC, headers={"X": "1"}),
        replace(SPEC, cwd=Path("elsewhere")),
        replace(SPEC, url="http://127.0.0.1/a"),
    ],
)
def test_another_server_or_account_has_an_entry_of_its_own(cache: CacheFolder, other: ServerSpec) -> None:
    cache.save(SPEC, OFFERED, CAPABILITIES)
    assert cache.load(other) is None


def test_deadlines_and_sources_do_not_matter(cache: CacheFolder) -> None:
    cache.save(SPEC, OFFERED, CAPABILITIES)
    assert cache.load(replace(SPEC, timeout=1.0, source="elsewhere.json")) is not None


def test_the_folder_contains_no_secret_and_only_sixteen_bits_depend_on_it(cache: CacheFolder) -> None:
    cache.save(SPEC, OFFERED, CAPABILITIES)
    for path in cache.folder.iterdir():
        assert SECRET not in path.name
        assert SECRET.encode() not in path.read_bytes()
    key = bytes(32)
    there, other = fingerprint(SPEC, key), fingerprint(replace(SPEC, env={"API_KEY": "x"}), key)
    assert there[:-4] == other[:-4]
    assert there != fingerprint(SPEC, b"\1" * 32)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such bits")
def test_folder_and_files_are_for_their_owner_only(cache: CacheFolder) -> None:
    cache.folder.mkdir(parents=True, mode=0o755)
    cache.save(SPEC, OFFERED, CAPABILITIES)
    for path in (cache.folder, *cache.folder.iterdir()):
        assert stat.S_IMODE(path.stat().st_mode) & 0o077 == 0


@pytest.mark.parametrize(
    "damage",
    [
        lambda _: b"",
        lambda data: data[: len(data) // 2],
        lambda data: b"\xff" + data,
        lambda _: b"[]\n",
        lambda _: b"toolbooth-cache 2 00000000\n{}\n",
        lambda data: data.replace(b"toolbooth-cache 2", b"toolbooth-cache 3"),
        lambda data: data.replace(b'"create_issue"', b'"create_isssu"'),
    ],
)
def test_a_damaged_or_foreign_file_is_absent_and_said_once(cache: CacheFolder, damage: Any) -> None:
    cache.save(SPEC, OFFERED, CAPABILITIES, INDEX)
    for path in files(cache):
        path.write_bytes(damage(path.read_bytes()))
    assert cache.load(SPEC) is None
    assert cache.load(SPEC) is None
    assert len(cache.notes) == 1
    assert "written again" in cache.notes[0]
    cache.save(SPEC, OFFERED, CAPABILITIES)
    assert cache.load(SPEC) is not None


def test_a_folder_that_cannot_be_written_costs_one_note_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    cache = CacheFolder(tmp_path / "file" / "toolbooth")
    for _ in range(2):
        cache.save(SPEC, OFFERED, CAPABILITIES)
        assert cache.load(SPEC) is None
    assert 1 <= len(cache.notes) <= 2


def test_too_large_an_offer_is_kept_without_its_index(
    cache: CacheFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("toolbooth.limits.MAX_CACHE_FILE", 2000)
    cache.save(SPEC, OFFERED, CAPABILITIES, bytes(4000))
    back = cache.load(SPEC)
    assert back is not None
    assert back.index is None


def test_the_oldest_entries_leave_a_full_folder(cache: CacheFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    cache.save(SPEC, OFFERED, CAPABILITIES)
    (old,) = files(cache)
    os.utime(old, (1, 1))
    abandoned = cache.folder / ".x.server.tmp"
    abandoned.write_bytes(b"half")
    os.utime(abandoned, (1, abandoned.stat().st_mtime - _ABANDONED - 9))
    monkeypatch.setattr("toolbooth.limits.MAX_CACHE_FOLDER", old.stat().st_size + 100)
    CacheFolder(cache.folder).save(replace(SPEC, name="newer"), OFFERED, CAPABILITIES)
    assert not old.exists()
    assert not abandoned.exists()
    assert cache.load(replace(SPEC, name="newer")) is not None


def test_a_full_folder_is_scanned_seldom(cache: CacheFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    cache.save(SPEC, OFFERED, CAPABILITIES)
    (first,) = files(cache)
    monkeypatch.setattr("toolbooth.limits.MAX_CACHE_FOLDER", 100 * first.stat().st_size)
    fresh, scans = CacheFolder(cache.folder), list[int]()
    real = fresh._prune

    def prune() -> int:
        scans.append(1)
        return real()

    monkeypatch.setattr(fresh, "_prune", prune)
    for number in range(300):
        fresh.save(replace(SPEC, name=f"s{number}"), OFFERED, CAPABILITIES)
    assert len(scans) < 100


def test_an_entry_of_the_version_before_keeps_its_tools_and_has_no_index(cache: CacheFolder) -> None:
    cache.save(SPEC, OFFERED, CAPABILITIES, INDEX)
    (path,) = files(cache)
    path.write_bytes(path.read_bytes().replace(b"toolbooth-cache 2", b"toolbooth-cache 1"))
    back = cache.load(SPEC)
    assert back is not None
    assert (back.offered, back.index) == (OFFERED, None)
    assert cache.notes == []


def test_one_process_that_saves_many_entries_keeps_the_folder_within_its_ceiling(
    cache: CacheFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache.save(SPEC, OFFERED, CAPABILITIES)
    (first,) = files(cache)
    ceiling = 5 * first.stat().st_size
    monkeypatch.setattr("toolbooth.limits.MAX_CACHE_FOLDER", ceiling)
    fresh = CacheFolder(cache.folder)
    for number in range(30):
        fresh.save(replace(SPEC, name=f"s{number}"), OFFERED, CAPABILITIES)
        assert sum(path.stat().st_size for path in files(fresh)) <= ceiling
    assert fresh.load(replace(SPEC, name="s29")) is not None
