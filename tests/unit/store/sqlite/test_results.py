"""The file of kept results: who can read it, what it says, how large it grows."""

import random
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from toolbooth.limits import RESULT_TOMBSTONES
from toolbooth.store import ResultEntry
from toolbooth.store.sqlite.results import SqliteResults
from toolbooth.store.sqlite.sqlite_file import remove

NOW = 1_000_000.0


def noise(size: int) -> str:
    return random.Random(size).randbytes(size // 2).hex()


def entry(ref: str, text: str, owner: str = "me", kept: float = NOW) -> ResultEntry:
    return ResultEntry(ref, owner, text, kept)


def text_of(file: SqliteResults, ref: str) -> str | None:
    found = file.get(ref, "me")
    assert found is not None
    return found.text


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "toolbooth" / "results.sqlite3"


@pytest.fixture
def notes() -> list[str]:
    return []


@pytest.fixture
def file(path: Path, notes: list[str]) -> Iterator[SqliteResults]:
    with closing(SqliteResults(path, notes.append, 100_000, 100)) as opened:
        yield opened


def test_only_its_owner_can_read_it(file: SqliteResults, path: Path) -> None:
    file.put([entry("a", "x")], NOW)
    assert path.parent.stat().st_mode & 0o077 == 0
    names = [each.name for each in path.parent.iterdir()]
    assert len(names) == 3
    assert all(each.stat().st_mode & 0o777 == 0o600 for each in path.parent.iterdir())


def test_it_contains_neither_session_nor_ref_nor_what_was_forgotten(file: SqliteResults, path: Path) -> None:
    file.put([entry("a-ref", "a secret text", "a-session"), entry("b", "another", "b-session")], NOW)
    file.forget(["a-session"])
    data = b"".join(each.read_bytes() for each in path.parent.iterdir())
    assert b"another" in data
    assert not any(word in data for word in (b"a-ref", b"a-session", b"b-session", b"a secret text"))


def test_what_is_too_old_has_expired_and_leaves_no_trace(file: SqliteResults, path: Path) -> None:
    file.put([entry("old", "an old text"), entry("new", "a new text", kept=NOW + 60)], NOW)
    file.expire(NOW + 101)
    assert text_of(file, "old") is None
    assert text_of(file, "new") == "a new text"
    assert b"an old text" not in b"".join(each.read_bytes() for each in path.parent.iterdir())


def test_what_a_wrong_clock_kept_in_the_future_goes_too(file: SqliteResults) -> None:
    file.put([entry("future", "x", kept=NOW + 10_000)], NOW)
    assert text_of(file, "future") is None


def test_the_oldest_are_deleted_first(file: SqliteResults, path: Path) -> None:
    for number in range(10):  # some 34,000 bytes each as they are written
        file.put([entry(str(number), noise(60_000), kept=NOW + number)], NOW + number)
    assert [text_of(file, str(number)) is not None for number in range(10)] == [False] * 8 + [True] * 2
    assert path.stat().st_size < 300_000


def test_space_is_given_back(file: SqliteResults, path: Path) -> None:
    file.put([entry("a", noise(60_000))], NOW)
    file.forget(["me"])
    assert path.stat().st_size < 40_000
    assert path.with_name(path.name + "-wal").stat().st_size == 0


def test_text_is_packed_where_that_pays(file: SqliteResults, path: Path) -> None:
    texts = {"long": "the same again " * 5000, "short": "abc", "empty": ""}
    file.put([entry(ref, text) for ref, text in texts.items()], NOW)
    assert {ref: text_of(file, ref) for ref in texts} == texts
    with closing(sqlite3.connect(path)) as raw:
        rows = raw.execute("SELECT bytes, packed FROM results ORDER BY bytes").fetchall()
    assert rows[:2] == [(1, 0), (3, 0)]
    assert rows[2][1] == 1
    assert rows[2][0] < 2000


def test_of_what_has_expired_only_so_many_are_remembered(path: Path) -> None:
    with closing(SqliteResults(path, print, 10**6, 1)) as file:
        file.put([entry(str(n), "x", kept=NOW + n / 10**6) for n in range(RESULT_TOMBSTONES + 50)], NOW)
        file.expire(NOW + 60)
        assert file.get("0", "me") is None
        assert text_of(file, str(RESULT_TOMBSTONES + 49)) is None


def test_a_file_of_a_later_version_is_refused_and_left_alone(path: Path, notes: list[str]) -> None:
    path.parent.mkdir()
    with closing(sqlite3.connect(path)) as raw:
        raw.execute("CREATE TABLE results (what)")
        raw.execute("PRAGMA user_version = 7")
        raw.commit()
    before = path.read_bytes()
    with pytest.raises(OSError, match="a later Toolbooth and is left unchanged"):
        SqliteResults(path, notes.append, 1000, 10).get("a", "me")
    assert (path.read_bytes(), notes) == (before, [])


def test_a_database_of_something_else_is_left_alone(path: Path, notes: list[str]) -> None:
    path.parent.mkdir()
    with closing(sqlite3.connect(path)) as raw:
        raw.execute("CREATE TABLE accounts (what)")
    before = path.read_bytes()
    with pytest.raises(OSError, match="a database of something else"):
        SqliteResults(path, notes.append, 1000, 10).get("a", "me")
    assert (path.read_bytes(), notes) == (before, [])


@pytest.mark.promise("store:damaged")
def test_a_damaged_file_is_begun_anew_and_said(path: Path, notes: list[str]) -> None:
    path.parent.mkdir()
    path.write_bytes(b"no database " * 1000)
    with closing(SqliteResults(path, notes.append, 1000, 10)) as file:
        assert file.get("a", "me") is None
        file.put([entry("a", "x")], NOW)
        assert text_of(file, "a") == "x"
    assert notes == ["results.sqlite3 was damaged and is started again; the results in it are lost"]


def test_a_folder_in_its_place_is_an_error_and_no_damage(path: Path, notes: list[str]) -> None:
    path.mkdir(parents=True)
    with pytest.raises(OSError):
        SqliteResults(path, notes.append, 1000, 10).get("a", "me")
    assert (path.is_dir(), notes) == (True, [])


@pytest.mark.promise("store:damaged")
def test_a_damaged_text_is_damage(file: SqliteResults, path: Path, notes: list[str]) -> None:
    file.put([entry("a", "the same again " * 5000)], NOW)
    with closing(sqlite3.connect(path)) as raw, raw:
        raw.execute("UPDATE results SET body = zeroblob(100)")
    assert file.get("a", "me") is None
    assert len(notes) == 1


@pytest.mark.promise("store:damaged")
def test_of_two_clients_of_a_damaged_file_one_begins_it_anew_and_both_use_that(
    file: SqliteResults, path: Path, notes: list[str]
) -> None:
    file.put([entry("a", "the same again " * 5000)], NOW)
    with closing(SqliteResults(path, notes.append, 100_000, 100)) as other:
        assert text_of(other, "a")
        with closing(sqlite3.connect(path)) as raw, raw:
            raw.execute("UPDATE results SET body = zeroblob(100)")
        assert (file.get("a", "me"), other.get("a", "me")) == (None, None)
        file.put([entry("b", "of one")], NOW)
        other.put([entry("c", "of the other")], NOW)
        assert (text_of(other, "b"), text_of(file, "c")) == ("of one", "of the other")
    with closing(SqliteResults(path, notes.append, 100_000, 100)) as later:
        assert (text_of(later, "b"), text_of(later, "c")) == ("of one", "of the other")
    assert len(notes) == 1


def test_a_file_that_somebody_deletes_is_begun_anew(file: SqliteResults, path: Path) -> None:
    file.put([entry("a", "x")], NOW)
    remove(path)
    file.put([entry("b", "y")], NOW)
    with closing(SqliteResults(path, print, 100_000, 100)) as other:
        assert text_of(other, "b") == "y"


def test_a_full_disk_undoes_the_whole_batch(file: SqliteResults) -> None:
    file.put([entry("before", "x")], NOW)
    file._opened().connection.execute("PRAGMA max_page_count = 10").fetchall()
    with pytest.raises(OSError, match="full"):
        file.put([entry("small", "x"), entry("large", noise(90_000))], NOW)
    assert text_of(file, "before") == "x"
    assert file.get("small", "me") is None


def test_two_processes_may_write_the_same_file(file: SqliteResults, path: Path) -> None:
    with closing(SqliteResults(path, print, 100_000, 100)) as other:
        file.put([entry("a", "of one")], NOW)
        other.put([entry("b", "of the other")], NOW)
        assert text_of(file, "b") == "of the other"
        assert text_of(other, "a") == "of one"
