"""Stored tokens: one record per server, in a folder that only its owner may enter.

The secrets of a record are in the OS keyring if there is one, and otherwise in the record itself.
"""

import errno
import hashlib
import os
import stat
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final, Literal

import anyio
from anyio.to_thread import run_sync
from msgspec import UNSET

from toolbooth import errors, files, limits, own_json
from toolbooth.catalog.connect.oauth import grant as grants

_SERVICE = "toolbooth"
# These backends store nothing, refuse everything, or write secrets into a plain file.
_NOT_REAL = ("keyring.backends.fail", "keyring.backends.null", "keyring.backends.chainer", "keyrings.alt")


class OsKeyring:
    """Texts by name in the OS keyring. Every failure is raised as KeyringError."""

    def __init__(self, backend: Any) -> None:
        self._backend = backend

    @classmethod
    def find(cls) -> "OsKeyring | None":
        """The best real backend, or None."""
        try:
            import keyring

            found: Any = keyring.get_keyring()
            backends = [each for each in getattr(found, "backends", (found,)) if _is_real(each)]
        except Exception:  # not installed, or its own config names a backend that does not exist
            return None
        return cls(backends[0]) if backends else None

    def get(self, name: str) -> str | None:
        """The text under that name, if there is one."""
        return self._ask("get_password", name)

    def set(self, name: str, text: str) -> None:
        """Store a text."""
        self._ask("set_password", name, text)

    def delete(self, name: str) -> None:
        """Remove a text."""
        self._ask("delete_password", name)

    def _ask(self, method: str, *words: str) -> str | None:
        try:
            said = getattr(self._backend, method)(_SERVICE, *words)
        except Exception as error:  # each backend raises its system's own errors: D-Bus, Win32, Security
            raise KeyringError(type(error).__name__) from None
        return said if isinstance(said, str) else None


class KeyringError(Exception):
    """The keyring is locked, full or gone. The message is only the kind of error: its text could quote a secret."""


def _is_real(backend: object) -> bool:
    return not type(backend).__module__.startswith(_NOT_REAL)


_LOCK_POLL: Final = 0.02  # seconds
_NO_LOCKS: Final = {errno.ENOLCK, errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP}


@asynccontextmanager
async def locked(path: Path, timeout: float) -> AsyncIterator[None]:
    """Hold the lock of this file; raises TimeoutError if another process holds it for too long."""
    lock = files.FileLock(path)
    try:
        with anyio.fail_after(timeout):
            while not _take(lock):  # noqa: ASYNC110 - no event reports that another process releases it
                await anyio.sleep(_LOCK_POLL)
        yield
    finally:
        lock.release()


def _take(lock: files.FileLock) -> bool:
    try:
        return lock.take()
    except OSError as error:
        if error.errno in _NO_LOCKS:  # some network file systems have no locks: going on without is better
            return True
        raise


