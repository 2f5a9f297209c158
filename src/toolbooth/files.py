"""Files of the user: where they are, how they are written, and locks between processes.

A write is atomic: the new content goes to a temporary file beside the target, is flushed to disk, and is then renamed.
A reader, or a crash, sees the old file or the new one. Files with secrets can be read by their owner alone. Functions
that write raise ConfigError, which names the file and the reason; `private_file` raises OSError, as SQLite does.

The daemon's bridge does not use this module, because it pays for each import whenever a client starts. It has its own
folders and locks in `gateway/daemon/endpoint.py` and `gateway/daemon/client.py`.
"""

import errno
import os
import stat
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from glob import escape
from pathlib import Path
from typing import Final

from toolbooth import errors

__all__ = [
    "FOLDER_VARIABLES",
    "FileLock",
    "cache_folder",
    "data_folder",
    "flush_folder",
    "from_home",
    "is_open_to_others",
    "new_private_folder",
    "private_file",
    "private_folder",
    "remove_abandoned",
    "replace_if_unchanged",
    "write_atomically",
    "write_new",
]

_APP: Final = "toolbooth"
# All variables that decide about a folder here
FOLDER_VARIABLES: Final = (
    "XDG_CACHE_HOME",
    "XDG_DATA_HOME",
    "LOCALAPPDATA",
)
_OWNER_ONLY: Final = 0o700
_OTHERS: Final = stat.S_IRWXG | stat.S_IRWXO
_POSIX: Final = os.name == "posix"
_UNFINISHED: Final = ".toolbooth-"
_WRITING: Final = 60.0  # seconds; no writer of ours takes longer for one file
_NEW_FILE: Final = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
_NO_LINKS: Final = {errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK}
_POLL: Final = 0.02  # seconds between two tries to take a lock


def data_folder(home: Path, environ: Mapping[str, str], platform: str) -> Path:
    """The folder for the user's own data: ledger, tokens, kept originals.

    A test compares it with `platformdirs` on each platform. `platformdirs` is not called here, because it reads the
    environment and home of this process, while the daemon serves clients with other ones. It also differs where
    existing files would be lost: it follows XDG_DATA_HOME on macOS, and ignores LOCALAPPDATA.
    """
    if platform == "darwin":
        return home / "Library" / "Application Support" / _APP
    if platform == "win32":
        return _local_app_data(home, environ) / _APP
    return (_absolute(environ, "XDG_DATA_HOME") or home / ".local" / "share") / _APP


def cache_folder(home: Path, environ: Mapping[str, str], platform: str) -> Path:
    """The folder for files that can be made again. XDG_CACHE_HOME is used on every platform; see `data_folder`."""
    named = _absolute(environ, "XDG_CACHE_HOME")
    if named is not None:
        return named / _APP
    if platform == "darwin":
        return home / "Library" / "Caches" / _APP
    if platform == "win32":
        return _local_app_data(home, environ) / _APP / "Cache"
    return home / ".cache" / _APP


def _local_app_data(home: Path, environ: Mapping[str, str]) -> Path:
    return _absolute(environ, "LOCALAPPDATA") or home / "AppData" / "Local"


def _absolute(environ: Mapping[str, str], variable: str) -> Path | None:
    """The path in a variable. A relative path is ignored, as the XDG specification demands."""
    path = Path(environ.get(variable, ""))
    return path if path.is_absolute() else None


def from_home(path: Path, home: Path) -> Path:
    """The path with `~` replaced by this home, which may be another user's; `~name` stays as it is."""
    return home.joinpath(*path.parts[1:]) if path.parts[:1] == ("~",) else path


def write_atomically(path: Path, data: bytes, mode: int | None = 0o644, *, replace: bool = True) -> None:
    """Write a whole file, or nothing. Without a `mode`, the user's umask decides.

    With `replace=False`, an existing file is not changed and FileExistsError is raised.
    """
    with _written_beside(path, data, mode) as temporary:
        if replace:
            temporary.replace(path)
        else:
            _move_to_new(temporary, path)


def replace_if_unchanged(path: Path, new: bytes, old: bytes | None, mode: int | None = None) -> None:
    """Write a whole file that other programs write too, unless it has changed since `old` was read.

    `old` is None if there was no file. The file keeps its owner, and its mode unless `mode` is given. Temporary files
    of killed writers are removed, because they may hold secrets.
    """
    try:
        before = path.stat() if old is not None else None
        remove_abandoned(path.parent, f".{escape(path.name)}{_UNFINISHED}*")
    except OSError as error:
        raise _unwritable(error, path) from None
    kept = stat.S_IMODE(before.st_mode) if before else 0o600
    with _written_beside(path, new, kept if mode is None else mode) as temporary:
        if before and _POSIX and os.geteuid() == 0:  # an administrator may run this for another user
            os.chown(temporary, before.st_uid, before.st_gid)
        if _content(path) != old:
            raise errors.ConfigError(
                "was just changed by another program; nothing was written, try again", path
            )
        temporary.replace(path)


