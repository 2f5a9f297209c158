"""The verb `diff`: what may stand on each side, what it tells, and the exit codes."""

import io
import json
import sys
from collections.abc import Mapping
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import pytest
from tests.behaviour.command_line import CommandResult
from tests.lock_project import CHANGING_SERVER, Project
from tests.unit.contracts.diff.sample_contracts import offered, taking, tool

from toolbooth.cli.diff.command import run
from toolbooth.cli.diff.sides import commands_of
from toolbooth.contracts import Budgets, Contracts, Lock, with_limits
from toolbooth.contracts.toolbooth_lock import write_lock
from toolbooth.errors import ToolboothError, UserMistake

TEXT, NUMBER = taking({"type": "string"}), taking({"type": "integer"})
WIDER = taking({"type": ["string", "null"]})


def diff(*words: str | Path) -> CommandResult:
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        try:
            code = run([str(word) for word in words])
        except ToolboothError as error:
            code = error.exit_code
            print(f"toolbooth: {error}", file=err)
    return CommandResult(code, out.getvalue(), err.getvalue())


def lock(
    path: Path, *tools: Mapping[str, Any], contracts: Contracts | None = None, budgets: tuple[str, ...] = ()
) -> Path:
    agreed = contracts or offered(*map(dict, tools))
    write_lock(Lock(agreed, with_limits(Budgets(), budgets)), path)
    return path


def catalog(path: Path, *tools: Mapping[str, Any]) -> Path:
    path.write_text(json.dumps({"tools": tools}))
    return path


def command(path: Path, *tools: Mapping[str, Any], **more: Any) -> list[str]:
    path.write_text(json.dumps({"tools": tools, **more}))
    return [sys.executable, CHANGING_SERVER, str(path)]


@pytest.mark.promise("diff:command")
def test_two_locks_are_compared_tool_by_tool_with_the_worst_first(tmp_path: Path) -> None:
    drop = tool("drop", description="Drops.")
    old = lock(tmp_path / "old.lock", TEXT, drop)
    new = lock(
        tmp_path / "new.lock",
        {**NUMBER, "description": "Finds all rows."},
        drop,
        tool("add", description="Adds."),
    )
    said = diff(old, new)
    assert (said.code, said.err) == (1, "")
    assert said.out.index("rows.find") < said.out.index("rows.add")
    assert said.out.index("breaking") < said.out.index("risky")
    assert "`p` now accepts integer; it was string" in said.out
    assert "Finds {+all+} rows." in said.out
    assert "2 → 3 tools" in said.out
    assert "1 breaking, 2 risky" in said.out
    assert "drop" not in said.out


@pytest.mark.promise("diff:command")
@pytest.mark.parametrize(
    ("after", "words", "code"),
    [
        (TEXT, (), 0),
        (WIDER, (), 0),
        (WIDER, ("--fail-on", "safe"), 1),
        ({**TEXT, "description": "Other."}, (), 1),
        ({**TEXT, "description": "Other."}, ("--fail-on", "breaking"), 0),
        (NUMBER, ("--fail-on", "breaking"), 1),
        ({**TEXT, "title": "Find"}, ("--fail-on", "cosmetic"), 1),
    ],
)
def test_the_exit_code_is_by_the_worst_change(
    tmp_path: Path, after: Any, words: tuple[str, ...], code: int
) -> None:
    old, new = lock(tmp_path / "old.lock", TEXT), lock(tmp_path / "new.lock", after)
    assert diff(old, new, *words).code == code


def test_a_program_gets_all_of_it_and_a_filter_leaves_the_verdict_alone(tmp_path: Path) -> None:
    old, new = lock(tmp_path / "old.lock", TEXT), lock(tmp_path / "new.lock", {**NUMBER, "title": "Find"})
    reported = diff(old, new, "--json").json
    assert [change["rule"] for change in reported["changes"]] == ["input-type-changed", "tool-title-changed"]
    assert reported["changes"][0]["path"] == "/inputSchema/properties/p/type"
    assert (reported["worst"], reported["exit_code"]) == ("breaking", 1)
    filtered = diff(old, new, "--severity", "risky")
    assert "title" not in filtered.out
    assert "1 below risky hidden" in filtered.out
    assert diff(new, new, "--json").json["changes"] == []


