"""`toolbooth init`: a first suite from a live server, and never over a file that is there."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from toolbooth.catalog.config import parse_document
from toolbooth.cli import init, validate
from toolbooth.demo import demo_command
from toolbooth.errors import ConfigError, NothingToWeigh, UserMistake

TICKETS = demo_command("tickets")
SECRET = "hunter2-hunter2-hunter2"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    return tmp_path


def config(**servers: Any) -> str:
    given = servers or {"tickets": {"command": TICKETS[0], "args": TICKETS[1:], "env": {"API_KEY": SECRET}}}
    Path(".mcp.json").write_text(json.dumps({"mcpServers": given}))
    return ".mcp.json"


def value(name: str = "first.toolbooth.yaml") -> Any:
    return parse_document(Path(name)).value


def test_a_config_is_named_in_the_suite_and_next_steps_are_reported(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert init.run([config()]) == 0
    out = capsys.readouterr().out
    assert out.startswith("wrote first.toolbooth.yaml: 8 tests for 8 of ")
    assert " tools, without prompts\nchosen: " in out
    assert "toolbooth validate first.toolbooth.yaml\n" in out
    assert (value()["config"], value()["defaults"]["servers"]) == (".mcp.json", ["tickets"])
    assert SECRET not in Path("first.toolbooth.yaml").read_text()


def test_what_is_written_only_lacks_prompts(capsys: pytest.CaptureFixture[str]) -> None:
    init.run([config()])
    assert validate.run([]) == 2
    assert "the prompt is empty; write what a user would ask" in capsys.readouterr().err
    path = Path("first.toolbooth.yaml")
    path.write_text(path.read_text().replace('prompt: ""', "prompt: Please."))
    assert validate.run([]) == 0
    assert capsys.readouterr() == ("first.toolbooth.yaml: 8 tests, 16 cells, 8 gates\n", "")


def test_a_command_stands_in_the_suite(capsys: pytest.CaptureFixture[str]) -> None:
    assert init.run(["--output", "suites/helpdesk.toolbooth.yaml", "--", *TICKETS]) == 0
    written = value("suites/helpdesk.toolbooth.yaml")
    assert written["name"] == "helpdesk"
    assert written["servers"] == {
        "toolbooth-demo": {"command": sys.executable, "args": ["-m", "toolbooth.demo", "tickets"]}
    }
    assert "config" not in written


def test_a_saved_catalog_is_enough_to_begin_with(capsys: pytest.CaptureFixture[str]) -> None:
    tools = [{"name": "cut_grass", "description": "Cut it.\n- name: smuggled"}]
    Path("list.json").write_text(json.dumps({"tools": tools}))
    assert init.run(["list.json"]) == 0
    assert "a saved catalog has no server to call" in capsys.readouterr().out
    (test,) = value()["tests"]
    assert test["name"] == "cut_grass"


def test_known_places_are_looked_at_where_nothing_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    config()
    assert init.run(["--json", "--trust-project"]) == 0
    reported = json.loads(capsys.readouterr().out)
    assert (reported["path"], reported["servers"], reported["variables"]) == (
        "first.toolbooth.yaml",
        ["tickets"],
        [],
    )
    assert len(reported["tests"]) == 8
    assert value()["config"] == ".mcp.json"


def test_a_server_that_does_not_come_up_is_reported_and_left_out(capsys: pytest.CaptureFixture[str]) -> None:
    entry = {"command": TICKETS[0], "args": TICKETS[1:]}
    config(tickets=entry, gone={"command": "no-such-command-here"})
    assert init.run([".mcp.json"]) == 0
    assert "gone" in capsys.readouterr().err
    assert value()["defaults"]["servers"] == ["tickets"]


def test_a_file_that_is_there_stays_unless_forced(capsys: pytest.CaptureFixture[str]) -> None:
    Path("first.toolbooth.yaml").write_text("mine\n")
    with pytest.raises(ConfigError, match="exists; --force overwrites it"):
        init.run([config()])
    assert Path("first.toolbooth.yaml").read_text() == "mine\n"
    assert init.run(["--force", ".mcp.json"]) == 0
    assert value()["tests"]


def test_a_link_to_nowhere_is_a_file_that_is_there() -> None:
    Path("first.toolbooth.yaml").symlink_to("elsewhere")
    with pytest.raises(ConfigError, match="exists; --force"):
        init.run([config()])


@pytest.mark.parametrize("name", ["first.yaml", ".toolbooth.yaml", "suites/"])
def test_a_name_that_no_suite_has_is_a_mistake(name: str) -> None:
    with pytest.raises(UserMistake, match="must end with"):
        init.run(["--output", name, config()])


def test_a_folder_cannot_be_written_over() -> None:
    Path("a.toolbooth.yaml").mkdir()
    with pytest.raises(ConfigError, match="is a folder"):
        init.run(["--force", "--output", "a.toolbooth.yaml", config()])


def test_a_place_where_nothing_can_be_written_is_one_line() -> None:
    Path("file").write_text("")
    with pytest.raises(ConfigError, match="cannot be written"):
        init.run(["--output", "file/a.toolbooth.yaml", config()])


def test_without_any_server_nothing_is_written() -> None:
    with pytest.raises(NothingToWeigh):
        init.run([config(gone={"command": "no-such-command-here"})])
    assert not Path("first.toolbooth.yaml").exists()


def test_it_says_how_many_tools_have_a_test_and_how_to_get_the_rest(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert init.run([config(), "--json"]) == 0
    few = json.loads(capsys.readouterr().out)
    assert len(few["tests"]) == 8
    assert few["tools_in_tests"] < few["tools"]
    left = few["possible_tests"] - 8
    assert init.run([config(), "--force"]) == 0
    assert f"--tests all also writes the other {left}" in capsys.readouterr().out
    assert init.run([config(), "--force", "--tests", "all", "--json"]) == 0
    every = json.loads(capsys.readouterr().out)
    assert len(every["tests"]) == few["possible_tests"]
    assert every["tools_in_tests"] == every["tools"]
    assert init.run([config(), "--force", "--tests", "all"]) == 0
    assert "--tests all" not in capsys.readouterr().out
    assert init.run([config(), "--force", "--tests", "2", "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)["tests"]) == 2
