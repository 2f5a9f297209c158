"""Without a config a person sees every place that was looked at, and what to write."""

from pathlib import Path

import pytest

from toolbooth.cli import doctor, main
from toolbooth.cli.no_config import for_command, searched_places
from toolbooth.errors import NothingToWeigh


def test_places_are_listed_short_with_an_example() -> None:
    lines = searched_places([str(Path.home() / ".cursor" / "mcp.json"), "/etc/x.json"])
    assert "mcpServers" in lines[0]
    assert lines[1:] == ["  searched:", "    ~/.cursor/mcp.json", "    /etc/x.json"]
    assert searched_places(()) == []


def test_the_example_is_for_the_verb_that_was_typed() -> None:
    assert "run `toolbooth lock mcp.json`" in searched_places(["/etc/x.json"], "lock")[0]
    assert "run `toolbooth doctor mcp.json`" in searched_places(["/etc/x.json"], "search")[0]


def test_a_lock_without_a_config_shows_calls_of_lock(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for variable in ("HOME", "XDG_CONFIG_HOME", "USERPROFILE", "APPDATA"):
        monkeypatch.setenv(variable, str(tmp_path))
    monkeypatch.setattr(main, "_end_like_ctrl_c", lambda: None)
    assert main.main(["lock"]) == 3
    said = capsys.readouterr().err
    assert ("`toolbooth lock path/to/mcp.json`" in said, "toolbooth doctor" in said) == (True, False)


def test_the_command_line_prints_them_below_the_error(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def run(_words: object) -> int:
        raise NothingToWeigh("no config", ("/etc/x.json",))

    monkeypatch.setattr(doctor, "run", run)
    monkeypatch.setattr(main, "_end_like_ctrl_c", lambda: None)
    assert main.main(["doctor"]) == 3
    said = capsys.readouterr().err.splitlines()
    assert said[0] == "toolbooth: no config"
    assert said[-2:] == ["  searched:", "    /etc/x.json"]


def test_folders_above_are_only_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project = tmp_path / "a" / "b"
    project.mkdir(parents=True)
    monkeypatch.chdir(project)
    places = [str(folder / ".mcp.json") for folder in (project, project.parent, tmp_path)]
    assert searched_places([*places, "/etc/x.json"])[1:] == [
        "  searched:",
        "    .mcp.json",
        "    /etc/x.json",
        "    and the same 2 in the folders above this one",
    ]


def test_a_search_without_a_config_shows_calls_of_search() -> None:
    said = "name a file, as in `toolbooth doctor path/to/mcp.json`, or a command: `toolbooth doctor -- npx x`"
    assert for_command(said, "search") == (
        "name a file, as in `toolbooth search WORDS --config path/to/mcp.json`, or a command: "
        "`toolbooth search WORDS -- npx x`"
    )
    assert for_command(said, "scan").count("toolbooth scan") == 2