def test_two_catalogs_are_one_server_whatever_their_files_are_called(tmp_path: Path) -> None:
    said = diff(catalog(tmp_path / "monday.json", TEXT), catalog(tmp_path / "friday.json", NUMBER))
    assert said.code == 1
    assert "monday.find" in said.out
    assert "friday is compared as monday" in said.out
    assert "tool-removed" not in said.out


def test_a_catalog_says_which_of_its_tools_cannot_be_used(tmp_path: Path) -> None:
    broken = catalog(tmp_path / "friday.json", {**TEXT, "inputSchema": "hello"})
    said = diff(catalog(tmp_path / "monday.json", TEXT), broken)
    assert said.code == 1
    assert "still listed, but its definition cannot be used" in said.out
    assert "friday: tool find is left out: inputSchema is text, not an object" in said.out
    assert "tool-removed" not in said.out


@pytest.mark.promise("diff:command")
def test_two_commands_are_two_versions_of_one_server(tmp_path: Path) -> None:
    one = command(tmp_path / "one.json", TEXT, version="1.2", prompts=[])
    other = command(tmp_path / "other.json", NUMBER, version="1.3", prompts=[{"name": "ask"}])
    said = diff("--", *one, "--", *other)
    assert said.code == 1
    assert "now accepts integer; it was string" in said.out
    assert "prompt `ask` is new" in said.out
    assert "changing_server 1.2 → changing_server 1.3: 1 breaking, 1 risky, 1 cosmetic" in said.out


def test_words_of_a_command_are_not_repeated(tmp_path: Path) -> None:
    one = command(tmp_path / "one.json", TEXT)
    said = diff("--json", "--", *one, "--api-key", "s3cret-value", "--", *one, "--api-key", "s3cret-value")
    assert said.code == 0
    assert "s3cret" not in said.out + said.err


def test_a_lock_is_compared_with_one_command(tmp_path: Path) -> None:
    agreed = lock(tmp_path / "rows.lock", TEXT)
    said = diff(agreed, "--", *command(tmp_path / "one.json", NUMBER))
    assert said.code == 1
    assert "rows.find" in said.out
    assert "server-removed" not in said.out


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    made = Project(tmp_path, monkeypatch)
    made.offer("rows", TEXT, prompts=[{"name": "ask"}])
    assert made.lock().code == 0
    return made


@pytest.mark.promise("diff:command")
def test_a_lock_alone_is_compared_with_the_servers_of_a_config(project: Project) -> None:
    assert diff("toolbooth.lock", "--config", "mcp.json").code == 0
    project.offer("rows", NUMBER, prompts=[{"name": "ask"}])
    said = diff("toolbooth.lock", "--config", "mcp.json")
    assert said.code == 1
    assert "toolbooth.lock → now: 1 breaking" in said.out


def test_what_a_catalog_does_not_know_did_not_go(project: Project) -> None:
    saved = project.folder / "rows.catalog.json"
    saved.write_text(json.dumps({"server": "rows", "tools": [TEXT]}))
    said = diff("toolbooth.lock", saved)
    assert "prompt-removed" not in said.out
    assert said.code == 0


@pytest.mark.promise("contracts:server-down")
def test_a_server_that_is_down_is_not_gone(project: Project) -> None:
    project.offer("more", tool("add"))
    project.lock_file.unlink()
    assert project.lock().code == 0
    project.offer("rows", NUMBER, prompts=[{"name": "ask"}])
    project.servers["more"] = {"command": "no-such-command-anywhere"}
    project._configure()
    said = diff("toolbooth.lock", "--config", "mcp.json")
    assert said.code == 3
    assert "more" in said.err
    assert "server-removed" not in said.out
    assert "now accepts integer" in said.out
    assert "could not be fully compared: more could not be reached" in said.out


