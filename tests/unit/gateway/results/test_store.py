"""Kept results: for whom, for how long, and what a restart or a broken disk leaves of them."""

import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from toolbooth.errors import WrongArguments
from toolbooth.gateway.results import ResultStore
from toolbooth.store import RESULTS_FILE

TEXT = "".join(f"line {number}\n" for number in range(1, 1001))


class Clock:
    now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "cache" / "toolbooth"


@pytest.fixture
def store(folder: Path) -> Iterator[ResultStore]:
    with closing(ResultStore(folder)) as opened:
        yield opened


def said_of(store: ResultStore, ref: str, session: str = "me") -> str:
    with pytest.raises(WrongArguments) as caught:
        store.get(ref, session)
    return str(caught.value)


# -- in memory ---------------------------------------------------------------------------------------------
@pytest.mark.promise("result:session")
def test_a_ref_is_of_one_session_and_ends_with_it() -> None:
    store = ResultStore()
    ref = store.keep(TEXT, "me")
    stranger, unknown = said_of(store, ref, "someone else"), said_of(store, "x" * 22)
    assert stranger.replace(ref, "x" * 22) == unknown
    assert store.get(ref, "me").text == TEXT
    store.forget("me")
    assert said_of(store, ref) == stranger


def test_refs_are_random_and_long() -> None:
    store = ResultStore()
    refs = {store.keep("x", "me") for _ in range(100)}
    assert len(refs) == 100
    assert all(len(ref) == 22 for ref in refs)


def test_an_expired_result_says_so_to_its_own_session_only() -> None:
    clock = Clock()
    store = ResultStore(max_age=10, clock=clock)
    ref = store.keep(TEXT, "me")
    clock.now += 11
    assert said_of(store, ref) == "this result has expired; call its tool again"
    assert "there is no result" in said_of(store, ref, "someone else")


def test_the_oldest_leave_a_full_store() -> None:
    store = ResultStore(max_bytes=30_000)
    refs = [store.keep("x" * 10_000, "me") for _ in range(4)]
    assert store.get(refs[-1], "me").text
    assert "expired" in said_of(store, refs[0])
    assert store._bytes <= 30_000
    store.forget("me")
    assert store._bytes == 0


def test_a_result_larger_than_the_store_is_kept_until_the_next() -> None:
    store = ResultStore(max_bytes=100)
    ref = store.keep(TEXT, "me")
    assert store.get(ref, "me").text == TEXT
    store.keep("x", "me")
    assert "expired" in said_of(store, ref)


def test_the_size_of_what_is_in_memory_is_known_without_reading_it() -> None:
    store = ResultStore()
    size = store.at_hand(store.keep(TEXT, "me"))
    assert size is not None
    assert size >= len(TEXT)
    assert store.at_hand("unknown") is None


def test_without_a_folder_nothing_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    store = ResultStore()
    store.keep(TEXT, "me")
    store.flush()
    store.close()
    assert not list(tmp_path.iterdir())


# -- on disk -----------------------------------------------------------------------------------------------
@pytest.mark.promise("result:restart")
def test_a_new_process_reads_what_an_earlier_one_kept_for_the_same_session(
    store: ResultStore, folder: Path
) -> None:
    odd = "é😀\ud800\r\n\x00" * 2000
    refs = {store.keep(text, "me"): text for text in (TEXT, odd, "", "short")}
    store.flush()
    with closing(ResultStore(folder)) as later:
        for ref, text in refs.items():
            assert later.get(ref, "me").text == text
            assert said_of(later, ref, "you") == said_of(later, ref, "someone else")
            assert "there is no result" in said_of(later, ref, "you")
            assert later.get(ref, "me").text == text


def test_what_leaves_the_memory_is_read_from_disk(folder: Path) -> None:
    with closing(ResultStore(folder, max_bytes=20_000)) as store:
        refs = [store.keep(f"{number} " * 4000, "me") for number in range(10)]
        for number, ref in enumerate(refs):
            assert store.get(ref, "me").text == f"{number} " * 4000
        assert store._bytes <= 20_000


def test_a_result_can_be_read_before_it_is_written(folder: Path) -> None:
    with closing(ResultStore(folder, max_bytes=1)) as store:
        for number in range(50):
            first, second = store.keep(f"a{number}", "me"), store.keep(f"b{number}", "me")
            assert store.get(first, "me").text == f"a{number}"
            assert store.get(second, "me").text == f"b{number}"


