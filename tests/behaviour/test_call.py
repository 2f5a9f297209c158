"""`toolbooth call` as a person uses it: checks and cuts of the gateway, and exit codes that say whose mistake it is."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.behaviour.command_line import toolbooth


@pytest.fixture
def config(tmp_path: Path) -> Path:
    """Two servers; the second can never start, which a call of the first must not notice."""
    demo = {"command": sys.executable, "args": ["-m", "toolbooth.demo", "tickets"]}
    path = tmp_path / "servers.json"
    path.write_text(json.dumps({"mcpServers": {"tickets": demo, "gone": {"command": "no-such-program"}}}))
    return path


@pytest.mark.promise("call:checked-and-cut")
def test_a_tool_is_called_and_its_answer_is_printed(tmp_path: Path, config: Path) -> None:
    said = toolbooth("call", "tickets.get_ticket", '{"key": "LF-1"}', "--config", config, home=tmp_path)
    assert (said.code, said.err) == (0, "")
    assert json.loads(said.out)["key"] == "LF-1"


@pytest.mark.promise("call:checked-and-cut")
def test_a_long_answer_is_cut_unless_all_of_it_is_wanted(tmp_path: Path, config: Path) -> None:
    cut = toolbooth("call", "tickets.export_tickets", "--config", config, home=tmp_path)
    whole = toolbooth("call", "tickets.export_tickets", "--whole", "--config", config, home=tmp_path)
    assert (cut.code, whole.code, whole.err) == (0, 0, "")
    assert len(cut.out) < len(whole.out) / 10
    assert "--whole prints all of it" in cut.err
    words = ("tickets.list_tickets", "--fields", "tickets[].key", "--json")
    result = toolbooth("call", *words, "--config", config, home=tmp_path).json["result"]
    assert json.loads(result["content"][0]["text"])["tickets"][0].keys() == {"key"}
    assert not [key for key in result.get("_meta", {}) if key.startswith("toolbooth/")]


@pytest.mark.promise("call:checked-and-cut")
def test_arguments_come_through_stdin(tmp_path: Path, config: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "toolbooth", "call", "tickets.get_ticket", "-", "--config", str(config)],
        input='{"key": "LF-2"}\n',
        text=True,
        capture_output=True,
        check=True,
        env={"HOME": str(tmp_path), "PATH": os.environ["PATH"]},
    )
    assert json.loads(done.stdout)["key"] == "LF-2"


@pytest.mark.promise("call:whose-mistake")
@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["tickets.list_tickets", '{"status": "opne"}'], 2, '"status" must be one of open'),
        (["tickets.list_tikets"], 2, "did you mean tickets.list_tickets?"),
        (["tikets.list_tickets"], 2, "did you mean tickets?"),
        (["list_tickets"], 2, "write SERVER.TOOL, such as tickets.list_tickets"),
        (["tickets.get_ticket", '["LF-1"]'], 2, "must be a JSON object"),
        (["tickets.get_ticket", "LF-1"], 2, "are not JSON"),
        (["tickets.get_ticket", '{"key": "LF-1"}', "--whole", "--fields", "key"], 2, "choose one of"),
        (["tickets.get_ticket", '{"key": "NONE-1"}'], 1, "There is no ticket NONE-1."),
        (["gone.tool"], 3, "gone: command no-such-program was not found"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)
def test_the_exit_code_says_whose_mistake_it_was(
    tmp_path: Path, config: Path, words: list[str], code: int, said: str
) -> None:
    done = toolbooth("call", *words, "--config", config, home=tmp_path)
    assert (done.code, done.out) == (code, "")
    assert said in done.err


def test_a_typed_server_needs_no_config_and_its_tools_no_prefix(tmp_path: Path) -> None:
    server = (sys.executable, "-m", "toolbooth.demo", "tickets")
    done = toolbooth("call", "get_ticket", '{"key": "LF-1"}', "--json", "--", *server, home=tmp_path)
    assert done.json["tool"].endswith(".get_ticket")
    assert "LF-1" in done.json["result"]["content"][0]["text"]


def test_what_is_no_text_has_a_line(tmp_path: Path) -> None:
    server = (sys.executable, "-m", "tests.behaviour.servers", "old")
    root = str(Path(__file__).parents[2])
    words = ("call", "sample", '{"kind": "image"}', "--", "env", f"PYTHONPATH={root}", *server)
    done = toolbooth(*words, home=tmp_path)
    assert done.code == 0, done.err
    assert "image" in done.out


def test_a_tool_that_a_client_hides_is_said_to_be_hidden(tmp_path: Path, config: Path) -> None:
    written = json.loads(config.read_text())
    written["mcpServers"]["tickets"]["disabledTools"] = ["get_ticket"]
    config.write_text(json.dumps(written))
    done = toolbooth("call", "tickets.get_ticket", '{"key": "LF-1"}', "--config", config, home=tmp_path)
    assert (done.code, done.out) == (2, "")
    assert "is hidden by disabledTools" in done.err


def test_with_one_server_a_name_with_a_dot_is_that_of_its_tool(tmp_path: Path) -> None:
    source = (Path(__file__).parent / "small_server.py").read_text().replace('"echo"', '"repos.list"')
    (tmp_path / "dotted.py").write_text(source)
    server = {"command": sys.executable, "args": [str(tmp_path / "dotted.py"), str(tmp_path / "diary")]}
    path = tmp_path / "one.json"
    path.write_text(json.dumps({"mcpServers": {"gh": server}}))
    for name in ("repos.list", "gh.repos.list"):
        done = toolbooth("call", name, '{"text": "hi"}', "--config", path, "--json", home=tmp_path)
        assert done.json["tool"] == "gh.repos.list"
        assert done.json["result"]["content"][0]["text"] == "hi"
    said = toolbooth("call", "repos.lst", "--config", path, home=tmp_path)
    assert (said.code, "did you mean gh.repos.list?" in said.err) == (2, True)


@pytest.mark.promise("call:unrecorded")
def test_a_call_from_a_shell_is_none_of_an_agent(tmp_path: Path, config: Path) -> None:
    done = toolbooth("call", "tickets.get_ticket", '{"key": "LF-1"}', "--config", config, home=tmp_path)
    assert done.code == 0
    assert not list(tmp_path.rglob("ledger.sqlite3*"))