@pytest.mark.promise("contracts:server-down")
def test_a_program_is_told_of_a_server_that_is_down_in_its_own_format(tmp_path: Path) -> None:
    agreed = lock(tmp_path / "rows.lock", TEXT)
    report = tmp_path / "summary.md"
    said = diff(agreed, "--json", "--report", f"markdown:{report}", "--", "no-such-command-anywhere")
    assert said.code == said.json["exit_code"] == 3
    assert said.json["changes"] == []
    assert "no-such-command-anywhere" in json.dumps(said.json["source_errors"])
    assert "could not be reached" in report.read_text()
    for_a_person = diff(agreed, "--", "no-such-command-anywhere")
    assert (for_a_person.code, for_a_person.out) == (3, "")
    assert "nothing to compare in the command's server" in for_a_person.err


def test_budgets_come_from_the_newer_lock_and_from_the_call(tmp_path: Path) -> None:
    old = lock(tmp_path / "old.lock", TEXT)
    new = lock(tmp_path / "new.lock", TEXT, budgets=("tool=5",))
    assert "tool-over-budget" in diff(old, new).out
    assert diff(old, new, "--budget", "tool=off").code == 0
    assert diff(new, old, "--budget", "total=1").code == 1


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ((), "name what to compare"),
        (("a.lock", "b.lock", "c.lock"), "3 sides are too many"),
        (("old.lock", "old.lock", "--", "x"), "3 sides are too many"),
        (("catalog.json",), "is not a lock"),
        (("--config", "x.json", "old.lock", "old.lock"), "--config needs exactly one lock"),
        (("--", "npx", "server"), "two commands to compare; try"),
        (("--", "--", "npx", "server"), "a command is missing"),
        (("old.lock", "--"), "a command is missing"),
        (("broken.lock", "old.lock"), "truncated"),
        (("old.lock", "missing.lock"), "missing.lock"),
        (("old.lock", "old.lock", "--fail-on", "bad"), "unknown value 'bad' for --fail-on; choose from "),
        (("old.lock", "old.lock", "--budget", "much=1"), "--budget"),
    ],
)
def test_a_wrong_call_is_one_line_and_exit_2(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], reason: str
) -> None:
    monkeypatch.chdir(tmp_path)
    lock(tmp_path / "old.lock", TEXT)
    catalog(tmp_path / "catalog.json", TEXT)
    (tmp_path / "broken.lock").write_text('{"format": "toolbooth-lock", "ver')
    said = diff(*words)
    assert said.code == 2
    assert reason in said.err
    assert said.out == ""


def test_nothing_foreign_acts_on_the_terminal(tmp_path: Path) -> None:
    evil = taking({"description": "\x1b[2J[/x]\u202e"})
    said = diff(lock(tmp_path / "old.lock", TEXT), lock(tmp_path / "new.lock", evil))
    assert "\x1b" not in said.out
    assert "\u202e" not in said.out


@pytest.mark.parametrize(
    ("words", "named", "commands"),
    [
        (["--", "a", "--", "b"], 0, [["a"], ["b"]]),
        (["--", "a", "--", "x", "--", "b", "--", "y"], 0, [["a", "--", "x"], ["b", "--", "y"]]),
        (["--", "a", "--", "x"], 1, [["a", "--", "x"]]),
        ([], 2, []),
    ],
)
def test_commands_are_parted_at_the_middle(words: list[str], named: int, commands: list[list[str]]) -> None:
    assert commands_of(words, named) == commands


def test_commands_that_cannot_be_parted_are_a_mistake() -> None:
    with pytest.raises(UserMistake):
        commands_of(["--", "a", "--", "b", "--", "c"], 0)


def test_tools_of_which_the_same_changed_stand_together(tmp_path: Path) -> None:
    names = ("one", "two", "three")
    old = lock(tmp_path / "old.lock", *(tool(name, description=name) for name in names))
    hinted = {"annotations": {"openWorldHint": False}}
    new = lock(tmp_path / "new.lock", *({**tool(name, description=name), **hinted} for name in names))
    said = diff(old, new)
    assert said.out.count("open-world-lost") == 1
    assert "the same for three, two" in said.out
