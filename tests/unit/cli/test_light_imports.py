"""What a command imports and reads: nothing that another command needs, and no config twice."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.behaviour.gateway_process import isolated_environ

REPORT = """
import json, sys
opened = []
sys.addaudithook(lambda event, args: opened.append(str(args[0])) if event == "open" else None)
from toolbooth.cli.main import main
code = main(sys.argv[1:])
seen = {"code": code, "opened": opened, "modules": sorted(sys.modules)}
print(json.dumps(seen), file=sys.__stderr__)
"""


def command(home: Path, *words: str, code: int = 0) -> dict[str, Any]:
    """What `toolbooth WORDS` opened and imported in a fresh process."""
    done = subprocess.run(
        [sys.executable, "-c", REPORT, *words],
        capture_output=True,
        text=True,
        check=True,
        cwd=home,
        env=isolated_environ(home),
        timeout=120,
    )
    seen: dict[str, Any] = json.loads(done.stderr.splitlines()[-1])
    assert seen["code"] == code, done.stderr
    return seen


@pytest.fixture
def home(tmp_path: Path) -> Path:
    catalog = {"tools": [{"name": "add", "inputSchema": {"type": "object"}}]}
    (tmp_path / "catalog.json").write_text(json.dumps(catalog))
    return tmp_path


@pytest.mark.parametrize("place", [".cursor/mcp.json", ".vscode/mcp.json"], ids=["the user's", "a project's"])
def test_doctor_reads_a_config_once(home: Path, place: str) -> None:
    config = home / place
    config.parent.mkdir()
    server = {"command": sys.executable, "args": ["-m", "toolbooth.demo", "weather"]}
    config.write_text(json.dumps({"mcpServers": {"weather": server}, "servers": {"weather": server}}))
    seen = command(home, "doctor", "--trust-project")
    assert [name for name in seen["opened"] if name.endswith(place)] == [str(config)]


def test_a_saved_catalog_is_weighed_and_scanned_without_the_protocol_sdk(home: Path) -> None:
    for words in (["doctor", "catalog.json"], ["scan", "catalog.json"]):
        assert not {"mcp", "toolbooth.gateway.runtime"} & set(command(home, *words)["modules"])


def test_doctor_imports_nothing_that_rewrites_configs(home: Path) -> None:
    modules = command(home, "doctor", "catalog.json")["modules"]
    assert "toolbooth.catalog.config.read" in modules
    assert not [name for name in modules if name.startswith("toolbooth.catalog.config.wrapping")]


def test_a_suite_is_run_without_what_writes_a_first_one(home: Path) -> None:
    server = {"command": sys.executable, "args": ["-m", "toolbooth.demo", "weather"]}
    test = {"name": "idle", "model": "lexical", "no_calls": True, "prompt": "Say hello."}
    (home / "idle.toolbooth.yaml").write_text(json.dumps({"servers": {"weather": server}, "tests": [test]}))
    loaded = command(home, "test", "--live", code=1)["modules"]  # the model calls a tool: the gate fails
    assert "toolbooth.suite.runner" in loaded
    assert not {"toolbooth.suite.first_suites", "toolbooth.cli.init"} & set(loaded)
