"""What a server is given does not come back in a message about it."""

import pytest

from toolbooth.catalog import ServerSpec
from toolbooth.catalog.secrets import HIDDEN, redact_secrets

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
    assert redact_secrets(f"refused <{secret}>!", SPEC) == f"refused <{HIDDEN}>!"


def test_ordinary_words_stay() -> None:
    assert redact_secrets("info: /tmp/folder is not there", SPEC) == "info: /tmp/folder is not there"
    assert redact_secrets("plain", ServerSpec("s", "stdio", "x")) == "plain"


def test_secrets_of_our_own_environment_are_hidden_by_their_names(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_TOKEN", "inheritedcanary")
    monkeypatch.setenv("SOME_FOLDER", "ordinary-value")
    assert redact_secrets("inheritedcanary ordinary-value", SPEC) == f"{HIDDEN} ordinary-value"


def test_a_broken_url_is_no_problem() -> None:
    assert redact_secrets("x", ServerSpec("s", "http", url="http://[::1")) == "x"


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
    said = redact_secrets("remotecanary dockercanary dbcanary argquerycanary first-page", spec, {})
    assert said == f"{HIDDEN} {HIDDEN} {HIDDEN} {HIDDEN} first-page"


def test_values_of_the_same_name_do_not_hide_each_other() -> None:
    spec = ServerSpec(
        "s", "http", url="https://u:userinfo9@h.example/?password=query9canary&password=second9one"
    )
    assert redact_secrets("userinfo9 query9canary second9one", spec, {}) == f"{HIDDEN} {HIDDEN} {HIDDEN}"


@pytest.mark.parametrize(
    "key",
    [
        "AbC123def456",
        "3f2b8c1e-9d4a-4c6b-8f7e-1a2b3c4d5e6f",
        "12345678-1234-1234-1234-123456789012",
        "NmEzQkRfLkPQWxYZAbCdEfGH",
        "d41d8cd98f00b204e9800998ecf8427e",
        "sk_a8F3-x9Qq72Lm",
        "abcdefgh12345678",
    ],
)
def test_a_key_in_the_path_of_an_address_is_hidden(key: str) -> None:
    address = f"https://host.example/mcp/s/{key}/v1?x=y"
    for spec in (
        ServerSpec("s", "http", url=address),
        ServerSpec("s", "stdio", "npx", ("mcp-remote", address)),
    ):
        said = redact_secrets(f"404 for {address}", spec, {})
        assert said == f"404 for https://host.example/mcp/s/{HIDDEN}/v1?x=y"


@pytest.mark.parametrize(
    "word",
    [
        *(
            "streamable-http",
            "v1",
            "mcp-server-2025",
            "workspace2025",
            "v1beta1-mcp-server-2025",
            "organizations",
        ),
        *(
            "customer-123456",
            "project_20250618",
            "listOrganizationMembersOfTeam",
            "us-east1-gateway-1.22.0a12",
        ),
        *("123456789012", "the-model-context-protocol-server", "{workspace}-123abc456"),
    ],
)
def test_words_and_numbers_in_the_path_of_an_address_stay(word: str) -> None:
    address = f"https://host.example/{word}/mcp"
    assert redact_secrets(address, ServerSpec("s", "http", url=address), {}) == address


def test_folders_are_no_keys() -> None:
    spec = ServerSpec("s", "stdio", "x", ("sqlite:///srv/a1b2c3d4e5f6/data.db", "file:///srv/a1b2c3d4e5f6"))
    assert redact_secrets("a1b2c3d4e5f6", spec, {}) == "a1b2c3d4e5f6"


@pytest.mark.parametrize(
    "args",
    [
        *(("--license", "AB12-CD34"), ("--license=AB12-CD34",), ("--licence", "AB12-CD34")),
        *(("--license-key", "AB12-CD34"), ("-e", "LICENSE_KEY=AB12-CD34")),
    ],
)
def test_a_bought_license_is_hidden(args: tuple[str, ...]) -> None:
    assert redact_secrets("no AB12-CD34", ServerSpec("s", "stdio", "x", args), {}) == f"no {HIDDEN}"


@pytest.mark.parametrize(
    "license_name", ["MIT", "Apache-2.0", "GPL-3.0-or-later", "./LICENSE.txt", "/etc/license"]
)
def test_a_license_of_a_project_is_no_secret(license_name: str) -> None:
    spec = ServerSpec("s", "stdio", "x", ("--license", license_name, "-e", f"LICENSE={license_name}"))
    assert redact_secrets(license_name, spec, {"LICENSE": license_name}) == license_name


@pytest.mark.parametrize("shown", [60, 30, 12])
def test_the_start_of_a_secret_before_a_cut_is_hidden_as_well(shown: int) -> None:
    secret = "abcdefghij" * 6
    spec = ServerSpec("s", "stdio", "x", env={"API_KEY": secret})
    assert redact_secrets(f"it said {secret[:shown]}… and more", spec, {}) == "it said •••… and more"
    assert redact_secrets("it said ab… and more", spec, {}) == "it said ab… and more"
