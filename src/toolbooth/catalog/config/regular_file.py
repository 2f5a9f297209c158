"""Reading regular files up to a maximum size; pipes, devices and other kinds are refused."""

import stat
from pathlib import Path
from typing import Final

from toolbooth import errors, limits

# Reading one of these may block for ever (a pipe) or never end (/dev/zero).
_KINDS: Final = (
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
    (stat.S_ISSOCK, "a socket"),
)


def read_regular(path: Path, max_bytes: int) -> bytes:
    """Read a file, following links; raises ConfigError with the reason if it cannot be read."""
    return bounded(path, read_start(path, max_bytes + 1), max_bytes)


def bounded(path: Path, data: bytes, max_bytes: int) -> bytes:
    """Return the bytes; raises ConfigError if there are too many."""
    if len(data) > max_bytes:
        ceiling = (
            f"{max_bytes // limits.MIB} MiB" if max_bytes >= limits.MIB else f"{max_bytes // limits.KIB} KiB"
        )
        raise errors.ConfigError(f"is larger than {ceiling}", path)
    return data


def read_start(path: Path, most: int) -> bytes:
    """The first bytes of a file, at most `most`; the file may be larger."""
    try:
        _check_kind(path, path.stat().st_mode)
        with path.open("rb") as stream:
            return stream.read(most)
    except FileNotFoundError:
        raise errors.ConfigError(errors.NO_SUCH_FILE, path) from None
    except OSError as error:
        raise errors.ConfigError(f"cannot be read: {error.strerror or 'unknown reason'}", path) from None


def _check_kind(path: Path, mode: int) -> None:
    if stat.S_ISDIR(mode):
        raise errors.ConfigError("is a directory; name a file in it", path)
    if not stat.S_ISREG(mode):
        kind = next((name for is_kind, name in _KINDS if is_kind(mode)), "something else")
        raise errors.ConfigError(f"is {kind}, not a regular file; save it to a file and name that", path)
