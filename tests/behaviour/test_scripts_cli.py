"""`toolbooth scripts` as a person uses it: a process, a home, a folder of files."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.behaviour.command_line import toolbooth

CODE = (
    '"""Greet somebody."""\n\n\ndef main(name: str, times: int = 2):\n    return [f"hello {name}"] * times\n'
)


@pytest.fixture
def code(tmp_path: Path) -> Path:
    path = tmp_path / "greet.py"
    path.write_text(CODE)
    return path


@pytest.mark.promise("scripts:kept")
def test_a_script_is_saved_found_again_and_removed(tmp_path: Path, code: Path) -> None:
    said = toolbooth("scripts", "save", "greet", code, home=tmp_path)
    assert (said.code, said.err) == (0, "")
    folder = Path(toolbooth("scripts", "where", home=tmp_path).out.strip())
    assert (folder / "greet.py").read_text() == CODE
    assert toolbooth("scripts", "show", "greet", home=tmp_path).out == CODE
    (listed,) = toolbooth("scripts", "--json", home=tmp_path).json["scripts"]
    assert (listed["name"], listed["description"]) == ("greet", "Greet somebody.")
    taken = toolbooth("scripts", "save", "greet", code, home=tmp_path)
    assert (taken.code, taken.out, len(taken.err.splitlines())) == (2, "", 1)
    code.write_text(CODE.replace("Greet", "Hail"))
    assert toolbooth("scripts", "save", "greet", "--replace", code, home=tmp_path).code == 0
    assert "Hail somebody." in toolbooth("scripts", home=tmp_path).out
    assert toolbooth("scripts", "remove", "greet", home=tmp_path).code == 0
    assert toolbooth("scripts", "remove", "greet", home=tmp_path).code == 2
    assert not list(folder.iterdir())


def test_a_script_comes_through_a_pipe(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "toolbooth", "scripts", "save", "two", "--description", "Two."],
        input="1 + 1\n",
        text=True,
        capture_output=True,
        check=True,
        env={"HOME": str(tmp_path), "PATH": os.environ["PATH"]},
    )
    assert done.stderr == ""
    assert toolbooth("scripts", "show", "two", home=tmp_path).out == '"""Two."""\n1 + 1\n'


@pytest.mark.promise("scripts:safe")
def test_what_is_wrong_in_the_folder_is_one_clean_line_each(tmp_path: Path, code: Path) -> None:
    folder = tmp_path / "scripts"
    toolbooth("scripts", "save", "greet", code, "--folder", folder, home=tmp_path)
    (folder / "bad.py").write_text('"""Does."""\n1 +\n')
    (folder / "evil\x1b[2J\n.py").write_text("1")
    said = toolbooth("scripts", "--folder", folder, home=tmp_path)
    assert said.code == 0
    assert "greet" in said.out
    assert len(said.err.splitlines()) == 2
    assert "bad.py:2:4" in said.err
    assert "\x1b" not in said.err


def test_the_code_of_a_script_does_not_act_on_the_terminal(tmp_path: Path) -> None:
    (tmp_path / "evil.py").write_text('"""\x1b]0;title\x07Does\u202e."""\nif 1:\n\t"\x1b[2J"  # x\r\n')
    shown = toolbooth("scripts", "show", "evil", "--folder", tmp_path, home=tmp_path)
    assert shown.out == '"""Does\\u{202e}."""\nif 1:\n\t""  # x\n'
    for words in (["list"], ["list", "--json"], ["show", "evil", "--json"]):
        out = toolbooth("scripts", *words, "--folder", tmp_path, home=tmp_path).out
        assert not {"\x1b", "\u202e", "\x07"} & set(out)


@pytest.mark.parametrize(
    "words",
    [
        ["show"],
        ["show", "x"],
        ["save", "X"],
        ["save", "x", "nowhere.py"],
        ["--config", "nowhere.yaml"],
        ["what"],
    ],
)
def test_a_wrong_call_is_one_line_and_exit_2(tmp_path: Path, words: list[str]) -> None:
    said = toolbooth("scripts", *words, home=tmp_path)
    assert (said.code, said.out, len(said.err.splitlines())) == (2, "", 1)


def test_the_folder_of_a_config_is_used(tmp_path: Path, code: Path) -> None:
    config = tmp_path / "sub" / "toolbooth.yaml"
    config.parent.mkdir()
    config.write_text("scripts: mine\n")
    assert toolbooth("scripts", "save", "greet", code, "--config", config, home=tmp_path).code == 0
    assert (config.parent / "mine" / "greet.py").read_text() == CODE
    assert "no scripts" in toolbooth("scripts", home=tmp_path).out
