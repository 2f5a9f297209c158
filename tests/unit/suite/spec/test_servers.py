"""Where a suite's servers come from."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from toolbooth.errors import ConfigError
from toolbooth.suite.spec.load import load_suite
from toolbooth.suite.spec.servers import SuiteServers


def servers(folder: Path, **keys: Any) -> SuiteServers:
    test = {"name": "t", "prompt": "p", "no_calls": True}
    wanted = keys.pop("wanted", None)
    path = folder / "s.toolbooth.yaml"
    path.write_text(json.dumps({**keys, "tests": [{**test, **({"servers": wanted} if wanted else {})}]}))
    return SuiteServers(load_suite(path), {})


def names(known: SuiteServers) -> list[str]:
    return [spec.name for spec in known.of(known.suite.tests[0])]


def test_a_suites_own_servers_with_our_python_and_paths_from_its_folder(tmp_path: Path) -> None:
    known = servers(
        tmp_path, servers={"a": {"command": "${TOOLBOOTH_PYTHON}", "args": ["-m", "x"], "cwd": "."}}
    )
    (spec,) = known.of(known.suite.tests[0])
    assert (spec.command, spec.args, spec.cwd) == (sys.executable, ("-m", "x"), tmp_path)


def test_config_files_are_read_from_the_suites_folder(tmp_path: Path) -> None:
    (tmp_path / "team.json").write_text('{"mcpServers": {"b": {"command": "b"}, "c": {"command": "c"}}}')
    assert names(servers(tmp_path, config="team.json")) == ["b", "c"]
    assert names(servers(tmp_path, config="team.json", wanted=["c"])) == ["c"]
    assert names(servers(tmp_path, config="team.json", servers={"a": {"command": "a"}})) == ["a", "b", "c"]


def test_without_either_a_config_beside_the_suite_counts(tmp_path: Path) -> None:
    (tmp_path / ".mcp.json").write_text('{"mcpServers": {"b": {"command": "b"}}}')
    assert names(servers(tmp_path)) == ["b"]


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ({}, "the suite has no server"),
        ({"servers": {"tickets": {"command": "x"}}, "wanted": ["ticket"]}, "did you mean 'tickets'"),
        ({"servers": {"a": {"command": "${NOT_SET_ANYWHERE}"}}}, "NOT_SET_ANYWHERE"),
    ],
)
def test_what_cannot_be_used_is_said_with_the_place_of_the_test(
    tmp_path: Path, keys: dict[str, Any], message: str
) -> None:
    known = servers(tmp_path, **keys)
    with pytest.raises(ConfigError, match=message) as caught:
        known.of(known.suite.tests[0])
    assert "s.toolbooth.yaml:1" in str(caught.value)
