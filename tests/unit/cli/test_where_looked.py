"""Without a config a person sees every place that was looked at, and what to write."""

from pathlib import Path

import pytest

from toolbooth.cli import doctor, main
from toolbooth.cli.where_looked import where_looked
from toolbooth.errors import NothingToWeigh


def test_places_are_listed_short_with_an_example() -> None:
    lines = where_looked([str(Path.home() / ".cursor" / "mcp.json"), "/etc/x.json"])
    assert lines[:3] == ["  looked at:", "    ~/.cursor/mcp.json", "    /etc/x.json"]
    assert "mcpServers" in lines[-1]
    assert where_looked(()) == []


def test_the_example_is_for_the_verb_that_was_typed() -> None:
    assert "for `toolbooth lock mcp.json`" in where_looked(["/etc/x.json"], "lock")[-1]
    assert "for `toolbooth doctor mcp.json`" in where_looked(["/etc/x.json"], "search")[-1]


def test_a_lock_without_a_config_shows_calls_of_lock(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for variable in ("HOME", "XDG_CONFIG_HOME", "USERPROFILE", "APPDATA"):
        monkeypatch.setenv(variable, str(tmp_path))
    monkeypatch.setattr(main, "_end_like_ctrl_c", lambda: None)
    assert main.main(["lock"]) == 2
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
    assert said[:3] == ["toolbooth: no config", "  looked at:", "    /etc/x.json"]
