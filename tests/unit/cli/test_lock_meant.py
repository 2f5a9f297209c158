"""Which lock is meant: that of the configs' `contracts:`, unless the call says another."""

import json
import shlex
import shutil
from pathlib import Path

import pytest
from tests.behaviour.shell import Said
from tests.locking import Project

from toolbooth.cli.lock import run
from toolbooth.contracts.signing import new_key
from toolbooth.contracts.toolbooth_lock import read_lock

FIND = {"name": "find", "description": "Finds rows.", "inputSchema": {"type": "object", "properties": {}}}


class Team(Project):
    """Its config is a `toolbooth.yaml` in a folder of its own, and so is its lock."""

    def says(self, contracts: object, name: str = "toolbooth.yaml") -> Path:
        """JSON is YAML."""
        file = self.folder / "team" / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(json.dumps({"servers": self.servers, "contracts": contracts}))
        return file


@pytest.fixture
def team(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Team:
    made = Team(tmp_path, monkeypatch)
    made.offer("rows", FIND)
    return made


def lock(team: Team, *words: str) -> Said:
    """`mcp.json`, which `Project.lock` names first, has the same servers and no `contracts:`."""
    return team.lock("team/toolbooth.yaml", *words)


@pytest.mark.promise("lock:the-gateways")
def test_the_lock_of_the_config_is_written_and_checked_beside_it(team: Team) -> None:
    team.says({"lock": "other.lock"})
    said = lock(team)
    assert (said.code, said.out.startswith("team/other.lock is written: 1 server")) == (0, True), said
    assert not team.lock_file.exists()
    assert list(read_lock(team.folder / "team" / "other.lock").contracts.tools()) == ["rows.find"]
    assert lock(team, "--check").out.startswith("team/other.lock fits")
    assert lock(team, "--file", "own.lock").out.startswith("own.lock is written")


def test_a_lock_outside_the_current_folder_is_told_with_its_path(
    team: Team, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file, elsewhere = team.says("enforce"), team.folder / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    assert run([str(file), "--json"]) == 0
    written = file.parent / "toolbooth.lock"
    assert json.loads(capsys.readouterr().out)["verdict"].startswith(f"{written} is written")
    assert written.exists()
    assert list(elsewhere.iterdir()) == []
    assert run([str(file), "../team/toolbooth.yaml", "--check", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["lock"] == str(written)


@pytest.mark.promise("lock:the-gateways")
def test_the_key_of_the_config_is_demanded(team: Team) -> None:
    team.says("off")
    assert lock(team).code == 0
    for name in ("k.key", "other.key"):
        new_key(team.folder / "team" / name)
    team.says({"verify_key": "k.key.pub"})
    unsigned = lock(team, "--check")
    assert (unsigned.code, "is not signed, and a signature is required" in unsigned.err) == (2, True)
    wrong = lock(team, "--sign", "team/other.key")
    assert (wrong.code, "the config trusts the key" in wrong.err) == (2, True)
    assert lock(team, "--sign", "team/k.key").code == 0
    assert lock(team, "--check").code == 0
    typed = lock(team, "--check", "--verify-key", "team/other.key.pub")
    assert (typed.code, "is signed by the key" in typed.err) == (2, True)


def test_a_first_lock_is_not_written_unsigned_where_the_config_names_a_key(team: Team) -> None:
    new_key(team.folder / "k.key")
    team.says({"verify_key": "../k.key.pub"})
    said = lock(team)
    assert (said.code, said.out, len(said.err.splitlines())) == (2, "", 1)
    assert "give --sign KEY" in said.err
    assert not (team.folder / "team" / "toolbooth.lock").exists()


def test_configs_that_name_different_locks_are_one_line(team: Team) -> None:
    team.says({"lock": "one.lock"})
    team.says({"lock": "two.lock"}, "two.yaml")
    said = lock(team, "team/two.yaml")
    assert (said.code, said.out, len(said.err.splitlines())) == (2, "", 1)
    assert "the configs name different locks" in said.err
    assert lock(team, "team/two.yaml", "--file", "here.lock").code == 0
    team.says({"lock": "one.lock"}, "two.yaml")
    assert lock(team, "team/two.yaml").out.startswith("team/one.lock is written")


@pytest.mark.promise("lock:the-gateways")
def test_a_green_check_says_what_the_gateway_holds_back_and_how_to_accept_it(team: Team) -> None:
    team.says("enforce")
    assert lock(team).code == 0
    same = {"type": "object", "properties": {}, "additionalProperties": True}
    team.offer("rows", {**FIND, "inputSchema": same}, {"name": "it's new"})
    said = lock(team, "--check", "--fail-on", "breaking", "--json")
    assert (said.code, said.json["held_back"]) == (0, ["rows.find", "rows.it's new"])
    (line,) = (note for note in said.json["notes"] if "holds back" in note)
    command = line.partition("until accepted: toolbooth lock ")[2]
    assert run(shlex.split(command)) == 0
    assert lock(team, "--check", "--json").json["held_back"] == []
    team.offer("rows", FIND)
    team.says("warn")
    assert "holds back" not in lock(team, "--check").out
    team.says("enforce")
    assert "holds back rows.find until accepted" in lock(team, "--check").out
    shutil.copy(team.folder / "team" / "toolbooth.lock", "own.lock")
    own = lock(team, "--check", "--file", "own.lock")
    assert ("own.lock" in own.out, "holds back" in own.out) == (True, False)
