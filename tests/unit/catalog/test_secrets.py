"""What a server is given does not come back in a message about it."""

import pytest

from toolbooth.catalog import ServerSpec
from toolbooth.catalog.secrets import HIDDEN, without_secrets

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


def test_secrets_inside_arguments_are_found_in_the_ways_servers_are_given_them() -> None:
    spec = ServerSpec(
        "s",
        "stdio",
        "npx",
        (
            "mcp-remote",
            "--header",
            "Authorization: Bearer remotecanary",
            "-e",
            "GITHUB_TOKEN=dockercanary",
            "postgres://me:dbcanary@host.example/data",
            "https://host.example/mcp?api_key=argquerycanary&page=first-page",
        ),
    )
    said = without_secrets("remotecanary dockercanary dbcanary argquerycanary first-page", spec, {})
    assert said == f"{HIDDEN} {HIDDEN} {HIDDEN} {HIDDEN} first-page"


def test_values_of_the_same_name_do_not_hide_each_other() -> None:
    spec = ServerSpec(
        "s", "http", url="https://u:userinfo9@h.example/?password=query9canary&password=second9one"
    )
    assert without_secrets("userinfo9 query9canary second9one", spec, {}) == f"{HIDDEN} {HIDDEN} {HIDDEN}"
