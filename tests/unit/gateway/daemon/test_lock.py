"""One process at a time may listen."""

import os
import subprocess
import sys
from pathlib import Path

from toolbooth.gateway.daemon.lock import Lock


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
