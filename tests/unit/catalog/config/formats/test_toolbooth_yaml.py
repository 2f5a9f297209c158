"""Our own file."""

from pathlib import Path

import pytest
from tests.unit.catalog.config.conftest import Read

from toolbooth.catalog.config import Cap, read_config

CONFIG = """
servers:
  github:
    command: npx
    args: [-y, "@modelcontextprotocol/server-github", --port, 8080, --verbose, true]
    env: {GITHUB_TOKEN: "${GITHUB_TOKEN}"}
    cwd: tools
    timeout: 30
  weather:
    url: https://weather.example.com/mcp
    transport: http
    headers: {Authorization: "Bearer ${WEATHER_KEY:-none}"}
  old: {command: old, disabled: true}
tools:
  "github.*": {max_bytes: 65536}
  github.list_issues: {limit: 50}
"""


def test_servers_and_caps(read: Read, home: Path) -> None:
    found = read("app/toolbooth.yaml", CONFIG, GITHUB_TOKEN="g")
    github, weather = found.servers
    assert found.client == "Toolbooth"
    assert github.args[2:] == ("--port", "8080", "--verbose", "true")
    assert (github.env, github.cwd, github.timeout) == ({"GITHUB_TOKEN": "g"}, home / "app/tools", 30.0)
    assert (weather.transport, weather.headers) == ("http", {"Authorization": "Bearer none"})
    assert found.disabled == ("old",)
    assert found.answer_caps.cap_for("github.list_issues") == Cap(65536, 50)


def test_relative_folders_start_at_the_file(read: Read, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read("toolbooth.yaml", "servers: {a: {command: ./x}}")
    monkeypatch.chdir(home)
    assert read_config(Path("toolbooth.yaml"), {}).servers[0].cwd == home


def test_the_shape_is_known_under_any_name(read: Read) -> None:
    assert read("mine.yml", CONFIG, GITHUB_TOKEN="g").client == "toolbooth.yaml"


def test_only_caps_are_enough(read: Read) -> None:
    found = read("toolbooth.yaml", "tools:\n  '*': {max_bytes: 1000}\nservers:\n")
    assert (found.servers, found.answer_caps.cap_for("a.b").max_bytes) == ((), 1000)


def test_a_server_without_command_or_url_is_a_problem(read: Read) -> None:
    found = read("toolbooth.yaml", "servers:\n  a: {timeout: 3}\n  b:\n  c: {transport: http}\n")
    assert [str(problem) for problem in found.problems] == [
        "a: has neither a command nor a url",
        "b: has neither a command nor a url",
        "c: has no url",
    ]