def write_new(path: Path, data: bytes, mode: int = 0o600) -> None:
    """Write a file that must not exist yet. By default only its owner can read it."""
    try:
        _create(path, data, mode)
    except OSError as error:
        raise _unwritable(error, path) from None


def remove_abandoned(folder: Path, pattern: str) -> None:
    """Remove the temporary files of killed writers: those that match this pattern and are older than a minute."""
    for path in folder.glob(pattern):
        with suppress(OSError):
            if path.stat().st_mtime < time.time() - _WRITING:
                path.unlink()


@contextmanager
def _written_beside(path: Path, data: bytes, mode: int | None) -> Iterator[Path]:
    """A temporary file with this content; it is removed at the end unless it has been renamed."""
    temporary = path.parent / f".{path.name}{_UNFINISHED}{os.urandom(8).hex()}"
    try:
        _create(temporary, data, mode)
        yield temporary
    except FileExistsError:
        raise
    except OSError as error:
        raise _unwritable(error, path) from None
    finally:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)


def _create(path: Path, data: bytes, mode: int | None) -> None:
    handle = os.open(path, _NEW_FILE, 0o666 if mode is None else 0o600)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if mode is not None:
            path.chmod(mode)
    except BaseException:
        with suppress(OSError):
            path.unlink()
        raise


def _move_to_new(temporary: Path, path: Path) -> None:
    """Rename the file unless the target exists; if two processes do this at once, one is refused."""
    try:
        os.link(temporary, path)
    except OSError as error:
        if error.errno not in _NO_LINKS:
            raise
        if os.path.lexists(path):
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST)) from None
        temporary.replace(path)


def _content(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None


def _unwritable(error: OSError, path: Path) -> errors.ConfigError:
    return errors.ConfigError(f"cannot be written: {error.strerror or 'unknown reason'}", path)


def private_folder(path: Path) -> None:
    """Create a folder that only its owner can open, or remove the rights of others from an existing one."""
    try:
        _make_private(path)
    except OSError as error:
        raise errors.ConfigError(f"cannot be created: {error.strerror or 'unknown reason'}", path) from None


def new_private_folder(path: Path) -> None:
    """Create a folder that only its owner can open; raises FileExistsError if it exists."""
    try:
        path.mkdir(mode=_OWNER_ONLY)
    except FileExistsError:
        raise
    except OSError as error:
        raise errors.ConfigError(f"cannot be created: {error.strerror or 'unknown reason'}", path) from None


def private_file(path: Path) -> int:
    """Create a file, and its folder, that only their owner can open; returns the file's inode. Raises OSError.

    A file that exists is not opened: closing it would release all locks that this process holds on it, and SQLite
    relies on its own.
    """
    _make_private(path.parent)
    with suppress(FileExistsError):
        os.close(os.open(path, _NEW_FILE, 0o600))
    about = path.stat()
    if not stat.S_ISREG(about.st_mode):
        code = errno.EISDIR if stat.S_ISDIR(about.st_mode) else errno.EINVAL
        raise OSError(code, os.strerror(code), str(path))
    if is_open_to_others(about):
        path.chmod(0o600)
    return about.st_ino


def is_open_to_others(about: os.stat_result) -> bool:
    """Whether anyone besides the owner has any right. Windows has no such bits; a profile there is private."""
    return _POSIX and bool(about.st_mode & _OTHERS)


def _make_private(folder: Path) -> None:
    folder.mkdir(mode=_OWNER_ONLY, parents=True, exist_ok=True)
    if is_open_to_others(folder.stat()):
        folder.chmod(_OWNER_ONLY)


def flush_folder(path: Path) -> None:
    """Make renames in a folder survive a power failure. Windows cannot open folders, and needs no flush."""
    with suppress(OSError):
        handle = os.open(path, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


class FileLock:
    """A lock between processes. The kernel releases it when its holder ends, even if that was killed.

    The file is created when the lock is first taken and is never removed; otherwise two processes could hold it.
    """

    def __init__(self, path: Path | str) -> None:
        import filelock  # takes 14 ms, and most commands take no lock

        self.path = path
        self._timed_out = filelock.Timeout
        # A lock by a file's mere existence would survive its killed holder: an error is better.
        self._lock = filelock.FileLock(
            path, mode=0o600, poll_interval=_POLL, thread_local=False, fallback_to_soft=False
        )

    def take(self, patience: float = 0.0) -> bool:
        """Take the lock; returns False if another process still holds it after `patience` seconds. Raises OSError."""
        try:
            self._lock.acquire(timeout=patience)
        except self._timed_out:
            return False
        return True

    def release(self) -> None:
        """Release the lock; nothing happens if it is not held."""
        self._lock.release(force=True)
