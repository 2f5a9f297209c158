"""What a server is given does not come back in a message about it."""

import pytest

from toolbooth.catalog import ServerSpec
from toolbooth.catalog.connect.secrets import HIDDEN, without_secrets

SPEC = ServerSpec(
    "s",
    "stdio",
    "node",
    ("--api-key", "argcanary", "--token=inline9", "/tmp/folder", "--verbose"),
    env={"TOK": "envcanary", "AUTH": "short", "LEVEL": "info"},
    headers={"Authorization": "Bearer headercanary"},
    url="https://user:urlcanary@host.example/mcp?key=querycanary",
)


@pytest.mark.parametrize(
    "secret", ["argcanary", "inline9", "envcanary", "short", "headercanary", "urlcanary", "querycanary"]
)
def test_a_secret_of_the_spec_is_hidden(secret: str) -> None:
    assert without_secrets(f"refused <{secret}>!", SPEC) == f"refused <{HIDDEN}>!"


def test_ordinary_words_stay() -> None:
    assert without_secrets("info: /tmp/folder is not there", SPEC) == "info: /tmp/folder is not there"
    assert without_secrets("plain", ServerSpec("s", "stdio", "x")) == "plain"


def test_secrets_of_our_own_environment_are_hidden_by_their_names(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_TOKEN", "inheritedcanary")
    monkeypatch.setenv("SOME_FOLDER", "ordinary-value")
    assert without_secrets("inheritedcanary ordinary-value", SPEC) == f"{HIDDEN} ordinary-value"


def test_a_broken_url_is_no_trouble() -> None:
    assert without_secrets("x", ServerSpec("s", "http", url="http://[::1")) == "x"
