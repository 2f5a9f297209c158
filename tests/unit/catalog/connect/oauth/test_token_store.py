"""Secrets go to the OS keyring where there is a real one, and to the owner-only file otherwise."""

import json
from collections.abc import Callable

import keyring
import pytest
from keyring.backend import KeyringBackend
from keyring.backends import chainer, fail, null
from keyring.errors import PasswordSetError
from tests.unit.catalog.connect.oauth.test_grant import GRANT

from toolbooth.catalog.connect.oauth.os_keyring import OsKeyring
from toolbooth.catalog.connect.oauth.token_folder import TokenFolder
from toolbooth.catalog.connect.oauth.token_store import TokenStore
from toolbooth.errors import ConfigError

pytestmark = pytest.mark.anyio


class Safe(KeyringBackend):
    """A keyring as a third party would write one, kept in memory."""

    priority = 5.0

    def __init__(self, largest: int = 100_000) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.held: dict[tuple[str, str], str] = {}
        self.largest = largest

    def get_password(self, service: str, username: str) -> str | None:
        return self.held.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        if len(password) > self.largest:
            raise PasswordSetError(f"too long: {password}")
        self.held[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        del self.held[service, username]


@pytest.fixture
def safe() -> Safe:
    made = Safe()
    keyring.set_keyring(made)
    return made


@pytest.mark.promise("auth:keyring")
async def test_a_real_keyring_holds_the_secrets_and_the_file_only_the_rest(
    safe: Safe, folder: TokenFolder
) -> None:
    assert await TokenStore().write(GRANT) == "keyring"
    assert "CANARY-" not in folder.file_of(GRANT.url).read_text()
    assert "CANARY-access" in safe.held["toolbooth", GRANT.url]
    assert await TokenStore().read(GRANT.url) == GRANT
    (kept,) = TokenStore().all()
    assert (kept.kept_in, kept.renews, kept.url) == ("keyring", True, GRANT.url)
    assert await TokenStore().forget(GRANT.url)
    assert safe.held == {}
    assert TokenStore().all() == []


@pytest.mark.promise("auth:keyring")
@pytest.mark.parametrize("backend", [fail.Keyring, null.Keyring], ids=["fail", "null"])
async def test_a_keyring_that_keeps_nothing_is_not_used(backend: Callable[[], KeyringBackend]) -> None:
    keyring.set_keyring(backend())
    assert OsKeyring.find() is None
    assert await TokenStore().write(GRANT) == "file"
    assert await TokenStore().read(GRANT.url) == GRANT


def test_a_keyring_that_is_a_plain_file_is_not_used() -> None:
    plain = type("PlaintextKeyring", (Safe,), {"__module__": "keyrings.alt.file"})
    keyring.set_keyring(plain())
    assert OsKeyring.find() is None


def test_of_a_chain_only_a_real_keyring_is_used() -> None:
    real = Safe()

    class Chain(chainer.ChainerBackend):
        priority = 10.0
        backends = (null.Keyring(), real)  # type: ignore[no-untyped-call]

    keyring.set_keyring(Chain())  # type: ignore[no-untyped-call]
    found = OsKeyring.find()
    assert found is not None
    found.set("name", "text")
    assert real.held == {("toolbooth", "name"): "text"}


async def test_a_token_too_long_for_the_keyring_goes_to_the_file(safe: Safe, folder: TokenFolder) -> None:
    """As on Windows, where a credential holds some 1,200 characters."""
    safe.largest = 10
    assert await TokenStore().write(GRANT) == "file"
    assert json.loads(folder.file_of(GRANT.url).read_bytes())["secret"]["access_token"] == GRANT.access_token
    assert await TokenStore().read(GRANT.url) == GRANT


async def test_a_keyring_that_is_gone_is_said(safe: Safe) -> None:
    await TokenStore().write(GRANT)
    keyring.set_keyring(fail.Keyring())  # type: ignore[no-untyped-call]
    with pytest.raises(ConfigError, match="OS keyring, which does not give it"):
        await TokenStore().read(GRANT.url)


async def test_a_file_with_wrong_rights_can_still_be_forgotten(folder: TokenFolder) -> None:
    await TokenStore().write(GRANT)
    folder.file_of(GRANT.url).chmod(0o644)
    assert await TokenStore().forget(GRANT.url)
    assert not await TokenStore().forget(GRANT.url)


async def test_what_may_be_told_of_a_token_has_no_secret() -> None:
    await TokenStore().write(GRANT)
    assert "CANARY" not in repr(TokenStore().all())
