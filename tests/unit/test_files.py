"""Files of the user are found where they always were, are written whole or not at all, and stay their owner's."""

import os
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from platformdirs.api import PlatformDirsABC
from platformdirs.macos import MacOS
from platformdirs.unix import Unix
from platformdirs.windows import Windows

from toolbooth.errors import ConfigError
from toolbooth.files import (
    FOLDER_VARIABLES,
    FileLock,
    cache_folder,
    data_folder,
    from_home,
    new_private_folder,
    private_file,
    private_folder,
    remove_abandoned,
    replace_if_unchanged,
    write_atomically,
    write_new,
)

HOME = Path("/home/me")
WRITERS: list[Callable[[Path], None]] = [
    lambda path: write_atomically(path, b"new"),
    lambda path: replace_if_unchanged(path, b"new", path.read_bytes() if path.exists() else None),
]


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def full_disk(_descriptor: int) -> None:
    raise OSError(28, "No space left on device")


@pytest.mark.parametrize(
    ("platform", "environ", "folder"),
    [
        ("linux", {}, "/home/me/.local/share/toolbooth"),
        ("linux", {"XDG_DATA_HOME": "/data"}, "/data/toolbooth"),
        ("linux", {"XDG_DATA_HOME": "relative"}, "/home/me/.local/share/toolbooth"),
        ("darwin", {}, "/home/me/Library/Application Support/toolbooth"),
        ("darwin", {"XDG_DATA_HOME": "/data"}, "/home/me/Library/Application Support/toolbooth"),
        ("win32", {}, "/home/me/AppData/Local/toolbooth"),
        ("win32", {"LOCALAPPDATA": "/local"}, "/local/toolbooth"),
    ],
)
def test_each_platform_has_its_data_folder(platform: str, environ: dict[str, str], folder: str) -> None:
    assert data_folder(HOME, environ, platform) == Path(folder)


@pytest.mark.parametrize(
    ("platform", "environ", "folder"),
    [
        ("linux", {}, "/home/me/.cache/toolbooth"),
        ("linux", {"XDG_CACHE_HOME": "/x"}, "/x/toolbooth"),
        ("linux", {"XDG_CACHE_HOME": "relative"}, "/home/me/.cache/toolbooth"),
        ("darwin", {}, "/home/me/Library/Caches/toolbooth"),
        ("darwin", {"XDG_CACHE_HOME": "/x"}, "/x/toolbooth"),
        ("win32", {"LOCALAPPDATA": "/l"}, "/l/toolbooth/Cache"),
        ("win32", {"XDG_CACHE_HOME": "/x", "LOCALAPPDATA": "/l"}, "/x/toolbooth"),
        ("win32", {}, "/home/me/AppData/Local/toolbooth/Cache"),
    ],
)
def test_each_platform_has_its_cache_folder(platform: str, environ: dict[str, str], folder: str) -> None:
    assert cache_folder(HOME, environ, platform) == Path(folder)


@pytest.mark.parametrize(
    ("platform", "dirs", "environ"),
    [
        ("linux", Unix("toolbooth"), {}),
        ("linux", Unix("toolbooth"), {"XDG_DATA_HOME": "/data", "XDG_CACHE_HOME": "/cache"}),
        ("linux", Unix("toolbooth"), {"XDG_DATA_HOME": "relative", "XDG_CACHE_HOME": "relative"}),
        ("darwin", MacOS("toolbooth"), {}),
        ("win32", Windows("toolbooth", appauthor=False), {"LOCALAPPDATA": "/home/me/AppData/Local"}),
    ],
)
def test_the_folders_are_those_of_platformdirs(
    platform: str, dirs: PlatformDirsABC, environ: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in FOLDER_VARIABLES:
        monkeypatch.delenv(name, raising=False)
    for name, value in {"HOME": str(HOME), **environ}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr("platformdirs.windows.get_win_folder", lambda _name: os.environ["LOCALAPPDATA"])
    assert data_folder(HOME, environ, platform) == dirs.user_data_path
    assert cache_folder(HOME, environ, platform) == dirs.user_cache_path


@pytest.mark.parametrize("write", WRITERS)
def test_the_new_content_replaces_the_old(tmp_path: Path, write: Callable[[Path], None]) -> None:
    target = tmp_path / "catalog.json"
    target.write_text("old")
    write(target)
    assert target.read_text() == "new"
    assert list(tmp_path.iterdir()) == [target]


@pytest.mark.parametrize("write", WRITERS)
def test_a_failure_keeps_the_old_file_and_leaves_no_litter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, write: Callable[[Path], None]
) -> None:
    target = tmp_path / "catalog.json"
    target.write_text("old")
    monkeypatch.setattr("os.fsync", full_disk)
    with pytest.raises(ConfigError, match=r"catalog\.json: cannot be written: No space left"):
        write(target)
    assert target.read_text() == "old"
    assert list(tmp_path.iterdir()) == [target]


