"""`toolbooth scripts`: words, their mistakes, and what is printed."""

import io
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from toolbooth.cli.scripts import command
from toolbooth.cli.scripts.command import arguments_of, short
from toolbooth.errors import ConfigError, UserMistake
from toolbooth.sandbox import ScriptFolder, read_script

CODE = '"""Greet."""\n\n\ndef main(name: str, times: int = 2):\n    return [f"hello {name}"] * times\n'
Run = Callable[..., str]


@pytest.fixture
def folder(tmp_path: Path) -> ScriptFolder:
    return ScriptFolder(tmp_path / "scripts")


@pytest.fixture
def run(folder: ScriptFolder, capsys: pytest.CaptureFixture[str]) -> Run:
    def run_words(*words: str) -> str:
        assert command.run([*words, "--folder", str(folder.path)]) == 0
        return capsys.readouterr().out

    return run_words


@pytest.fixture
def code(tmp_path: Path) -> str:
    path = tmp_path / "greet.py"
    path.write_text(CODE)
    return str(path)


def typed(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))


def test_a_script_is_saved_shown_listed_and_removed(run: Run, code: str, folder: ScriptFolder) -> None:
    assert "no scripts in" in run()
    assert run("save", "greet", code).startswith("saved greet(name, times=2): ")
    assert run("show", "greet") == CODE
    assert run("list") == run()
    assert "greet" in run()
    assert "name, times=2" in run()
    assert "Greet." in run()
    assert run("remove", "greet").startswith("removed greet: ")
    assert not folder.load().scripts


def test_a_program_gets_json(run: Run, code: str, folder: ScriptFolder) -> None:
    def reported(*words: str) -> Any:
        return json.loads(run("--json", *words))

    saved = reported("save", "greet", code)
    assert (saved["name"], saved["replaced"], saved["path"]) == (
        "greet",
        False,
        str(folder.path / "greet.py"),
    )
    assert reported("save", "greet", code, "--replace")["replaced"] is True
    shown = reported("show", "greet")
    assert (shown["code"], shown["description"]) == (CODE, "Greet.")
    (folder.path / "Bad.py").write_text("")
    listed = reported()
    assert [each["name"] for each in listed["scripts"]] == ["greet"]
    assert listed["scripts"][0]["input_schema"]["required"] == ["name"]
    assert len(listed["problems"]) == 1
    assert reported("where")["folder"] == listed["folder"] == str(folder.path)
    assert reported("where")["exists"] is True
    assert reported("remove", "greet")["removed"] == "greet"


@pytest.mark.parametrize("words", [["hello"], ["hello", "-"]])
def test_stdin_is_read_where_no_file_is_named(
    run: Run, folder: ScriptFolder, monkeypatch: pytest.MonkeyPatch, words: list[str]
) -> None:
    typed(monkeypatch, b"1 + 1\n")
    run("save", *words, "--description", 'Say "two"')
    assert folder.read("hello").description == 'Say "two"'
    typed(monkeypatch, b'"""Old."""\n3\n')
    assert run("save", *words, "--description", "New.", "--replace").startswith("replaced hello(): ")
    assert folder.read("hello").code == '"""New."""\n3\n'


def test_a_stdin_that_is_no_script_is_said(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    for data, says in (
        (b"\xff\xfe", "UTF-16"),
        (b"x (", "stdin:1:3: is not valid Python"),
        (b"#" * 300_000, "longer"),
    ):
        typed(monkeypatch, data)
        with pytest.raises(UserMistake, match=says):
            run("save", "x")
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(UserMistake, match="stdin is closed"):
        run("save", "x")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["nothing"], "unknown value 'nothing'; choose from list, "),
        (["list", "x"], "takes no name"),
        (["where", "x"], "takes no name"),
        (["show"], "name the script"),
        (["save"], "name the script"),
        (["remove"], "name the script"),
        (["show", "x", "y"], "takes one name"),
        (["save", "x", "y", "z"], "unexpected argument z"),
        (["show", "x", "--replace"], "need `scripts save`"),
        (["remove", "x", "--description", "y"], "need `scripts save`"),
        (["--config", "x"], "choose one of"),
        (["show", "x"], "script x does not exist"),
        (["show", "../x"], "is not a valid script name"),
        (["save", "class"], "is a Python keyword"),
        (["save", "x", "nowhere.py"], "there is no such file"),
        (["save", "x", "/dev/null"], "is a device"),
    ],
)
def test_a_wrong_call_is_a_mistake_that_says_so(run: Run, words: list[str], says: str) -> None:
    with pytest.raises(UserMistake) as caught:
        run(*words)
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


def test_the_place_of_a_mistake_is_in_the_file_that_was_named(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "wrong.py"
    path.write_text('"""Does."""\ndef main(*all): pass\n')
    with pytest.raises(ConfigError) as caught:
        run("save", "x", str(path))
    assert str(caught.value).startswith(f"{path}:2: main: *all")
    path.write_text("1\n")
    with pytest.raises(ConfigError, match="has no description"):
        run("save", "x", str(path))


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    home = tmp_path / "home"
    (home / ".config" / "toolbooth").mkdir(parents=True)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    monkeypatch.chdir(tmp_path)
    return home


def where(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert command.run(["where", *words]) == 0
    return capsys.readouterr().out.strip()


@pytest.mark.skipif(sys.platform != "linux", reason="the folders of other systems differ")
def test_the_folder_is_that_of_the_config(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    own = home / ".config" / "toolbooth"
    assert where(capsys) == str(own / "scripts")
    (own / "toolbooth.yaml").write_text(
        "scripts: ~/mine\nservers: {a: {url: 'https://x.dev', headers: {k: '${NO}'}}}"
    )
    assert where(capsys) == str(home / "mine")
    other = home.parent / "other.yaml"
    other.write_text("scripts: there\n")
    assert where(capsys, "--config", "other.yaml") == str(home.parent / "there")
    other.write_text("surface: code\n")
    assert where(capsys, "--config", "other.yaml") == str(own / "scripts")
    assert where(capsys, "--folder", "here") == str(home.parent / "here")
    assert where(capsys, "--folder", "~/here") == str(home / "here")


def test_a_config_that_cannot_be_read_is_no_reason_to_guess(home: Path) -> None:
    broken = home / ".config" / "toolbooth" / "toolbooth.yaml"
    broken.write_text("scripts: [x]\n")
    with pytest.raises(UserMistake, match="scripts must be text"):
        command.run(["where"])
    broken.unlink()
    for config in ("nowhere.yaml", ""):
        with pytest.raises(UserMistake):
            command.run(["where", "--config", config])
    with pytest.raises(UserMistake, match="folder is empty"):
        command.run(["where", "--folder", ""])
    (home / ".claude.json").write_text('{"mcpServers": ')
    assert command.run(["where"]) == 0


def test_arguments_are_shown_as_a_person_would_write_them() -> None:
    text = '"""Does."""\ndef main(a, b=None, c=now(), d="' + "x" * 50 + '"): pass'
    assert arguments_of(read_script("x", text)) == 'a, b=null, c=…, d="' + "x" * 22 + "…"
    assert short(Path.home() / "a") == "~/a"
    assert short(Path("/a")) == "/a"
