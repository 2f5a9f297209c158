"""Locks and servers that fail: what could not be checked (exit 2) is never reported as "everything was removed"."""

import sys
from pathlib import Path
from typing import Any

import pytest

from tests.lock_project import Project

FIND = {"name": "find", "description": "Finds rows."}
DROP = {"name": "drop", "description": "Drops for $API_KEY."}
IN_ENV, IN_ARGS, IN_PARENT = CANARIES = tuple(f"canary-{place}-5ad9c1" for place in ("env", "args", "parent"))


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    monkeypatch.setenv("PARENT_TOKEN", IN_PARENT)
    made = Project(tmp_path, monkeypatch)
    for name in ("a", "b"):
        made.offer(name, FIND, DROP, instructions="For $PARENT_TOKEN and $API_KEY.")
        made.servers[name]["args"] += ["--api-key", IN_ARGS]
        made.servers[name]["env"] = {"API_KEY": IN_ENV}
    assert made.lock().code == 0
    return made


def hostile(mode: str) -> dict[str, Any]:
    return {"command": sys.executable, "args": [str(Path(__file__).parent / "hostile.py"), mode]}


@pytest.mark.promise("contracts:server-down")
@pytest.mark.parametrize("mode", ["crash", "hang", "endless-cursor", "not-json", "exit-at-once"])
def test_a_server_that_fails_is_exit_3_and_nothing_of_it_was_removed(mode: str, project: Project) -> None:
    project.servers["b"] = hostile(mode)
    project.offer("a", FIND)
    said = project.lock("--check", "--json", "--timeout", "3")
    assert said.code == 3
    assert {change["server"] for change in said.json["changes"]} == {"a"}
    assert [source_error["where"] for source_error in said.json["source_errors"]] == ["b"]
    assert "✗ b" in said.err


@pytest.mark.promise("contracts:server-down")
def test_nothing_is_written_or_accepted_of_a_server_that_is_down(project: Project) -> None:
    before = project.lock_file.read_bytes()
    project.servers["b"] = {"command": "no-such-command-here"}
    project.offer("a", FIND)
    for words in ([], ["--accept", "--reason", "x"], ["--accept", "b", "--reason", "x"]):
        said = project.lock(*words)
        assert said.code == 3
        assert "b could not be reached" in said.err
    assert project.lock_file.read_bytes() == before
    assert project.lock("--accept", "a.drop", "--reason", "x").code == 0


@pytest.mark.promise("contracts:server-down")
def test_all_servers_down_is_reported_as_json_too(project: Project) -> None:
    project.servers = {name: {"command": "no-such-command-here"} for name in ("a", "b")}
    said = project.lock("--check", "--json")
    assert (said.code, said.json["changes"], len(said.json["source_errors"])) == (3, [], 2)


def test_a_config_that_cannot_be_read_removes_no_server(project: Project) -> None:
    (project.folder / "broken.json").write_text('{"mcpServers": {"a"')
    project.servers = {}
    said = project.lock("broken.json", "--check", "--json")
    assert (said.code, said.json["changes"]) == (2, [])


def test_without_a_lock_a_check_ends_before_any_server_is_started(project: Project) -> None:
    project.lock_file.unlink()
    project.servers = {"a": hostile("hang")}
    said = project.lock("--check")
    assert (said.code, "no lock toolbooth.lock" in said.err) == (2, True)


DAMAGE = {
    "half": "is truncated or not JSON",
    "edited": "server a, tool find was edited by hand",
    "newer": "has lock format 3",
    "empty": "is empty",
    "foreign": "is not a lock",
}


@pytest.mark.promise("contracts:truncated")
@pytest.mark.parametrize("how", DAMAGE)
def test_a_damaged_lock_is_one_line_and_is_left_as_it_is(how: str, project: Project) -> None:
    text = project.lock_file.read_text()
    damaged = {
        "half": text[: len(text) // 2],
        "edited": text.replace("Finds rows.", "Finds cows.", 1),
        "newer": text.replace('"version": 1\n', '"version": 3\n'),
        "empty": "",
        "foreign": '"\\u001b[31m"',
    }[how]
    project.lock_file.write_text(damaged)
    for words in (["--check"], []):
        heard = project.lock(*words)
        assert (heard.code, heard.out, len(heard.err.splitlines())) == (2, "", 1)
        assert DAMAGE[how] in heard.err
    assert project.lock_file.read_text() == damaged


@pytest.mark.promise("contracts:no-secrets")
def test_no_secret_of_a_server_stands_in_its_lock_or_in_what_is_reported(project: Project) -> None:
    assert "Drops for •••." in project.lock_file.read_text()
    project.offer("a", FIND, {**DROP, "description": "Now for $API_KEY."})
    said = [project.lock("--check"), project.lock("--check", "--json")]
    project.servers["a"]["args"] = [str(project.folder / "none.py"), "--api-key", IN_ARGS]
    project.servers["b"] = {**hostile("leaks"), "env": {"TOK": IN_ENV}}
    said.append(project.typed("--check", PARENT_TOKEN=IN_PARENT))
    everything = project.lock_file.read_text() + "".join(each.out + each.err for each in said)
    assert "{+Now+} for •••." in everything
    assert not [canary for canary in CANARIES if canary in everything]


def test_another_secret_of_the_same_server_is_no_change(project: Project) -> None:
    project.servers["a"]["env"] = {"API_KEY": "another-key-99b1"}
    assert project.lock("--check").code == 0


def test_names_and_texts_of_servers_do_nothing_to_the_terminal(project: Project) -> None:
    project.offer("a", FIND, {"name": "x\x1b[2J\u202e", "description": "[/red]\x1b]0;title\x07"})
    said = project.lock("--check")
    assert said.code == 1
    assert not {"\x1b", "\u202e", "\x07"} & set(said.out + said.err)
