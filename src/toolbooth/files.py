"""Files of the user: where they are, how they are written, and locks between processes.

A write is atomic: the new content is written to a temporary file beside the target, flushed to disk and renamed, so a
reader or a crash meets the old file or the new one. What holds secrets is open to its owner alone. Functions that
write raise ConfigError, which names the file and the reason; `private_file` raises OSError, as SQLite does.

The bridge of the daemon does not use this module: it pays for every import at each start of a client. Its rules for
folders and locks are in `gateway/daemon/endpoint.py` and `gateway/daemon/client.py`.
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

from toolbooth.errors import ConfigError

__all__ = [
    "FOLDER_VARIABLES",
    "FileLock",
    "cache_folder",
    "data_folder",
    "flush_folder",
    "is_open_to_others",
    "private_file",
    "private_folder",
    "remove_abandoned",
    "replace_if_unchanged",
    "write_atomically",
    "write_new",
]

_APP: Final = "toolbooth"
FOLDER_VARIABLES: Final = (
    "XDG_CACHE_HOME",
    "XDG_DATA_HOME",
    "LOCALAPPDATA",
)  # all that name a folder of ours
_OWNER_ONLY: Final = 0o700
_OTHERS: Final = stat.S_IRWXG | stat.S_IRWXO
_POSIX: Final = os.name == "posix"
_UNFINISHED: Final = ".toolbooth-"
_WRITING: Final = 60.0  # seconds; no writer of ours takes longer for one file
_NEW_FILE: Final = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
_NO_LINKS: Final = {errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK}
_POLL: Final = 0.02  # seconds between two tries to take a lock


def data_folder(home: Path, environ: Mapping[str, str], platform: str) -> Path:
    """The folder for what is the user's own: ledger, tokens, kept originals.

    These are the folders of `platformdirs`, which a test compares with ours on each platform. It is not called here,
    because it reads the environment and home of this process, and the daemon serves clients with their own. It also
    differs in ways that would lose users' files: it follows XDG_DATA_HOME on macOS, and ignores LOCALAPPDATA.
    """
    if platform == "darwin":
        return home / "Library" / "Application Support" / _APP
    if platform == "win32":
        return _local_app_data(home, environ) / _APP
    return (_absolute(environ, "XDG_DATA_HOME") or home / ".local" / "share") / _APP


def cache_folder(home: Path, environ: Mapping[str, str], platform: str) -> Path:
    """The folder for what can be made again. XDG_CACHE_HOME counts on every platform; see `data_folder`."""
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
    """The path in a variable. A relative one counts as unset, as the XDG specification demands."""
    path = Path(environ.get(variable, ""))
    return path if path.is_absolute() else None


def write_atomically(path: Path, data: bytes, mode: int | None = 0o644, *, replace: bool = True) -> None:
    """Write a whole file, or nothing. Without a `mode`, the user's umask decides.

    Where `replace` is False and the file exists, it stays and FileExistsError is raised.
    """
    with _written_beside(path, data, mode) as temporary:
        if replace:
            temporary.replace(path)
        else:
            _move_to_new(temporary, path)


def replace_if_unchanged(path: Path, new: bytes, old: bytes | None, mode: int | None = None) -> None:
    """Write a whole file that other programs write, too, unless one has changed it since `old` was read.

    `old` is None where there was no file. The file's owner stays, and so does its mode unless `mode` is given. What a
    killed writer left is removed: it may hold secrets.
    """
    try:
        before = path.stat() if old is not None else None
        remove_abandoned(path.parent, f".{escape(path.name)}{_UNFINISHED}*")
    except OSError as error:
        raise _unwritable(error, path) from None
    kept = stat.S_IMODE(before.st_mode) if before else 0o600
    with _written_beside(path, new, kept if mode is None else mode) as temporary:
        if before and _POSIX and os.geteuid() == 0:  # an administrator may run this for somebody else
            os.chown(temporary, before.st_uid, before.st_gid)
        if _content(path) != old:
            raise ConfigError("was changed by another program just now; nothing was changed, try again", path)
        temporary.replace(path)


def write_new(path: Path, data: bytes, mode: int = 0o600) -> None:
    """Write a file that must not exist yet. Unless `mode` says otherwise, only its owner may read it."""
    try:
        _create(path, data, mode)
    except OSError as error:
        raise _unwritable(error, path) from None


def remove_abandoned(folder: Path, pattern: str) -> None:
    """Remove the temporary files of this pattern whose writer was killed: those that are older than a minute."""
    for path in folder.glob(pattern):
        with suppress(OSError):
            if path.stat().st_mtime < time.time() - _WRITING:
                path.unlink()


@contextmanager
def _written_beside(path: Path, data: bytes, mode: int | None) -> Iterator[Path]:
    """A temporary file with this content, which is removed at the end unless it was renamed."""
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
    """Give the file its name, unless the name is taken: of two that write at once, one is refused."""
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


def _unwritable(error: OSError, path: Path) -> ConfigError:
    return ConfigError(f"cannot be written: {error.strerror or 'unknown reason'}", path)


def private_folder(path: Path) -> None:
    """Make a folder that only its owner may enter, or close an existing one to others."""
    try:
        _make_private(path)
    except OSError as error:
        raise ConfigError(f"cannot be made: {error.strerror or 'unknown reason'}", path) from None


def private_file(path: Path) -> int:
    """Make a file, and its folder, that only their owner may open; gives back the file's inode. Raises OSError."""
    _make_private(path.parent)
    handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        about = os.fstat(handle)
        if is_open_to_others(about):
            os.fchmod(handle, 0o600)
        return about.st_ino
    finally:
        os.close(handle)


def is_open_to_others(about: os.stat_result) -> bool:
    """Whether somebody besides the owner has any right. Windows has no such bits: a profile is its owner's alone."""
    return _POSIX and bool(about.st_mode & _OTHERS)


def _make_private(folder: Path) -> None:
    folder.mkdir(mode=_OWNER_ONLY, parents=True, exist_ok=True)
    if is_open_to_others(folder.stat()):
        folder.chmod(_OWNER_ONLY)


def flush_folder(path: Path) -> None:
    """Make sure that renames in a folder outlive a power cut. Windows cannot open folders, and does it itself."""
    with suppress(OSError):
        handle = os.open(path, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


class FileLock:
    """A lock between processes. The kernel releases it when its holder ends, even by a kill.

    The file is made when the lock is first taken, and it stays: if it were removed, two processes could hold it.
    """

    def __init__(self, path: Path | str) -> None:
        import filelock  # 14 ms in a bare Python, most of it `inspect` and `logging`; most commands take no lock

        self.path = path
        self._timed_out = filelock.Timeout
        # A lock by the mere existence of a file outlives its killed holder: an error is better.
        self._lock = filelock.FileLock(
            path, mode=0o600, poll_interval=_POLL, thread_local=False, fallback_to_soft=False
        )

    def take(self, patience: float = 0.0) -> bool:
        """Take the lock, or return False if another holds it for so many seconds. Raises OSError."""
        try:
            self._lock.acquire(timeout=patience)
        except self._timed_out:
            return False
        return True

    def release(self) -> None:
        """Give the lock back; nothing happens where it is not held."""
        self._lock.release(force=True)
