"""The file of kept results: who can read it, what it says, how large it grows."""

import random
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from toolbooth.gateway.results.disk import DamagedResultFile, ResultFile, remove
from toolbooth.gateway.results.store import ResultEntry
from toolbooth.limits import RESULT_TOMBSTONES

NOW = 1_000_000.0


def noise(size: int) -> str:
    return random.Random(size).randbytes(size // 2).hex()


def entry(ref: str, text: str, session: str = "me", kept: float = NOW) -> ResultEntry:
    return ResultEntry(ref, session, text, kept)


def text_of(file: ResultFile, ref: str) -> str | None:
    found = file.find(ref, "me")
    assert found is not None
    return found.text


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "toolbooth" / "results.sqlite3"


@pytest.fixture
def file(path: Path) -> Iterator[ResultFile]:
    with closing(ResultFile(path, max_bytes=100_000, max_age=100)) as opened:
        yield opened


def test_only_its_owner_can_read_it(file: ResultFile, path: Path) -> None:
    file.write([entry("a", "x")], [], NOW)
    assert path.parent.stat().st_mode & 0o077 == 0
    names = [each.name for each in path.parent.iterdir()]
    assert len(names) == 3
    assert all(each.stat().st_mode & 0o777 == 0o600 for each in path.parent.iterdir())


def test_it_contains_neither_session_nor_ref_nor_what_was_forgotten(file: ResultFile, path: Path) -> None:
    file.write([entry("a-ref", "a secret text", "a-session"), entry("b", "another", "b-session")], [], NOW)
    file.write([], ["a-session"], NOW)
    data = b"".join(each.read_bytes() for each in path.parent.iterdir())
    assert b"another" in data
    assert not any(word in data for word in (b"a-ref", b"a-session", b"b-session", b"a secret text"))


def test_what_is_too_old_has_expired_and_leaves_no_trace(file: ResultFile, path: Path) -> None:
    file.write([entry("old", "an old text"), entry("new", "a new text", kept=NOW + 60)], [], NOW)
    file.write([], [], NOW + 101)
    assert text_of(file, "old") is None
    assert text_of(file, "new") == "a new text"
    assert b"an old text" not in b"".join(each.read_bytes() for each in path.parent.iterdir())


def test_what_a_wrong_clock_kept_in_the_future_goes_too(file: ResultFile) -> None:
    file.write([entry("future", "x", kept=NOW + 10_000)], [], NOW)
    assert text_of(file, "future") is None


def test_the_oldest_are_deleted_first(file: ResultFile, path: Path) -> None:
    for number in range(10):  # some 34,000 bytes each as they are written
        file.write([entry(str(number), noise(60_000), kept=NOW + number)], [], NOW + number)
    assert [text_of(file, str(number)) is not None for number in range(10)] == [False] * 8 + [True] * 2
    assert path.stat().st_size < 300_000


def test_space_is_given_back(file: ResultFile, path: Path) -> None:
    file.write([entry("a", noise(60_000))], [], NOW)
    file.write([], ["me"], NOW)
    assert path.stat().st_size < 40_000
    assert path.with_name(path.name + "-wal").stat().st_size == 0


def test_text_is_packed_where_that_pays(file: ResultFile, path: Path) -> None:
    texts = {"long": "the same again " * 5000, "short": "abc", "empty": ""}
    file.write([entry(ref, text) for ref, text in texts.items()], [], NOW)
    assert {ref: text_of(file, ref) for ref in texts} == texts
    with closing(sqlite3.connect(path)) as raw:
        rows = raw.execute("SELECT bytes, packed FROM results ORDER BY bytes").fetchall()
    assert rows[:2] == [(1, 0), (3, 0)]
    assert rows[2][1] == 1
    assert rows[2][0] < 2000


def test_of_what_has_expired_only_so_many_are_remembered(path: Path) -> None:
    with closing(ResultFile(path, max_bytes=10**6, max_age=1)) as file:
        file.write([entry(str(n), "x", kept=NOW + n / 10**6) for n in range(RESULT_TOMBSTONES + 50)], [], NOW)
        file.write([], [], NOW + 60)
        assert file.find("0", "me") is None
        assert text_of(file, str(RESULT_TOMBSTONES + 49)) is None


def test_a_file_of_another_version_is_left_alone(file: ResultFile, path: Path) -> None:
    with closing(sqlite3.connect(path)) as raw:
        raw.execute("PRAGMA user_version = 7")
    with pytest.raises(OSError, match="another version of Toolbooth"):
        ResultFile(path, 1000, 10)


def test_damage_is_distinguished_from_other_faults(path: Path) -> None:
    path.parent.mkdir()
    path.write_bytes(b"no database " * 1000)
    with pytest.raises(DamagedResultFile):
        ResultFile(path, 1000, 10)
    remove(path)
    path.mkdir()
    with pytest.raises(OSError) as caught:
        ResultFile(path, 1000, 10)
    assert not isinstance(caught.value, DamagedResultFile)


def test_a_damaged_text_is_damage(file: ResultFile, path: Path) -> None:
    file.write([entry("a", "the same again " * 5000)], [], NOW)
    with closing(sqlite3.connect(path)) as raw, raw:
        raw.execute("UPDATE results SET body = zeroblob(100)")
    with pytest.raises(DamagedResultFile):
        file.find("a", "me")


def test_a_full_disk_undoes_the_whole_batch(file: ResultFile) -> None:
    file.write([entry("before", "x")], [], NOW)
    file._connection.execute("PRAGMA max_page_count = 10").fetchall()
    with pytest.raises(OSError, match="full"):
        file.write([entry("small", "x"), entry("large", noise(90_000))], ["me"], NOW)
    assert text_of(file, "before") == "x"
    assert file.find("small", "me") is None


def test_two_processes_may_write_the_same_file(file: ResultFile, path: Path) -> None:
    with closing(ResultFile(path, 100_000, 100)) as other:
        file.write([entry("a", "of one")], [], NOW)
        other.write([entry("b", "of the other")], [], NOW)
        assert text_of(file, "b") == "of the other"
        assert text_of(other, "a") == "of one"
