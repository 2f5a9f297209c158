"""Writing in the background: what is found meanwhile, and what a slow or broken disk does to it."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from math import inf
from pathlib import Path

import pytest

from toolbooth.gateway.results.disk import ResultDisk
from toolbooth.limits import RESULT_UNWRITTEN
from toolbooth.store import RESULTS_FILE, FoundResult, ResultEntry

NOW = 1_000_000.0


@pytest.fixture
def notes() -> list[str]:
    return []


@pytest.fixture
def disk(tmp_path: Path, notes: list[str]) -> Iterator[ResultDisk]:
    with closing(ResultDisk(tmp_path, 10**6, 100, lambda: NOW, notes.append)) as opened:
        yield opened


def entry(ref: str, text: str = "text", owner: str = "me") -> ResultEntry:
    return ResultEntry(ref, owner, text, NOW)


def test_what_waits_to_be_written_is_found(disk: ResultDisk) -> None:
    with disk._store_lock:  # as if the disk were slow
        disk.put(entry("a"))
        assert disk.find("a", "me") == FoundResult("text", NOW)
        disk.forget("me")
        disk.put(entry("b"))
        assert disk.find("a", "me") is None
        assert disk.find("b", "me") == FoundResult("text", NOW)
    disk.flush()
    assert disk.find("a", "me") is None
    assert disk.find("b", "me") == FoundResult("text", NOW)


def test_what_is_being_written_is_forgotten_all_the_same(disk: ResultDisk) -> None:
    disk.put(entry("a"))
    disk.flush()
    with disk._store_lock:
        disk.put(entry("b"))
        disk.forget("me")
    disk.flush()
    assert disk.find("a", "me") is None
    assert disk.find("b", "me") is None


def test_a_slow_disk_does_not_fill_the_memory(disk: ResultDisk, notes: list[str]) -> None:
    with disk._store_lock:
        disk.put(entry("a", "x" * (RESULT_UNWRITTEN - 10)))
        disk.put(entry("b", "x" * 20))
        disk.put(entry("c", "x" * 5))
        assert disk.find("c", "me") is not None
        assert notes == ["the disk is too slow for all long results; some are kept in memory only"]
    disk.flush()
    assert disk.find("b", "me") is None
    assert disk.find("c", "me") is not None


def test_a_disk_that_refused_is_tried_again_after_a_rest(
    disk: ResultDisk, tmp_path: Path, notes: list[str]
) -> None:
    (tmp_path / RESULTS_FILE).mkdir()
    disk.put(entry("a"))
    disk.flush()
    assert len(notes) == 1
    (tmp_path / RESULTS_FILE).rmdir()
    disk.put(entry("b"))
    disk.flush()
    assert not (tmp_path / RESULTS_FILE).exists()
    disk._rests_until = 0.0
    disk.put(entry("c"))
    disk.flush()
    assert disk.find("c", "me") == FoundResult("text", NOW)
    assert len(notes) == 1


def test_what_a_disk_at_rest_could_not_delete_is_not_found_and_goes_first(
    disk: ResultDisk, tmp_path: Path
) -> None:
    disk.put(entry("a"))
    disk.flush()
    disk._rests_until = inf
    disk.forget("me")
    disk.flush()
    disk._rests_until = 0.0
    assert disk.find("a", "me") is None
    disk.put(entry("b"))
    disk.flush()
    assert disk.find("b", "me") == FoundResult("text", NOW)
    with closing(ResultDisk(tmp_path, 10**6, 100, lambda: NOW, print)) as other:
        assert other.find("a", "me") is None


def test_what_a_busy_file_could_not_delete_is_not_found_either(
    disk: ResultDisk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("toolbooth.limits.STORE_BUSY", 0.01)
    disk.put(entry("a"))
    disk.flush()
    with closing(sqlite3.connect(tmp_path / RESULTS_FILE)) as busy:
        busy.execute("BEGIN IMMEDIATE")
        disk._let_go()  # the next use opens the file with the shorter patience
        disk.forget("me")
        disk.flush()
        busy.rollback()
    disk._rests_until = 0.0
    assert disk.find("a", "me") is None


def test_damage_that_shows_while_reading_begins_the_file_anew(
    disk: ResultDisk, tmp_path: Path, notes: list[str]
) -> None:
    disk.put(entry("a", "the same again " * 1000))
    disk.flush()
    disk.close()
    for journal in tmp_path.glob("*-*"):
        journal.unlink()
    size = (tmp_path / RESULTS_FILE).stat().st_size
    (tmp_path / RESULTS_FILE).write_bytes(
        (tmp_path / RESULTS_FILE).read_bytes()[:4096] + b"\xff" * (size - 4096)
    )
    assert disk.find("a", "me") is None
    assert notes == [f"{RESULTS_FILE} was damaged and is started again; the results in it are lost"]
