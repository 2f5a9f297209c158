"""What an editor is told about `toolbooth.yaml` is what the reader holds to."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import pytest
from tests.unit.catalog.config.conftest import Read
from tests.unit.catalog.config.test_gateway_settings import CONFIG as SETTINGS

from toolbooth.catalog.config import Cap, config_schema, parse_document, read_config
from toolbooth.catalog.config.formats.toolbooth_yaml import (
    CAP_KEYS,
    CONTRACTS_KEYS,
    GATEWAY_KEYS,
    REDUCE_KEYS,
    SERVER_KEYS,
    TOP_KEYS,
)
from toolbooth.errors import ConfigError

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


NOTE = Path(__file__).parents[5] / "docs" / "design" / "config.md"
EXAMPLE = re.search(r"```yaml\n(.*?)```", NOTE.read_text(encoding="utf-8"), re.DOTALL)
JUDGE = jsonschema.Draft202012Validator(config_schema())


def judged(tmp_path: Path, text: str) -> tuple[bool, bool]:
    """What the schema and what the reader say of the same text."""
    path = tmp_path / "toolbooth.yaml"
    path.write_text(text)
    fits = JUDGE.is_valid(parse_document(path).value)
    try:
        read_config(path, {})
    except ConfigError:
        return fits, False
    return fits, True


@pytest.mark.parametrize(
    "text",
    [
        CONFIG,
        SETTINGS,
        EXAMPLE and EXAMPLE[1],
        "tools:\nservers:\n",
        "servers: {a: , b: {args: }}\n",
        "contracts: enforce\n",
        "contracts: {lock: x}\n",
    ],
)
def test_what_the_reader_takes_fits(tmp_path: Path, text: str) -> None:
    assert judged(tmp_path, text) == (True, True)


@pytest.mark.parametrize(
    "text",
    [
        "server: {}\n",
        "servers: [a]\n",
        "servers: {a: npx}\n",
        "servers: {a: {comand: x}}\n",
        "servers: {a: {command: ''}}\n",
        "servers: {a: {command: ' '}}\n",
        "servers: {a: {args: x}}\n",
        "servers: {a: {args: [{}]}}\n",
        "servers: {a: {env: {V: 1.5}}}\n",
        "servers: {a: {env: {V: }}}\n",
        "servers: {a: {timeout: 0}}\n",
        "servers: {a: {timeout: true}}\n",
        "servers: {a: {concurrency: 1.5}}\n",
        "servers: {a: {idle_stop: -1}}\n",
        "servers: {a: {disabled: 'yes'}}\n",
        "servers: {a: {transport: ws}}\n",
        "servers: {'': {command: x}}\n",
        "tools: {x: {limit: 0}}\n",
        "tools: {x: {reduce: 3}}\n",
        "reduce: {collapse: 3}\n",
        "reduce: {chunk_size: 3}\n",
        "surface: tiny\n",
        "slim: 1\n",
        "always_visible: [1]\n",
        "gateway: {warmup: true}\n",
        "gateway: {code_calls: 0}\n",
        "gateway: {code_timeout: -1}\n",
        "scripts: [a]\n",
        "contracts: on\n",
        "contracts: [enforce]\n",
        "contracts: {mode: forced}\n",
        "contracts: {lok: x}\n",
        "- a\n",
    ],
)
def test_what_the_reader_refuses_does_not_fit(tmp_path: Path, text: str) -> None:
    assert judged(tmp_path, text) == (False, False)


def explained(schema: dict[str, Any]) -> Iterator[str]:
    for name, each in schema.get("properties", {}).items():
        assert each["description"].endswith("."), name
        yield name
        yield from explained(each)
    for inner in (schema.get("additionalProperties"), schema.get("items")):
        yield from explained(inner) if isinstance(inner, dict) else ()


def test_every_key_is_in_it_and_explained() -> None:
    tables = (TOP_KEYS, SERVER_KEYS, CAP_KEYS, CONTRACTS_KEYS, GATEWAY_KEYS, REDUCE_KEYS, REDUCE_KEYS)
    assert sorted(explained(config_schema())) == sorted(key for table in tables for key in table.table)
