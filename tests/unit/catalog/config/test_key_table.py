"""Every mistake in our own file has a line, a column and help."""

from pathlib import Path

import pytest

from toolbooth.catalog.config import read_config
from toolbooth.errors import ConfigError

GOOD = "servers:\n  github:\n    command: npx\n"


@pytest.mark.parametrize(
    ("text", "line", "column", "says"),
    [
        ("server:\n  a: {command: x}\n", 1, 1, "unknown key 'server'; did you mean 'servers'?"),
        (
            "servers:\n  a:\n    comand: x\n",
            3,
            5,
            "unknown key 'comand' in servers.a; did you mean 'command'?",
        ),
        ("servers:\n  a: {Command: x}\n", 2, 7, "did you mean 'command'?"),
        ("servers:\n  a: {zzz: x}\n", 2, 7, "known are command, args"),
        ("servers: [a]\n", 1, 10, "servers must be a map of keys"),
        ("servers:\n  a: npx\n", 2, 6, "servers.a must be a map of keys"),
        ("servers:\n  a: {command: ''}\n", 2, 16, "servers.a.command must be text, and not empty"),
        ("servers:\n  a: {command: x, args: y}\n", 2, 25, "servers.a.args must be a list"),
        ("servers:\n  a:\n    args:\n      - x\n      - {}\n", 5, 9, "servers.a.args[1] must be text"),
        ("servers:\n  a: {env: {V: 1.10}}\n", 2, 16, "servers.a.env.V must be text; put it in quotes"),
        ("servers:\n  a: {timeout: 0}\n", 2, 16, "number of seconds above 0"),
        ("servers:\n  a: {timeout: true}\n", 2, 16, "number of seconds above 0"),
        ("servers:\n  a: {disabled: 'yes'}\n", 2, 17, "true or false"),
        ("servers:\n  a: {transport: ws}\n", 2, 18, "one of stdio, http, sse, auto"),
        ("servers:\n  '': {command: x}\n", 2, 3, "a name in servers is empty"),
        (GOOD + "tools:\n  'github.*': {max_byte: 1}\n", 5, 16, "did you mean 'max_bytes'?"),
        (GOOD + "tools:\n  'github.*': {limit: 1.5}\n", 5, 23, "a whole number above 0"),
        (GOOD + "tools:\n  'github.*': {limit: 0}\n", 5, 23, "a whole number above 0"),
        ("- a\n", 1, 1, "the file must be a map of keys"),
    ],
)
def test_a_mistake_is_placed_and_explained(
    tmp_path: Path, text: str, line: int, column: int, says: str
) -> None:
    path = tmp_path / "toolbooth.yaml"
    path.write_text(text)
    with pytest.raises(ConfigError) as caught:
        read_config(path, {})
    assert (caught.value.line, caught.value.column) == (line, column)
    assert says in caught.value.message


def test_a_mistake_never_shows_a_value(tmp_path: Path) -> None:
    path = tmp_path / "toolbooth.yaml"
    path.write_text("servers:\n  a: {command: x, env: {TOKEN: [hunter2]}}\n")
    with pytest.raises(ConfigError) as caught:
        read_config(path, {})
    assert "hunter2" not in str(caught.value)
