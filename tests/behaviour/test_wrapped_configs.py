"""Every command that takes a config looks through a wrapped one: the servers behind the gateway are what counts."""

import argparse
import importlib
import json
import pkgutil
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.behaviour.command_line import toolbooth
from toolbooth import cli

QUESTIONS = {
    "golden_version": "1",
    "corpus_version": "own",
    "queries": [
        {
            "id": "q",
            "kind": "literal",
            "query": "weather forecast",
            "labels": [{"tool_id": "weather:get_forecast", "relevance": 2}],
        }
    ],
}
SUITE = """\
name: wrapped
config: mcp.json
tests:
  - name: forecast
    prompt: What is the weather forecast for Oslo?
    model: scripted
    script: [{call: weather.get_forecast, args: {place: Oslo}}]
    expect: [tool_names: {exact: [weather.get_forecast]}]
"""
OWN_TOOLS = ("toolbooth.search_tools", "toolbooth.call_tool", "toolbooth.read_result")


class Call(NamedTuple):
    """The words behind the command; what proves that the servers behind were seen, and the file where it stands."""

    words: str
    proof: str = "get_forecast"
    file: str = ""


CALLS = {
    "doctor": Call("mcp.json --json"),
    "search": Call("forecast --config mcp.json --json"),
    "call": Call("weather.list_stations --config mcp.json", proof='"stations"'),
    "init": Call("mcp.json --output s.toolbooth.yaml", file="s.toolbooth.yaml"),
    "lock": Call("mcp.json --file t.lock", file="t.lock"),
    "diff": Call("older.json mcp.json --json"),
    "scan": Call("mcp.json --json", proof='"tools": 7'),
    "profile": Call("mcp.json --no-ledger --json"),
    "bench": Call("mcp.json --only tokens --json", proof='"corpus_tools": 7'),
    "bench tokens": Call("mcp.json --json", proof='"corpus_tools": 7'),
    "bench record": Call("mcp.json --output c.json --name own", file="c.json"),
    "bench latency": Call("mcp.json --rounds 1 --json", proof="7 tools behind it"),
    "bench retrieval": Call("mcp.json --golden q.json --allow-mismatch --json"),
    "bench growth": Call("mcp.json --sizes 50 --rounds 1 --json", proof="the catalog has 7 tools"),
    "auth": Call("--list --config mcp.json", proof="no tokens are stored"),  # starts nothing, asks nobody
}
# Their config is what the gateway itself serves, or where it keeps scripts.
OF_THE_GATEWAY = {"serve", "scripts"}


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a wrapped `mcp.json`: one server with seven tools."""
    home = tmp_path_factory.mktemp("home")
    demo = {"command": sys.executable, "args": ["-m", "toolbooth.demo", "weather"]}
    (home / "mcp.json").write_text(json.dumps({"mcpServers": {"weather": demo}}))
    assert toolbooth("wrap", "mcp.json", home=home).code == 0
    (home / "q.json").write_text(json.dumps(QUESTIONS))
    (home / "w.toolbooth.yaml").write_text(SUITE)
    older = {"name": "older", "inputSchema": {"type": "object"}}
    (home / "older.json").write_text(json.dumps({"server": "weather", "tools": [older]}))
    return home


def commands_with_a_config() -> set[str]:
    """Found in the parsers, so that a new command joins by itself."""
    found = set()
    for module in pkgutil.walk_packages(cli.__path__, "toolbooth.cli."):
        made = getattr(importlib.import_module(module.name), "parser", None)
        if made is None:
            continue
        parser: argparse.ArgumentParser = made()
        if {action.dest for action in parser._actions} & {"config", "source", "side"}:
            found.add(parser.prog.removeprefix("toolbooth "))
    return found


def test_no_command_is_missing_here() -> None:
    assert commands_with_a_config() == set(CALLS) | OF_THE_GATEWAY


@pytest.mark.promise("wrap:looked-through")
@pytest.mark.parametrize("command", CALLS)
def test_a_command_sees_the_servers_behind_a_wrapped_config(home: Path, command: str) -> None:
    call = CALLS[command]
    said = toolbooth(*command.split(), *call.words.split(), home=home)
    seen = (home / call.file).read_text() if call.file else said.out
    assert call.proof in seen, said.err
    assert not [tool for tool in OWN_TOOLS if tool in seen]


def test_a_suite_names_the_servers_behind_a_wrapped_config(home: Path) -> None:
    said = toolbooth("test", "w.toolbooth.yaml", home=home)
    assert said.code == 0, said.out + said.err


def test_a_gateway_that_was_typed_is_measured_as_it_is(home: Path) -> None:
    serve = (sys.executable, "-m", "toolbooth", "serve", "--no-daemon", "--config", "mcp.json")
    tools = toolbooth("doctor", "--json", "--", *serve, home=home).json["tools"]
    assert {tool["id"] for tool in tools} == {*OWN_TOOLS}


@pytest.mark.promise("config:broken-place")
@pytest.mark.parametrize("words", ["doctor", "search forecast", "scan", "lock", "profile --no-ledger"])
def test_a_broken_config_in_a_known_place_is_said(tmp_path: Path, words: str) -> None:
    (tmp_path / ".cursor").mkdir()
    (tmp_path / ".cursor" / "mcp.json").write_text("{broken")
    entry = {"command": sys.executable, "args": ["-m", "toolbooth.demo", "weather"]}
    (tmp_path / ".claude.json").write_text(json.dumps({"mcpServers": {"weather": entry}}))
    work = tmp_path / "work"
    work.mkdir()
    said = toolbooth(*words.split(), home=tmp_path, cwd=work)
    assert f"✗ {tmp_path / '.cursor' / 'mcp.json'}:1:2  broken JSON" in said.err
    if words == "lock":
        assert said.code == 2
        assert not (work / "toolbooth.lock").exists()
