"""New bytes for a file that others write, too → the old file or the new one, never half of one, nobody's work lost."""

import hashlib
import os
import stat
import tempfile
import time
from contextlib import suppress
from glob import escape
from pathlib import Path

from toolbooth.errors import ConfigError

_UNFINISHED = ".toolbooth-"
_WRITING = 60.0  # seconds; nobody takes longer to write a config


def digest(data: bytes) -> str:
    """How contents are compared and remembered."""
    return hashlib.sha256(data).hexdigest()


def swap(path: Path, new: bytes, old: bytes | None) -> None:
    """Put `new` in the place of `old` (None: there was no file) and keep the file's mode and owner.

    Another program's change since `old` was read is looked for right before the rename: then nothing is changed.
    """
    try:
        before = path.stat() if old is not None else None
        _remove_left(path)
        handle, name = tempfile.mkstemp(prefix=f".{path.name}{_UNFINISHED}", dir=path.parent)
    except OSError as error:
        raise _unwritable(error, path) from None
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(new)
            file.flush()
            os.fsync(file.fileno())
        if before:
            temporary.chmod(stat.S_IMODE(before.st_mode))
            _give(temporary, before)
        if _contents(path) != old:
            raise ConfigError("was changed by another program just now; nothing was changed, try again", path)
        temporary.replace(path)
    except OSError as error:
        raise _unwritable(error, path) from None
    finally:
        temporary.unlink(missing_ok=True)


def _remove_left(path: Path) -> None:
    """What a process that was killed while it wrote has left; a config may hold secrets."""
    for left in path.parent.glob(f".{escape(path.name)}{_UNFINISHED}*"):
        with suppress(OSError):
            if left.stat().st_mtime < time.time() - _WRITING:
                left.unlink()


def _give(path: Path, before: os.stat_result) -> None:
    """The file stays its owner's, also when an administrator runs this for somebody else."""
    if hasattr(os, "chown") and os.geteuid() == 0:
        os.chown(path, before.st_uid, before.st_gid)


def write_private(path: Path, data: bytes) -> None:
    """A new file that only its owner may read, flushed to disk."""
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise _unwritable(error, path) from None


def private_folder(path: Path) -> None:
    """A folder that only its owner may enter."""
    try:
        path.mkdir(parents=True, exist_ok=True)
        path.chmod(0o700)
    except OSError as error:
        raise _unwritable(error, path) from None


def flush_folder(path: Path) -> None:
    """See to it that the names in a folder outlive a power cut; Windows opens no folders and does it by itself."""
    with suppress(OSError):
        handle = os.open(path, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _contents(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None


def _unwritable(error: OSError, path: Path) -> ConfigError:
    return ConfigError(f"cannot be written: {error.strerror or 'unknown reason'}", path)
