"""What is taken out of a contract: what a server was given as a secret, and no ordinary word."""

import pytest

from toolbooth.catalog import ServerSpec, given_secrets, redact_raw


@pytest.mark.parametrize(
    ("name", "value", "hidden"),
    [
        ("API_KEY", "hunter2", True),
        ("API_KEY", "abc", False),
        ("DATABASE_URL", "postgres://me:pw@host/db", True),
        ("ROOT", "/home/me/project", True),
        ("NODE_ENV", "production", False),
        ("GREETING", "hello there", False),
        ("LEVEL", "3", False),
    ],
)
def test_values_of_a_config_are_secrets_unless_they_are_plain_words(
    name: str, value: str, hidden: bool
) -> None:
    spec = ServerSpec("s", "stdio", "run", env={name: value})
    assert (value in given_secrets(spec, {})) is hidden


@pytest.mark.parametrize(
    ("name", "value", "hidden"),
    [
        ("GH_TOKEN", "ghp_16C7e42F292c6912E7", True),
        ("XDG_SESSION_CLASS", "user", False),
        ("XDG_SESSION_DESKTOP", "gnome-classic", False),
        ("LANG", "en_US.UTF-8", False),
    ],
)
def test_of_the_environment_only_keys_are_secrets(name: str, value: str, hidden: bool) -> None:
    assert (value in given_secrets(ServerSpec("s", "stdio", "run"), {name: value})) is hidden


def test_headers_urls_and_options_are_looked_through() -> None:
    spec = ServerSpec(
        "s",
        "http",
        args=("--api-key", "in-args-1"),
        url="https://me:in-url-22@host/mcp?key=in-query-3",
        headers={"Authorization": "Bearer in-header-4"},
    )
    assert {"in-args-1", "in-url-22", "in-query-3", "in-header-4"} <= set(given_secrets(spec, {}))


def test_a_longer_secret_goes_before_one_that_it_holds() -> None:
    spec = ServerSpec("s", "stdio", "run", env={"A_KEY": "12345678", "B_KEY": "12345678-9"})
    assert redact_raw({"description": "12345678-9"}, given_secrets(spec, {})) == {"description": "•••"}


def test_keys_and_lists_are_cleaned_and_the_name_stays() -> None:
    raw = {"name": "s3cr3t_find", "a": {"s3cr3t": ["x s3cr3t", 1, None, True]}}
    assert redact_raw(raw, ("s3cr3t",)) == {"name": "s3cr3t_find", "a": {"•••": ["x •••", 1, None, True]}}
    assert redact_raw(raw, ()) is raw