class TokenFolder:
    """Records as files of mode 0600 in a folder of mode 0700; each is written atomically."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or files.data_folder(Path.home(), os.environ, sys.platform) / "tokens"

    def file_of(self, url: str, suffix: str = ".json") -> Path:
        """The file of this server; its name does not reveal the address."""
        return self.path / (hashlib.sha256(url.encode()).hexdigest()[:32] + suffix)

    def read(self, url: str) -> grants.TokenRecord | None:
        """The record, if there is one; raises ConfigError if it is not safe to use."""
        record = _read_record(self.file_of(url))
        return record if record is not None and record.url == url else None

    def all(self) -> Iterator[grants.TokenRecord]:
        """Every record."""
        if self.path.is_dir():
            yield from filter(None, map(_read_record, sorted(self.path.glob("*.json"))))

    def write(self, url: str, record: grants.TokenRecord) -> None:
        """Store the record of this server."""
        self.make()
        # A killed process may have left part of a record, with tokens
        files.remove_abandoned(self.path, ".*")
        files.write_atomically(self.file_of(url), own_json.encode(record), 0o600)

    def forget(self, url: str) -> bool:
        """Remove the record; returns False if there was none."""
        try:
            self.file_of(url).unlink()
        except FileNotFoundError:
            return False
        except OSError as error:
            raise errors.ConfigError(f"cannot be removed: {error.strerror}", self.file_of(url)) from None
        return True

    def make(self) -> None:
        """Create the folder, or close it to others."""
        files.private_folder(self.path)


def _read_record(path: Path) -> grants.TokenRecord | None:
    try:
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    except FileNotFoundError:
        return None
    except OSError as error:
        raise errors.ConfigError(f"cannot be read: {error.strerror}", path) from None
    with os.fdopen(handle, "rb") as file:
        _check_owner(os.fstat(handle), path)
        data = file.read(limits.MAX_TOKEN_ANSWER * 2)
    return grants.RECORD.read(data, path)


def _check_owner(about: os.stat_result, path: Path) -> None:
    if not stat.S_ISREG(about.st_mode):
        raise errors.ConfigError("is not a regular file; remove it and sign in again", path)
    if os.name == "posix" and about.st_uid != os.geteuid():
        raise errors.ConfigError("belongs to another user; remove it and sign in again", path)
    if files.is_open_to_others(about):
        raise errors.ConfigError(f"holds tokens and can be read by other users; run `chmod 600 {path}`", path)


KeptIn = Literal["keyring", "file"]


@dataclass(frozen=True)
class StoredToken:
    """The facts about a stored token that are not secret."""

    url: str = field(repr=False)
    kept_in: KeptIn
    expires_at: float | None
    renews: bool


class TokenStore:
    """Grants by server. Reading and writing run in threads, because a keyring may ask a person to unlock it."""

    def __init__(self, folder: TokenFolder | None = None) -> None:
        self.folder = folder or TokenFolder()

    async def read(self, url: str) -> grants.Grant | None:
        """The grant for this canonical URL, if there is one; raises ConfigError if it cannot be used."""
        return await run_sync(self._read, url)

    async def write(self, grant: grants.Grant) -> KeptIn:
        """Store a grant; returns where its secrets are. Hold the lock of its URL during the change."""
        return await run_sync(self._write, grant)

    @asynccontextmanager
    async def locked(self, url: str) -> AsyncIterator[None]:
        """Hold the lock of this URL: no other task or process changes its grant meanwhile."""
        self.folder.make()
        try:
            async with locked(self.folder.file_of(url, ".lock"), limits.REFRESH_TIMEOUT * 2):
                yield
        except TimeoutError:
            raise errors.BackendTimeout(
                "another Toolbooth has been renewing its token for too long"
            ) from None
        except OSError as error:
            raise errors.ConfigError(f"cannot be locked: {error.strerror}", self.folder.path) from None

    def all(self) -> list[StoredToken]:
        """Every stored token; this opens no keyring."""
        return [_stored_token(record) for record in self.folder.all()]

    async def forget(self, url: str) -> bool:
        """Remove a grant and its secrets; returns False if there was none."""
        if not self.folder.file_of(url).exists():
            return False
        async with self.locked(url):
            return await run_sync(self._forget, url)

    def _forget(self, url: str) -> bool:
        try:
            record = self.folder.read(url)
        except errors.ConfigError:  # damaged, or readable by others: then it is removed all the same
            record = None
        if record is not None and _stored_token(record).kept_in == "keyring":
            keyring = OsKeyring.find()
            try:
                if keyring is not None:
                    keyring.delete(url)
            except KeyringError as error:
                raise errors.ConfigError(
                    f"cannot be removed from the OS keyring ({error}); unlock it"
                ) from None
        return self.folder.forget(url)

    def _read(self, url: str) -> grants.Grant | None:
        record = self.folder.read(url)
        if record is None:
            return None
        secrets = _from_keyring(url) if record.secret is UNSET else record.secret
        return grants.grant_of(record, secrets)

    def _write(self, grant: grants.Grant) -> KeptIn:
        record, secrets = grants.record_of(grant), grants.secrets_of(grant)
        keyring = OsKeyring.find()
        if keyring is not None:
            try:
                keyring.set(grant.url, own_json.encode(secrets).decode())
            except KeyringError:  # locked, or too small for a long token, as on Windows: use the file
                keyring = None
        self.folder.write(grant.url, record if keyring else replace(record, secret=secrets))
        return "keyring" if keyring else "file"


def _stored_token(record: grants.TokenRecord) -> StoredToken:
    return StoredToken(
        url=record.url,
        kept_in="keyring" if record.secret is UNSET else "file",
        expires_at=record.expires_at,
        renews=record.renews,
    )


def _from_keyring(url: str) -> grants.GrantSecrets:
    keyring = OsKeyring.find()
    try:
        text = keyring.get(url) if keyring is not None else None
        return own_json.decode((text or "").encode(), grants.GrantSecrets)
    except (KeyringError, ValueError):
        raise errors.ConfigError("its token is in the OS keyring, which cannot be read; unlock it") from None
