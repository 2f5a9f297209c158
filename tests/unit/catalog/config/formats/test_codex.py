"""Codex's TOML."""

from pathlib import Path

import pytest
from tests.unit.catalog.config.conftest import Read

from toolbooth.errors import ConfigError

CONFIG = """
model = "gpt-5-codex"

[projects."/projects/app"]
trust_level = "trusted"

[mcp_servers.context7]
command = "npx"
args = ["-y", "@upstash/context7-mcp"]
env_vars = ["PATH_EXTRA", { name = "LOCAL_TOKEN", source = "local" }, "UNSET"]
startup_timeout_sec = 20.5
tool_timeout_sec = 45
enabled = true
cwd = "/srv"

[mcp_servers.context7.env]
KEY = "k"

[mcp_servers.figma]
url = "https://mcp.figma.com/mcp"
bearer_token_env_var = "FIGMA_TOKEN"
http_headers = { "X-Region" = "eu" }
env_http_headers = { "X-Key" = "FIGMA_KEY" }
startup_timeout_ms = 1500

[mcp_servers."old.one"]
command = "old"
enabled = false
"""


def test_local_and_remote_servers(read: Read) -> None:
    environ = {"FIGMA_TOKEN": "t", "FIGMA_KEY": "f", "PATH_EXTRA": "p", "LOCAL_TOKEN": "l"}
    found = read(".codex/config.toml", CONFIG, **environ)
    context7, figma = found.servers
    assert found.client == "Codex"
    assert context7.env == {"PATH_EXTRA": "p", "LOCAL_TOKEN": "l", "KEY": "k"}
    assert (context7.timeout, context7.cwd) == (20.5, Path("/srv"))
    assert (figma.transport, figma.timeout) == ("http", 1.5)
    assert figma.headers == {"X-Region": "eu", "X-Key": "f", "Authorization": "Bearer t"}
    assert found.disabled == ("old_one",)


def test_a_token_that_is_not_set_is_that_servers_problem(read: Read) -> None:
    found = read(".codex/config.toml", CONFIG, FIGMA_KEY="f")
    assert [spec.name for spec in found.servers] == ["context7"]
    assert str(found.problems[0]) == "figma: needs the environment variable FIGMA_TOKEN, which is not set"


@pytest.mark.parametrize(
    "token", ["sk-proj-1234abcd", "ghp_16C7e42F292c6912E7710c838347Ae178B4a", "e3b0c44298fc1c14"]
)
def test_a_token_in_the_place_of_a_name_is_not_repeated(read: Read, token: str) -> None:
    found = read("config.toml", f'[mcp_servers.a]\nurl = "https://x"\nbearer_token_env_var = "{token}"\n')
    assert str(found.problems[0]) == "a: needs the environment variable it names, which is not set"


def test_broken_toml_names_line_and_column(read: Read) -> None:
    with pytest.raises(ConfigError, match=r"config.toml:3:\d+: broken TOML"):
        read(
            ".codex/config.toml",
            '[mcp_servers.a]\ncommand = "x"\nargs = [\n"a" "b"]\n'.replace('\n"a"', '"a"'),
        )


def test_an_entry_that_is_no_table_is_a_problem(read: Read) -> None:
    found = read(
        "config.toml", '[mcp_servers]\na = "x"\n[mcp_servers.b]\nurl = "https://x"\nhttp_headers = 3\n'
    )
    assert [str(problem) for problem in found.problems] == [
        "a: its entry is not a table",
        "b: headers is a number, not a map of texts",
    ]