@pytest.mark.parametrize("write", [*WRITERS, lambda path: write_new(path, b"x")])
def test_a_missing_folder_is_reported(tmp_path: Path, write: Callable[[Path], None]) -> None:
    with pytest.raises(ConfigError, match="cannot be written: No such file"):
        write(tmp_path / "no" / "catalog.json")


def test_a_folder_is_not_replaced_by_a_file(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be written"):
        write_atomically(tmp_path, b"x")
    assert not list(tmp_path.parent.glob(f".{tmp_path.name}*"))


def test_a_killed_writer_leaves_the_old_file(tmp_path: Path) -> None:
    target = tmp_path / "file"
    target.write_text("old")
    code = (
        "import os, signal, sys; from pathlib import Path; from toolbooth.files import write_atomically\n"
        "os.fsync = lambda _descriptor: os.kill(os.getpid(), signal.SIGKILL)\n"
        "write_atomically(Path(sys.argv[1]), b'new')"
    )
    assert subprocess.run([sys.executable, "-c", code, str(target)], check=False, timeout=60).returncode < 0
    assert target.read_text() == "old"
    (left,) = (path for path in tmp_path.iterdir() if path != target)
    assert mode_of(left) == 0o600
    replace_if_unchanged(target, b"newer", b"old")
    assert left.exists(), "its writer may still be at work"
    os.utime(left, (0, 0))
    replace_if_unchanged(target, b"newest", b"newer")
    assert list(tmp_path.iterdir()) == [target]


def test_without_a_mode_the_umask_decides(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        write_atomically(tmp_path / "a", b"", None)
        write_atomically(tmp_path / "b", b"")
    finally:
        os.umask(before)
    assert (mode_of(tmp_path / "a"), mode_of(tmp_path / "b")) == (0o640, 0o644)


@pytest.mark.parametrize("links", [True, False])
def test_a_file_that_must_be_new_is_never_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, links: bool
) -> None:
    def refuse(*_paths: Path) -> None:
        raise PermissionError(1, "Operation not permitted")

    if not links:
        monkeypatch.setattr(os, "link", refuse)
    target = tmp_path / "file"
    write_atomically(target, b"first", replace=False)
    with pytest.raises(FileExistsError):
        write_atomically(target, b"second", replace=False)
    assert target.read_bytes() == b"first"
    assert list(tmp_path.iterdir()) == [target]


@pytest.mark.parametrize(("now", "old"), [("theirs", b"as we read it"), ("theirs", None), (None, b"gone")])
def test_a_change_by_another_program_is_kept(tmp_path: Path, now: str | None, old: bytes | None) -> None:
    target = tmp_path / "file"
    if now is not None:
        target.write_text(now)
    with pytest.raises(ConfigError, match=r"changed by another program|No such file"):
        replace_if_unchanged(target, b"ours", old)
    assert (target.read_text() if target.exists() else None) == now
    assert [path for path in tmp_path.iterdir() if path != target] == []


def test_a_replaced_file_keeps_its_mode_and_owner(tmp_path: Path) -> None:
    target = tmp_path / "file"
    target.write_text("old")
    target.chmod(0o640)
    if os.geteuid() == 0:
        os.chown(target, 12, 34)
    owner = target.stat().st_uid, target.stat().st_gid
    replace_if_unchanged(target, b"new", b"old")
    assert (mode_of(target), target.stat().st_uid, target.stat().st_gid) == (0o640, *owner)
    replace_if_unchanged(target, b"newer", b"new", mode=0o600)
    assert mode_of(target) == 0o600


def test_a_file_that_was_not_there_is_its_owners_alone(tmp_path: Path) -> None:
    replace_if_unchanged(tmp_path / "a", b"", None)
    write_new(tmp_path / "b", b"")
    write_new(tmp_path / "c", b"", 0o644)
    assert [mode_of(tmp_path / name) for name in "abc"] == [0o600, 0o600, 0o644]


def test_a_new_file_that_cannot_be_finished_is_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.fsync", full_disk)
    with pytest.raises(ConfigError, match="No space left"):
        write_new(tmp_path / "key", b"secret")
    assert list(tmp_path.iterdir()) == []


def test_an_existing_file_is_never_written_as_new(tmp_path: Path) -> None:
    (tmp_path / "key").write_text("old")
    with pytest.raises(ConfigError, match="File exists"):
        write_new(tmp_path / "key", b"new")
    assert (tmp_path / "key").read_text() == "old"


def test_private_folders_and_files_are_closed_to_others(tmp_path: Path) -> None:
    (tmp_path / "open").mkdir(mode=0o755)
    (tmp_path / "open" / "file").touch(mode=0o644)
    private_folder(tmp_path / "open")
    private_folder(tmp_path / "deep" / "new")
    assert private_file(tmp_path / "open" / "file") == (tmp_path / "open" / "file").stat().st_ino
    private_file(tmp_path / "other" / "new")
    for folder in ("open", "deep/new", "other"):
        assert mode_of(tmp_path / folder) == 0o700
    for file in ("open/file", "other/new"):
        assert mode_of(tmp_path / file) == 0o600


@pytest.mark.skipif(os.name != "posix", reason="Windows has other locks")
def test_a_private_file_that_this_process_has_locked_stays_locked(tmp_path: Path) -> None:
    """Whatever closes a file releases all locks of its process on it: two gateways in one program lost rows so."""
    import fcntl

    path = tmp_path / "ledger"
    private_file(path)
    take = "import fcntl, sys; fcntl.lockf(open(sys.argv[1], 'r+b'), fcntl.LOCK_EX | fcntl.LOCK_NB)"
    with path.open("r+b") as held:
        fcntl.lockf(held, fcntl.LOCK_EX)
        private_file(path)
        other = subprocess.run(
            [sys.executable, "-c", take, path], capture_output=True, text=True, check=False
        )
    assert "BlockingIOError" in other.stderr


def test_a_folder_in_the_place_of_a_private_file_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "ledger").mkdir(mode=0o755)
    with pytest.raises(IsADirectoryError):
        private_file(tmp_path / "ledger")
    assert mode_of(tmp_path / "ledger") == 0o755


