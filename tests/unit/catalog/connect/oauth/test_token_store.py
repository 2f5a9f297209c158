"""Secrets go to the OS keyring where there is a real one, and to the owner-only file otherwise."""

import json
import os
import stat
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import anyio
import keyring
import pytest
from keyring.backend import KeyringBackend
from keyring.backends import chainer, fail, null
from keyring.errors import PasswordSetError
from tests.unit.catalog.connect.oauth.test_grant import GRANT

from toolbooth.catalog.connect.oauth.grant import record_of, secrets_of
from toolbooth.catalog.connect.oauth.token_store import (
    OsKeyring,
    TokenFolder,
    TokenStore,
    locked,
)
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
    with pytest.raises(ConfigError, match="OS keyring, which cannot be read"):
        await TokenStore().read(GRANT.url)


async def test_a_file_with_wrong_rights_can_still_be_forgotten(folder: TokenFolder) -> None:
    await TokenStore().write(GRANT)
    folder.file_of(GRANT.url).chmod(0o644)
    assert await TokenStore().forget(GRANT.url)
    assert not await TokenStore().forget(GRANT.url)


async def test_what_may_be_shown_of_a_token_has_no_secret() -> None:
    await TokenStore().write(GRANT)
    assert "CANARY" not in repr(TokenStore().all())


URL = GRANT.url
RECORD = replace(record_of(GRANT), secret=secrets_of(GRANT))


@pytest.mark.promise("auth:owner-only")
def test_only_the_owner_may_read_file_and_folder(folder: TokenFolder) -> None:
    before = os.umask(0)
    try:
        folder.write(URL, RECORD)
    finally:
        os.umask(before)
    assert stat.S_IMODE(folder.path.stat().st_mode) == 0o700
    assert stat.S_IMODE(folder.file_of(URL).stat().st_mode) == 0o600
    assert [each.name for each in folder.path.iterdir()] == [folder.file_of(URL).name]
    assert folder.read(URL) == RECORD


@pytest.mark.promise("auth:owner-only")
@pytest.mark.parametrize("mode", [0o640, 0o604, 0o660, 0o644])
def test_a_file_that_others_may_read_is_refused_with_the_fix(folder: TokenFolder, mode: int) -> None:
    folder.write(URL, RECORD)
    folder.file_of(URL).chmod(mode)
    with pytest.raises(ConfigError, match="can be read by other users; run `chmod 600 ") as refused:
        folder.read(URL)
    assert "CANARY" not in str(refused.value)
    folder.write(URL, RECORD)
    assert folder.read(URL) == RECORD


def test_a_folder_that_stands_open_is_closed(folder: TokenFolder) -> None:
    folder.path.mkdir(parents=True, mode=0o755)
    folder.write(URL, RECORD)
    assert stat.S_IMODE(folder.path.stat().st_mode) == 0o700


def test_a_link_or_a_pipe_is_not_read(folder: TokenFolder, tmp_path: Path) -> None:
    folder.make()
    elsewhere = tmp_path / "elsewhere"
    elsewhere.write_text("{}")
    folder.file_of(URL).symlink_to(elsewhere)
    with pytest.raises(ConfigError):
        folder.read(URL)
    folder.file_of(URL).unlink()
    os.mkfifo(folder.file_of(URL), 0o600)
    with pytest.raises(ConfigError, match="not a regular file"):
        folder.read(URL)


def test_half_a_file_is_said_without_quoting_it(folder: TokenFolder) -> None:
    folder.write(URL, RECORD)
    folder.file_of(URL).write_bytes(b'{"secret": "CANARY')
    with pytest.raises(ConfigError, match="damaged") as refused:
        folder.read(URL)
    assert "CANARY" not in str(refused.value)


def test_a_record_under_the_name_of_another_server_is_not_used(folder: TokenFolder) -> None:
    folder.write(URL, replace(RECORD, url="https://b.example/mcp"))
    assert folder.read(URL) is None


def test_what_is_not_there_is_neither_read_nor_forgotten(folder: TokenFolder) -> None:
    assert folder.read(URL) is None
    assert list(folder.all()) == []
    assert folder.forget(URL) is False
    assert not folder.path.exists()


def test_a_folder_that_cannot_be_made_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ConfigError, match="cannot be created"):
        TokenFolder(tmp_path / "file" / "tokens").write(URL, RECORD)


HOLDER = """
import fcntl, sys
file = open(sys.argv[1], "w")
fcntl.flock(file, fcntl.LOCK_EX)
print("held", flush=True)
sys.stdin.read()
"""


async def test_two_holders_of_one_process_take_turns(tmp_path: Path) -> None:
    inside: list[int] = []

    async def hold(number: int) -> None:
        async with locked(tmp_path / "lock", 10):
            inside.append(number)
            await anyio.lowlevel.checkpoint()
            assert inside[-1] == number
            inside.append(number)

    async with anyio.create_task_group() as tasks:
        for number in range(5):
            tasks.start_soon(hold, number)
    assert len(inside) == 10
    assert inside[::2] == inside[1::2]


async def test_the_lock_of_another_process_holds_until_it_dies(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    command = [sys.executable, "-c", HOLDER, str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:  # noqa: ASYNC220
        assert other.stdout is not None
        assert other.stdout.readline() == b"held\n"
        with pytest.raises(TimeoutError):
            async with locked(path, 0.1):
                pass
        other.kill()
    async with locked(path, 10):
        pass
