"""A guarded server for all tests here, a token folder for each, and no keyring of the person who runs them."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.authorization_server import Guarded, guarded_server

from toolbooth.catalog import ServerSpec
from toolbooth.catalog.connect.oauth.token_store import TokenFolder


@pytest.fixture(scope="session")
def running_guarded() -> Iterator[Guarded]:
    with guarded_server() as guarded:
        yield guarded


@pytest.fixture
def guarded(running_guarded: Guarded) -> Guarded:
    running_guarded.change(reset=True)
    return running_guarded


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> TokenFolder:
    """Where the tokens of this test are kept."""
    import keyring
    from keyring.backends import fail

    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    before = keyring.get_keyring()
    monkeypatch.setattr(keyring.core, "_keyring_backend", before)  # put back afterwards
    keyring.set_keyring(fail.Keyring())  # type: ignore[no-untyped-call]
    return TokenFolder()


@pytest.fixture
def spec(guarded: Guarded) -> ServerSpec:
    return ServerSpec("guarded", "http", url=guarded.url, timeout=240)
