"""A canonical URL ↔ its record in a folder that only its owner may enter, one file a server."""

import hashlib
import os
import stat
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import orjson

from toolbooth.errors import ConfigError
from toolbooth.limits import MAX_TOKEN_ANSWER

_OTHERS = stat.S_IRWXG | stat.S_IRWXO
_POSIX = os.name == "posix"
_WRITING = 60.0  # seconds; nobody takes longer to write a record


def data_folder(home: Path, environ: Mapping[str, str], platform: str) -> Path:
    """Where this platform keeps an application's data of one user."""
    if platform == "darwin":
        return home / "Library" / "Application Support" / "toolbooth"
    variable, usual = ("LOCALAPPDATA", "AppData/Local") if platform == "win32" else _XDG
    named = environ.get(variable, "")
    return (Path(named) if Path(named).is_absolute() else home / usual) / "toolbooth"


_XDG = ("XDG_DATA_HOME", ".local/share")


class TokenFolder:
    """Records as files of mode 0600 in a folder of mode 0700; each is written whole or not at all."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or data_folder(Path.home(), os.environ, sys.platform) / "tokens"

    def file_of(self, url: str, suffix: str = ".json") -> Path:
        """The file of this server; its name tells nothing of the address."""
        return self.path / (hashlib.sha256(url.encode()).hexdigest()[:32] + suffix)

    def read(self, url: str) -> dict[str, Any] | None:
        """The record, if there is one; raises ConfigError where it is not safe to use."""
        record = _read(self.file_of(url))
        return record if record is not None and record.get("url") == url else None

    def all(self) -> Iterator[dict[str, Any]]:
        """Every record."""
        if self.path.is_dir():
            yield from filter(None, map(_read, sorted(self.path.glob("*.json"))))

    def write(self, url: str, record: Mapping[str, Any]) -> None:
        """Keep this record for the server."""
        self.make()
        self._remove_left()
        target = self.file_of(url)
        try:
            handle, name = tempfile.mkstemp(prefix=".new-", dir=self.path)  # mode 0600
            try:
                with os.fdopen(handle, "wb") as file:
                    file.write(orjson.dumps(record))
                    file.flush()
                    os.fsync(file.fileno())
                Path(name).replace(target)
            finally:
                Path(name).unlink(missing_ok=True)
        except OSError as error:
            raise ConfigError(f"cannot be written: {error.strerror}", target) from None

    def _remove_left(self) -> None:
        """What a process that was killed while it wrote has left: half a record, with tokens in it."""
        for path in self.path.glob(".new-*"):
            with suppress(OSError):
                if path.stat().st_mtime < time.time() - _WRITING:
                    path.unlink()

    def forget(self, url: str) -> bool:
        """Remove the record; False where there was none."""
        try:
            self.file_of(url).unlink()
        except FileNotFoundError:
            return False
        except OSError as error:
            raise ConfigError(f"cannot be removed: {error.strerror}", self.file_of(url)) from None
        return True

    def make(self) -> None:
        """Create the folder, or close one that stands open to others."""
        try:
            self.path.mkdir(mode=0o700, parents=True, exist_ok=True)
            if _POSIX and stat.S_IMODE(self.path.stat().st_mode) & _OTHERS:
                self.path.chmod(0o700)
        except OSError as error:
            raise ConfigError(f"cannot be made: {error.strerror}", self.path) from None


def _read(path: Path) -> dict[str, Any] | None:
    try:
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    except FileNotFoundError:
        return None
    except OSError as error:
        raise ConfigError(f"cannot be read: {error.strerror}", path) from None
    with os.fdopen(handle, "rb") as file:
        _check_owner(os.fstat(handle), path)
        data = file.read(MAX_TOKEN_ANSWER * 2)
    try:
        record = orjson.loads(data)
    except orjson.JSONDecodeError:
        raise ConfigError("is damaged; remove it and sign in again", path) from None
    return record if isinstance(record, dict) else None


def _check_owner(about: os.stat_result, path: Path) -> None:
    if not stat.S_ISREG(about.st_mode):
        raise ConfigError("is no regular file; remove it and sign in again", path)
    if not _POSIX:
        return
    if about.st_uid != os.geteuid():
        raise ConfigError("belongs to another user; remove it and sign in again", path)
    if stat.S_IMODE(about.st_mode) & _OTHERS:
        raise ConfigError(f"holds tokens and others may read it: run `chmod 600 {path}`", path)
