"""What `toolbooth lock` promises to a team, typed as a user types it."""

import stat
import sys
from pathlib import Path

import pytest

from tests.behaviour.command_line import at_a_terminal, toolbooth
from tests.lock_project import CHANGING_SERVER, Project
from toolbooth.contracts.toolbooth_lock import read_lock
from toolbooth.demo import demo_command

FIND = {"name": "find", "description": "Finds rows."}
DROP = {"name": "drop", "description": "Drops a row."}


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    made = Project(tmp_path, monkeypatch)
    made.offer("rows", FIND, DROP)
    return made


@pytest.mark.promise("lock:writes")
def test_the_demo_servers_are_locked_whole(project: Project) -> None:
    for name in ("notes", "weather"):
        command = demo_command(name)
        project.servers[name] = {"command": command[0], "args": list(command[1:])}
    said = project.typed()
    assert (said.code, said.err) == (0, "")
    contracts = read_lock(project.lock_file).contracts
    assert set(contracts.servers) == {"notes", "rows", "weather"}
    assert all(tool.tokens > 0 for tool in contracts.tools().values())
    assert project.typed("--check").code == 0


@pytest.mark.promise("lock:check")
def test_a_change_fails_the_check_and_is_accepted(project: Project) -> None:
    assert project.typed().code == 0
    project.offer("rows", FIND)
    said = project.typed("--check")
    assert (said.code, said.err) == (1, "")
    assert "\x1b" not in said.out
    assert project.typed("--accept", "--reason", "not needed").code == 0
    assert project.typed("--check", "--json").json["exit_code"] == 0


def test_at_a_terminal_severities_have_colours(project: Project) -> None:
    assert project.lock().code == 0
    project.offer("rows", FIND)
    words = ("lock", "mcp.json", "--check")
    screen = at_a_terminal(*words, typed="", home=project.folder, cwd=project.folder)
    assert "\x1b[1;31mBREAKING" in screen


@pytest.mark.promise("contracts:signed")
def test_a_lock_is_signed_checked_and_refused(project: Project) -> None:
    for name in ("lock.key", "other"):
        made = toolbooth("lock", "--new-key", name, home=project.folder)
        assert made.code == 0
        assert "PRIVATE" not in made.out
    key, public = project.folder / "lock.key", (project.folder / "lock.key.pub").read_text()
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    assert project.lock().code == 0
    unsigned = project.lock("--check", "--verify-key", "lock.key.pub")
    assert (unsigned.code, "is not signed, and a signature is required" in unsigned.err) == (2, True)
    assert project.typed("--sign", "env:LOCK_KEY", LOCK_KEY=key.read_text()).code == 0
    assert project.lock("--check", "--verify-key", "lock.key.pub").code == 0
    assert project.typed("--check", "--require-signature", TOOLBOOTH_VERIFY_KEY=public).code == 0
    other = project.lock("--check", "--verify-key", "other.pub")
    assert (other.code, "is signed by the key" in other.err) == (2, True)
    project.offer("rows", FIND)
    assert "is signed; add --sign KEY" in project.lock("--accept", "--reason", "x").err
    assert project.lock("--accept", "--reason", "x", "--sign", "lock.key").code == 0
    assert project.lock("--check", "--verify-key", "lock.key.pub").code == 0


def test_one_command_is_locked_into_a_file_of_its_own(project: Project) -> None:
    words = ["--file", "one.lock", "--", sys.executable, CHANGING_SERVER, str(project.folder / "rows.json")]
    assert toolbooth("lock", *words, home=project.folder).code == 0
    assert list(read_lock(project.folder / "one.lock").contracts.servers) == ["changing_server"]
    assert toolbooth("lock", "--check", *words, home=project.folder).code == 0
