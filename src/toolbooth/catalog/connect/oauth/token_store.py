"""A server's URL ↔ its grant: a record in the token folder, its secrets in the OS keyring where there is one."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Literal

import orjson
from anyio.to_thread import run_sync

from toolbooth.catalog.connect.oauth.file_lock import locked
from toolbooth.catalog.connect.oauth.grant import Grant, plain_part, read_grant, secret_part
from toolbooth.catalog.connect.oauth.os_keyring import KeyringTrouble, OsKeyring
from toolbooth.catalog.connect.oauth.token_folder import TokenFolder
from toolbooth.errors import BackendTimeout, ConfigError
from toolbooth.limits import REFRESH_TIMEOUT

KeptIn = Literal["keyring", "file"]


@dataclass(frozen=True)
class Kept:
    """What may be told of a kept token."""

    url: str = field(repr=False)
    kept_in: KeptIn
    expires_at: float | None
    renews: bool


class TokenStore:
    """All methods that wait are safe to call from an event loop: a keyring may ask a person to unlock it."""

    def __init__(self, folder: TokenFolder | None = None) -> None:
        self.folder = folder or TokenFolder()

    async def read(self, url: str) -> Grant | None:
        """The grant for this canonical URL; raises ConfigError where it is there and cannot be used."""
        return await run_sync(self._read, url)

    async def write(self, grant: Grant) -> KeptIn:
        """Keep it, and say where. Hold the lock of its URL around the change."""
        return await run_sync(self._write, grant)

    @asynccontextmanager
    async def locked(self, url: str) -> AsyncIterator[None]:
        """Nobody else changes the grant of this URL, in this process or another."""
        self.folder.make()
        try:
            async with locked(self.folder.file_of(url, ".lock"), REFRESH_TIMEOUT * 2):
                yield
        except TimeoutError:
            raise BackendTimeout("another Toolbooth has been renewing its token for too long") from None
        except OSError as error:
            raise ConfigError(f"cannot be locked: {error.strerror}", self.folder.path) from None

    def all(self) -> list[Kept]:
        """Every server that something is kept for; no keyring is opened for it."""
        return [_kept(record) for record in self.folder.all()]

    async def forget(self, url: str) -> bool:
        """Remove all of it; False where there was nothing."""
        if not self.folder.file_of(url).exists():
            return False
        async with self.locked(url):
            return await run_sync(self._forget, url)

    def _forget(self, url: str) -> bool:
        try:
            record = self.folder.read(url)
        except ConfigError:  # damaged, or open to others: all the more reason to remove it
            record = None
        if record is not None and _kept(record).kept_in == "keyring":
            keyring = OsKeyring.find()
            try:
                if keyring is not None:
                    keyring.delete(url)
            except KeyringTrouble as trouble:
                raise ConfigError(f"the OS keyring does not let go of it ({trouble}): unlock it") from None
        return self.folder.forget(url)

    def _read(self, url: str) -> Grant | None:
        record = self.folder.read(url)
        if record is None:
            return None
        secret = _from_keyring(url) if _kept(record).kept_in == "keyring" else record.get("secret")
        grant = read_grant(record, secret)
        if grant is None:
            raise ConfigError("is damaged; remove it and sign in again", self.folder.file_of(url))
        return grant

    def _write(self, grant: Grant) -> KeptIn:
        record, secret = plain_part(grant), secret_part(grant)
        keyring = OsKeyring.find()
        if keyring is not None:
            try:
                keyring.set(grant.url, orjson.dumps(secret).decode())
            except (
                KeyringTrouble
            ):  # locked, or too small for a long token, as on Windows: the file always holds
                keyring = None
        self.folder.write(grant.url, record if keyring else {**record, "secret": secret})
        return "keyring" if keyring else "file"


def _kept(record: dict[str, Any]) -> Kept:
    expires = record.get("expires_at")
    return Kept(
        url=str(record.get("url", "")),
        kept_in="file" if "secret" in record else "keyring",
        expires_at=expires if isinstance(expires, int | float) else None,
        renews=record.get("renews") is True,
    )


def _from_keyring(url: str) -> Any:
    keyring = OsKeyring.find()
    try:
        text = keyring.get(url) if keyring is not None else None
        return orjson.loads(text or b"")
    except (KeyringTrouble, orjson.JSONDecodeError):
        raise ConfigError("its token is in the OS keyring, which does not give it: unlock it") from None