def test_a_forgotten_session_is_forgotten_at_once_and_for_ever(store: ResultStore, folder: Path) -> None:
    mine, other = store.keep(TEXT, "me"), store.keep(TEXT, "you")
    store.flush()
    store.forget("me")
    assert "there is no result" in said_of(store, mine)
    again = store.keep("again", "me")
    store.flush()
    with closing(ResultStore(folder)) as later:
        assert "there is no result" in said_of(later, mine)
        assert later.get(again, "me").text == "again"
        assert later.get(other, "you").text == TEXT


def test_a_session_that_kept_nothing_leaves_no_file(store: ResultStore, folder: Path) -> None:
    store.forget("me")
    assert "there is no result" in said_of(store, "x")
    store.flush()
    assert not folder.exists()


def test_an_old_result_of_an_earlier_process_has_expired(folder: Path) -> None:
    clock = Clock()
    with closing(ResultStore(folder, max_age=10, clock=clock)) as store:
        ref = store.keep(TEXT, "me")
    clock.now += 11
    with closing(ResultStore(folder, max_age=10, clock=clock)) as later:
        assert said_of(later, ref) == "this result has expired; call its tool again"
        assert "there is no result" in said_of(later, ref, "you")


def test_tidying_up_deletes_what_a_killed_process_left(folder: Path) -> None:
    clock = Clock()
    with closing(ResultStore(folder, max_age=10, clock=clock)) as store:
        ref = store.keep("a text that is old", "me")
    clock.now += 11
    with closing(ResultStore(folder, max_age=10, clock=clock)) as later:
        later.tidy()
        later.flush()
        assert b"a text that is old" not in b"".join(file.read_bytes() for file in folder.iterdir())
        assert "expired" in said_of(later, ref)


def test_tidying_up_where_nothing_is_leaves_nothing(store: ResultStore, folder: Path) -> None:
    store.tidy()
    store.flush()
    assert not folder.exists()


def test_what_is_read_again_does_not_become_younger(folder: Path) -> None:
    clock = Clock()
    with closing(ResultStore(folder, max_age=10, clock=clock, max_bytes=1)) as store:
        old = store.keep("old", "me")
        clock.now += 6
        young = store.keep("young", "me")
        assert store.get(old, "me").text == "old"
        clock.now += 6
        assert "expired" in said_of(store, old)
        assert store.get(young, "me").text == "young"


def test_many_threads_keep_and_read_at_once(folder: Path) -> None:
    wrong: list[str] = []
    small = ResultStore(folder, max_bytes=5_000)

    def work(name: str) -> None:
        for number in range(100):
            text = f"{name} {number} " * 50
            if small.get(small.keep(text, name), name).text != text:
                wrong.append(text)

    with closing(small):
        threads = [threading.Thread(target=work, args=(f"session {number}",)) for number in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert not wrong
        assert not small.notes


def test_after_closing_what_is_in_memory_can_still_be_read(folder: Path) -> None:
    store = ResultStore(folder)
    ref = store.keep(TEXT, "me")
    store.close()
    store.close()
    assert store.get(ref, "me").text == TEXT
    assert store.get(store.keep("later", "me"), "me").text == "later"


# -- a disk that fails -------------------------------------------------------------------------------------
@pytest.mark.promise("result:bad-disk")
def test_a_folder_that_cannot_be_written_is_noted_once_and_memory_serves(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with closing(ResultStore(tmp_path / "file" / "toolbooth")) as store:
        refs = [store.keep(TEXT, "me") for _ in range(3)]
        store.flush()
        store.keep(TEXT, "me")
        store.flush()
        assert [store.get(ref, "me").text for ref in refs] == [TEXT] * 3
        assert len(store.notes) == 1
        assert store.notes[0].startswith("long results are kept in memory only")
        assert "there is no result" in said_of(store, "x")


@pytest.mark.promise("result:bad-disk")
@pytest.mark.parametrize("damage", [b"this is no database" * 1000, b"SQLite format 3\x00" + b"\xff" * 5000])
def test_a_damaged_file_is_begun_anew(folder: Path, damage: bytes) -> None:
    folder.mkdir(parents=True)
    (folder / RESULTS_FILE).write_bytes(damage)
    with closing(ResultStore(folder)) as store:
        assert "there is no result" in said_of(store, "x")
        ref = store.keep(TEXT, "me")
        store.flush()
        assert store.notes == [f"{RESULTS_FILE} was damaged and is started again; the results in it are lost"]
    with closing(ResultStore(folder)) as later:
        assert later.get(ref, "me").text == TEXT
        assert not later.notes