def test_a_private_folder_that_cannot_be_made_is_reported(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(ConfigError, match="cannot be created: Not a directory"):
        private_folder(tmp_path / "file" / "folder")
    with pytest.raises(OSError, match="Not a directory"):
        private_file(tmp_path / "file" / "folder" / "ledger")


def test_only_old_files_of_the_pattern_are_removed(tmp_path: Path) -> None:
    for name in (".new-old", ".new-fresh", "other"):
        (tmp_path / name).touch()
    for name in (".new-old", "other"):
        os.utime(tmp_path / name, (0, 0))
    remove_abandoned(tmp_path, ".new-*")
    assert sorted(path.name for path in tmp_path.iterdir()) == [".new-fresh", "other"]


def test_one_lock_has_one_holder(tmp_path: Path) -> None:
    first, second = FileLock(tmp_path / "lock"), FileLock(tmp_path / "lock")
    assert first.take()
    assert not second.take(patience=0.05)
    first.release()
    first.release()
    assert second.take()
    second.release()
    assert mode_of(tmp_path / "lock") == 0o600


def test_a_killed_process_holds_no_lock(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    code = (
        "import sys, time; from toolbooth.files import FileLock\n"
        "lock = FileLock(sys.argv[1]); print(lock.take(), flush=True); time.sleep(3600)"
    )
    with subprocess.Popen([sys.executable, "-c", code, str(path)], stdout=subprocess.PIPE) as holder:
        assert holder.stdout
        assert holder.stdout.readline() == b"True\n"
        lock = FileLock(path)
        assert not lock.take()
        holder.kill()
        assert lock.take(patience=10)
        lock.release()


def test_a_link_is_not_taken_for_a_lock(tmp_path: Path) -> None:
    (tmp_path / "lock").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(OSError, match="symbolic"):
        FileLock(tmp_path / "lock").take()
    assert not (tmp_path / "elsewhere").exists()


def test_importing_the_module_imports_neither_library() -> None:
    code = "import sys, toolbooth.files; print({'filelock', 'platformdirs'} & sys.modules.keys())"
    said = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert said.stdout == "set()\n"


@pytest.mark.parametrize(
    ("path", "found"),
    [("~/a/b", "/home/me/a/b"), ("~", "/home/me"), ("~you/a", "~you/a"), ("/x", "/x"), ("a/~", "a/~")],
)
def test_a_tilde_stands_for_the_given_home(path: str, found: str) -> None:
    assert from_home(Path(path), Path("/home/me")) == Path(found)


@pytest.mark.skipif(os.name != "posix", reason="Windows has no such bits")
def test_a_new_private_folder_belongs_to_its_owner_and_must_not_exist(tmp_path: Path) -> None:
    new_private_folder(tmp_path / "new")
    assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == 0o700
    with pytest.raises(FileExistsError):
        new_private_folder(tmp_path / "new")
    with pytest.raises(ConfigError, match="cannot be created: No such file"):
        new_private_folder(tmp_path / "gone" / "new")
