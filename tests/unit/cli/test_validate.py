"""`toolbooth validate`: every file is checked, every mistake is one line with its place, and nothing is run."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.unit.suite.suite_texts import SHAPE_A, SMALLEST, WHOLE

from toolbooth.cli import validate
from toolbooth.errors import NothingSelected


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(name: str, text: str) -> str:
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return name


def reported(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, list[str], list[str]]:
    code = validate.run(list(words))
    said = capsys.readouterr()
    return code, said.out.splitlines(), said.err.splitlines()


SERVED = "servers: {notes: {command: notes-server}}\n" + SMALLEST


def test_a_right_file_is_counted(capsys: pytest.CaptureFixture[str]) -> None:
    name = write("helpdesk.toolbooth.yaml", SERVED)
    assert reported(capsys, name) == (0, ["helpdesk.toolbooth.yaml: 1 test, 1 cell, 1 gate"], [])


def test_cells_are_tests_by_models_by_surfaces(capsys: pytest.CaptureFixture[str]) -> None:
    name = write("helpdesk.toolbooth.yaml", WHOLE.replace("config: [.mcp.json, ~/.cursor/mcp.json]\n", ""))
    code, out, _ = reported(capsys, name)
    assert (code, out) == (0, ["helpdesk.toolbooth.yaml: 3 tests, 9 cells, 8 gates"])


def test_without_a_name_all_here_and_below_are_checked(capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("a.toolbooth.yaml", "sub/deep/b.toolbooth.yaml", "node_modules/c.toolbooth.yaml", "d.yaml"):
        write(name, SERVED)
    code, out, err = reported(capsys)
    assert (code, [line.partition(":")[0] for line in out], err) == (
        0,
        ["a.toolbooth.yaml", "sub/deep/b.toolbooth.yaml"],
        [],
    )


def test_a_mistake_in_one_file_hides_none_in_another(capsys: pytest.CaptureFixture[str]) -> None:
    write("s/a.toolbooth.yaml", "tests:\n  - {name: a, promt: x}\n")
    write("s/b.toolbooth.yaml", SERVED)
    write("s/c.toolbooth.yaml", "tests: [\n")
    code, out, err = reported(capsys, "s", "gone.toolbooth.yaml")
    assert code == 2
    assert out == ["s/b.toolbooth.yaml: 1 test, 1 cell, 1 gate"]
    assert err[0] == "s/a.toolbooth.yaml:2:15: unknown key 'promt' in tests[0]; did you mean 'prompt'?"
    assert err[1].startswith("s/c.toolbooth.yaml:2:1: broken YAML")
    assert err[2].startswith("gone.toolbooth.yaml: ")
    assert len(err) == 3


def test_what_may_not_be_meant_is_a_warning(capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = reported(capsys, write("a.toolbooth.yaml", SHAPE_A))
    assert code == 0
    assert "a.toolbooth.yaml: warning: the agent 'librarian' is not defined here; " in err[0]
    assert "the suite has no server" in err[1]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("servers: {a: {command: '${NOT_SET_HERE}'}}\n", "needs the environment variable NOT_SET_HERE"),
        ("servers: {a: {}}\n", "warning: has no MCP servers"),
        ("config: gone.json\n", "gone.json"),
        ("config: broken.json\n", "broken.json:1:"),
        ("servers: {notes: {command: x}}\ndefaults: {servers: [note]}\n", "did you mean 'notes'?"),
    ],
)
def test_a_server_that_cannot_be_used_is_a_warning_since_recordings_need_none(
    capsys: pytest.CaptureFixture[str], text: str, said: str
) -> None:
    write("broken.json", "{")
    code, _, err = reported(capsys, write("a.toolbooth.yaml", text + SMALLEST))
    assert (code, len(err)) == (0, 1)
    assert ": warning: " in err[0]
    assert said in err[0]


def test_our_own_config_is_checked_where_it_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    name = write("toolbooth.yaml", "servers: {a: {command: x}, b: {command: '${NOT_SET_HERE}'}}\n")
    code, out, err = reported(capsys, name)
    assert (code, out) == (0, ["toolbooth.yaml: 2 servers"])
    assert err == [
        "toolbooth.yaml: warning: the server b: needs the environment variable NOT_SET_HERE, which is not set"
    ]
    write("toolbooth.yaml", "server: {}\n")
    code, _, err = reported(capsys, name)
    assert (code, err) == (2, ["toolbooth.yaml:1:1: unknown key 'server'; did you mean 'servers'?"])


def test_a_program_gets_json(capsys: pytest.CaptureFixture[str]) -> None:
    write("a.toolbooth.yaml", "tests:\n  - {name: a, promt: x}\n")
    write("b.toolbooth.yaml", SERVED)
    code, out, err = reported(capsys, "--json")
    value: Any = json.loads("\n".join(out))
    assert (code, err, value["valid"]) == (2, [], False)
    wrong, right = value["files"]
    assert (wrong["path"], wrong["valid"]) == ("a.toolbooth.yaml", False)
    assert (wrong["error"]["line"], wrong["error"]["column"]) == (2, 15)
    assert right == {
        "path": "b.toolbooth.yaml",
        "valid": True,
        "tests": 1,
        "cells": 1,
        "gates": 1,
        "warnings": [],
    }


def test_where_there_is_none_it_says_how_one_begins() -> None:
    with pytest.raises(NothingSelected, match="toolbooth init") as caught:
        validate.run([])
    assert caught.value.exit_code == 7


def test_a_file_named_twice_is_checked_once(capsys: pytest.CaptureFixture[str]) -> None:
    name = write("a.toolbooth.yaml", SERVED)
    assert len(reported(capsys, name, name, ".")[1]) == 1


def test_no_file_acts_on_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    text = 'tests: [{name: "\\e[31m\\u202ea", agent: "\\e[2Jb", no_calls: true}]\n'
    code, out, err = reported(capsys, write("a.toolbooth.yaml", text))
    assert code == 0
    assert not {"\x1b", "\u202e"} & set("".join([*out, *err]))


def test_all_mistakes_of_a_file_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.toolbooth.yaml"
    path.write_text(
        "tests:\n"
        "  - {name: a, promt: x, no_calls: true}\n"
        "  - {name: b, prompt: y, runs: none, surface: sideways, no_calls: true}\n"
        "agens: []\n"
    )
    assert validate.run([str(path)]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert [line.removeprefix(f"{path}:").partition(":")[0] for line in lines] == ["2", "3", "3", "4"]
    path.write_text("tests:\n  - {name: a, prompt: '', no_calls: true}\n  - {name: b, prompt: y}\n")
    assert validate.run([str(path), "--json"]) == 2
    (file,) = json.loads(capsys.readouterr().out)["files"]
    assert [error["line"] for error in file["errors"]] == [2, 3]
    assert file["error"] == file["errors"][0]
