"""One process at a time may listen."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from toolbooth.gateway.daemon.lock import Lock, remove_left_files


def test_the_second_waits_and_gives_up_and_gets_it_once_it_is_free(tmp_path: Path) -> None:
    path = str(tmp_path / "lock")
    first, second = Lock(path), Lock(path)
    assert first.take()
    assert not second.take(patience=0.05)
    first.release()
    first.release()
    assert second.take(patience=0)
    second.release()


def test_the_file_names_the_holder_and_is_the_owners_alone(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    path.write_text("12345678901234567890\n")
    path.chmod(0o600)
    lock = Lock(str(path))
    assert lock.take()
    assert path.read_text() == f"{os.getpid()}\n"
    lock.release()


def test_a_killed_process_holds_nothing(tmp_path: Path) -> None:
    path = str(tmp_path / "lock")
    code = (
        "import sys, time; from toolbooth.gateway.daemon.lock import Lock\n"
        f"lock = Lock({path!r}); lock.take(); print('held', flush=True); time.sleep(3600)"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) as holder:
        assert holder.stdout
        holder.stdout.readline()
        ours = Lock(path)
        assert not ours.take(patience=0)
        holder.kill()
        assert ours.take()
        ours.release()


def files_of(folder: Path, name: str, *, old: bool) -> list[Path]:
    made = [folder / f"{name}{ending}" for ending in (".sock", ".log", ".start", ".lock")]
    for each in made:
        each.touch()
        if old:
            os.utime(each, (0, 0))
    return made


@pytest.mark.promise("daemon:left-files")
def test_files_of_a_daemon_that_is_long_gone_are_removed_and_no_others(tmp_path: Path) -> None:
    gone, fresh = files_of(tmp_path, "gone", old=True), files_of(tmp_path, "fresh", old=False)
    ours = files_of(tmp_path, "ours", old=True)
    running = files_of(tmp_path, "running", old=True)
    starting = files_of(tmp_path, "starting", old=True)
    held = [Lock(str(tmp_path / "running.lock")), Lock(str(tmp_path / "starting.start"))]
    assert all(lock.take(0) for lock in held)
    for each in (*running, *starting):
        os.utime(each, (0, 0))
    remove_left_files(str(tmp_path), str(tmp_path / "ours.lock"))
    assert not any(each.exists() for each in gone)
    assert all(each.exists() for each in (*fresh, *ours, *running, *starting))
    for lock in held:
        lock.release()


def test_a_lock_whose_file_was_removed_is_taken_at_the_new_one(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    late = Lock(str(path))
    path.unlink()
    first = Lock(str(path))
    assert first.take(0)
    assert not late.take(patience=0.05)
    first.release()
    assert late.take()
    late.release()
