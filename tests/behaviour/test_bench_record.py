"""What `toolbooth bench record` promises at the shell, on real servers."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.behaviour.command_line import CommandResult, toolbooth
from toolbooth.bench.corpus import BUILTIN_CORPUS
from toolbooth.demo import DEMO_SERVERS, demo_command

TOKEN = "s3cr3t-token-of-mine"


def config(home: Path, *servers: str, **more: Any) -> Path:
    entries: dict[str, Any] = dict(more)
    for name in servers:
        program, *args = demo_command(name)
        entries[name] = {"command": program, "args": args, "env": {"MY_API_TOKEN": TOKEN}}
    path = home / "mcp.json"
    path.write_text(json.dumps({"mcpServers": entries}))
    return path


def record(home: Path, *words: str | Path) -> CommandResult:
    return toolbooth("bench", "record", *words, home=home)


@pytest.mark.promise("bench:record")
def test_the_demo_servers_are_recorded_as_the_corpus_that_is_built_in(tmp_path: Path) -> None:
    """Where the demo servers were changed on purpose, record `corpus_2` with a version of its own."""
    words = (config(tmp_path, *reversed(DEMO_SERVERS)), "--output", "demo.json", "--name", "toolbooth-demo-1")
    said = record(tmp_path, *words)
    assert said.code == 0, said.err
    assert "demo.json: toolbooth-demo-1, 69 tools of 8 servers" in said.out
    written = (tmp_path / "demo.json").read_bytes()
    assert json.loads(written)["tools"] == json.loads(BUILTIN_CORPUS.read_bytes())["tools"]
    again = record(tmp_path, *words)
    assert (again.code, (tmp_path / "demo.json").read_bytes()) == (0, written)
    assert "(unchanged)" in again.out
    assert not any(word in written for word in (TOKEN.encode(), b"MY_API_TOKEN", b"python", bytes(tmp_path)))


def test_a_command_is_recorded_under_a_version_made_of_its_content(tmp_path: Path) -> None:
    said = record(tmp_path, "--output", "weather.tools.json", "--json", "--", *demo_command("weather"))
    assert said.code == 0, said.err
    assert said.json["version"].startswith("weather-")
    assert (said.json["done"], said.json["tools"], said.json["unpinned"]) == ("written", 7, {})
    assert json.loads((tmp_path / "weather.tools.json").read_text())["version"] == said.json["version"]


@pytest.mark.promise("bench:record-version")
def test_other_tools_under_the_same_version_are_refused(tmp_path: Path) -> None:
    """A catalog file is as good a source as a server, and starts none."""
    assert record(tmp_path, BUILTIN_CORPUS, "--output", "c.json", "--name", "v1").code == 0
    before = (tmp_path / "c.json").read_bytes()
    (tmp_path / "other.json").write_text(json.dumps({"server": "x", "tools": [{"name": "y"}]}))
    said = record(tmp_path, "other.json", "--output", "c.json", "--name", "v1")
    assert said.code == 2
    assert "a version never changes; give this one a new --name" in said.err
    assert (tmp_path / "c.json").read_bytes() == before


@pytest.mark.promise("bench:record-missing")
def test_a_dead_server_leaves_no_corpus_unless_that_is_allowed(tmp_path: Path) -> None:
    named = config(tmp_path, "mail", dead={"command": str(tmp_path / "no-such-program")})
    said = record(tmp_path, named, "--output", "c.json")
    assert said.code == 3
    assert "✗ dead" in said.err
    assert "nothing was written: dead failed" in said.err
    assert not (tmp_path / "c.json").exists()
    said = record(tmp_path, named, "--output", "c.json", "--allow-missing")
    assert said.code == 0, said.err
    assert "missing (also listed in the file): dead" in said.out
    written = (tmp_path / "c.json").read_text()
    assert json.loads(written)["generated_from"]["missing"] == ["dead"]
    assert "no-such-program" not in written


def test_an_open_launch_is_named_with_what_would_pin_it(tmp_path: Path) -> None:
    """A stand-in for `uvx`: the runner is known by its name, and the test needs no network."""
    runner = tmp_path / "uvx"
    runner.write_text("#!/bin/sh\nexec " + " ".join(demo_command("weather")) + "\n")
    runner.chmod(0o755)
    said = record(tmp_path, "--output", "c.json", "--", str(runner), "weather-server")
    assert said.code == 0, said.err
    assert "✗ weather-server  is not pinned" in said.err
    assert "write weather-server@1.0.0" in said.err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "--output"),
        (("--output", "no/such/c.json"), "no such folder"),
        (("--output", "."), "--output takes a file"),
        (("--output", "c.json", "--name", " "), "--name must be"),
        (("--output", "c.json", "--"), "a command is missing"),
    ],
)
def test_a_wrong_call_starts_no_server(tmp_path: Path, words: tuple[str, ...], said: str) -> None:
    reported = record(tmp_path, *words)
    assert reported.code == 2
    assert said in reported.err


def test_the_help_teaches_with_examples(tmp_path: Path) -> None:
    said = record(tmp_path, "--help")
    assert said.code == 0
    assert "toolbooth bench record .mcp.json --output corpus.json --name our-servers-1" in said.out
