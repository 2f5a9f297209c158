"""The verb `lock`: what it writes, what it tells, and the exit codes, with a real server whose tools change."""

import json
import shlex
import shutil
from pathlib import Path
from typing import Any

import pytest
from tests.behaviour.command_line import CommandResult
from tests.lock_project import Project

from toolbooth.cli.lock.command import run
from toolbooth.contracts.signing import new_key
from toolbooth.contracts.toolbooth_lock import read_lock

FIND = {"name": "find", "description": "Finds rows.", "inputSchema": {"type": "object", "properties": {}}}
DROP = {"name": "drop", "description": "Drops a row.", "title": "Drop"}


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    made = Project(tmp_path, monkeypatch)
    made.offer("rows", FIND, DROP)
    return made


@pytest.fixture
def locked(project: Project) -> Project:
    assert project.lock().code == 0
    return project


@pytest.mark.promise("lock:writes")
def test_a_first_lock_is_written_and_the_same_servers_give_the_same_bytes(project: Project) -> None:
    said = project.lock()
    assert (said.code, said.err) == (0, "")
    assert said.out.startswith("toolbooth.lock is written: 1 server, 2 tools, ")
    before = project.lock_file.read_bytes()
    assert project.lock("--check").out.startswith("toolbooth.lock matches: 1 server, 2 tools, ")
    assert project.lock().code == 0
    assert project.lock_file.read_bytes() == before
    project.lock_file.unlink()
    project.offer("rows", DROP, FIND)
    assert project.lock().code == 0
    assert project.lock_file.read_bytes() == before


@pytest.mark.promise("lock:check")
def test_a_check_tells_changes_by_severity_and_writes_nothing(locked: Project) -> None:
    before = locked.lock_file.read_bytes()
    locked.offer("rows", {**FIND, "description": "Finds rows and mails them."})
    said = locked.lock("--check")
    assert said.code == 1
    assert said.out.index("BREAKING") < said.out.index("RISKY")
    assert "rows.drop" in said.out
    assert "Finds [-rows.-] {+rows and mails them.+}" in said.out
    assert "--accept" in said.out
    assert locked.lock_file.read_bytes() == before


@pytest.mark.promise("lock:check")
@pytest.mark.parametrize(
    ("tools", "fail_on", "code"),
    [
        ([FIND, {**DROP, "title": "Drop it"}], "risky", 0),
        ([FIND, {**DROP, "title": "Drop it"}], "cosmetic", 1),
        ([FIND, {**DROP, "description": "Drops all rows."}], "risky", 1),
        ([FIND, {**DROP, "description": "Drops all rows."}], "breaking", 0),
        ([FIND], "breaking", 1),
    ],
)
def test_the_exit_code_of_a_check_goes_by_fail_on(
    locked: Project, tools: list[dict[str, Any]], fail_on: str, code: int
) -> None:
    locked.offer("rows", *tools)
    said = locked.lock("--check", "--fail-on", fail_on, "--json")
    assert said.code == code
    assert said.json["exit_code"] == code
    assert said.json["changes"]


@pytest.mark.promise("lock:check")
def test_json_tells_what_the_terminal_tells(locked: Project) -> None:
    locked.offer("rows", FIND)
    said = locked.lock("--check", "--json")
    (change,) = said.json["changes"]
    assert (change["server"], change["tool"], change["severity"]) == ("rows", "drop", "breaking")
    assert said.json["worst"] == "breaking"
    assert said.json["counts"] == {"breaking": 1, "risky": 0, "safe": 0, "cosmetic": 0}


@pytest.mark.promise("lock:accept")
def test_a_changed_lock_is_left_alone_until_the_change_is_accepted(locked: Project) -> None:
    locked.offer("rows", FIND, DROP, {"name": "add"})
    before = locked.lock_file.read_bytes()
    assert locked.lock().code == 1
    assert locked.lock_file.read_bytes() == before
    assert locked.lock("--accept", "--reason", "reviewed 2.0").code == 0
    (accepted,) = read_lock(locked.lock_file).accepted
    assert (accepted.what, accepted.reason) == ("rows.add", "reviewed 2.0")
    assert locked.lock("--check").code == 0


@pytest.mark.promise("lock:accept")
def test_only_the_named_tools_are_accepted(locked: Project) -> None:
    locked.offer("rows", {**FIND, "description": "Finds."}, {**DROP, "description": "Drops."})
    assert locked.lock("--accept", "rows.find", "--reason", "shorter").code == 0
    said = locked.lock("--check", "--json")
    assert said.code == 1
    assert {change["tool"] for change in said.json["changes"]} == {"drop"}


def test_where_nothing_changed_there_is_nothing_to_accept(locked: Project) -> None:
    before = locked.lock_file.read_bytes()
    said = locked.lock("--accept", "--reason", "x")
    assert (said.code, "nothing to accept" in said.out) == (0, True)
    assert locked.lock_file.read_bytes() == before


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--accept"], "--accept needs a reason"),
        (["--accept", "--reason", "  "], "--accept needs a reason"),
        (["--accept", "rows.fnd", "--reason", "x"], "did you mean rows.find?"),
        (["--accept", "mcp.json", "--reason", "x"], "write configs before --accept"),
        (["--reason", "x"], "--reason needs --accept"),
        (["--check", "--accept", "--reason", "x"], "--check writes nothing"),
        (["--fail-on", "safe"], "--fail-on needs --check"),
        (["--budget", "lots"], "is not a budget"),
        (["--encoding", "o200k_base"], "counts tokens in cl100k_base"),
        (["--sign", "no.key"], "there is no such file"),
        (["--check", "--require-signature"], "--require-signature needs a public key; use"),
    ],
)
def test_a_call_that_cannot_be_meant_is_one_line(locked: Project, words: list[str], said: str) -> None:
    heard = locked.lock(*words)
    assert (heard.code, heard.out, len(heard.err.splitlines())) == (2, "", 1)
    assert said in heard.err


@pytest.mark.promise("lock:budgets")
def test_budgets_are_kept_in_the_lock_and_checked(project: Project) -> None:
    said = project.lock("--budget", "total=1")
    assert (said.code, "over budget" in said.out) == (1, True)
    assert not project.lock_file.exists()
    assert project.lock("--budget", "total=60", "--budget", "growth=500").code == 0
    project.offer("rows", FIND, {**DROP, "description": "Drops a row of any table that you name. " * 10})
    said = project.lock("--accept", "--reason", "longer", "--json")
    assert (said.code, said.json["exit_code"]) == (0, 0)
    assert said.json["notes"][0].startswith("still over budget: all definitions take ")
    again = project.lock("--accept", "--reason", "longer")
    assert ("nothing to accept" in again.out, "still over budget" in again.out) == (True, True)
    said = project.lock("--check", "--json")
    assert said.code == 1
    assert [change["severity"] for change in said.json["changes"]] == ["risky"]
    assert project.lock("--budget", "total=off").code == 0
    assert project.lock("--check").code == 0


def test_a_schema_in_another_notation_is_said_and_has_to_be_accepted(locked: Project) -> None:
    """Approval is by digest: what only looks different is no change, but not the locked thing either."""
    schema = {"type": "object", "properties": {}, "additionalProperties": True}
    locked.offer("rows", {**FIND, "inputSchema": schema}, DROP)
    said = locked.lock("--check", "--json")
    assert (said.code, said.json["changes"], said.json["notation_only"]) == (0, [], ["rows.find"])
    assert locked.lock().code == 1
    assert locked.lock("--accept", "--reason", "the same").code == 0
    assert locked.lock().code == 0


def test_a_saved_catalog_can_be_locked_and_it_is_said_what_is_not_known(project: Project) -> None:
    (project.folder / "saved.json").write_text('{"tools": [{"name": "look"}]}')
    project.servers = {}
    said = project.lock("saved.json")
    assert said.code == 0
    assert "saved is a saved catalog, which has no prompts and resources" in said.out
    assert list(read_lock(project.lock_file).contracts.tools()) == ["saved.look"]


def test_what_a_saved_catalog_cannot_know_is_as_it_was_locked(project: Project) -> None:
    project.offer("rows", FIND, DROP, prompts=[{"name": "ask"}], resources=[{"uri": "a://b", "name": "r"}],
                  instructions="Ask first.")  # fmt: skip
    assert project.lock().code == 0
    written = project.lock_file.read_bytes()
    saved = project.folder / "saved" / "rows.json"
    saved.parent.mkdir()
    saved.write_text(json.dumps({"tools": [FIND, DROP]}))
    project.servers = {}
    for words in (("--check", "--fail-on", "cosmetic"), (), ("--accept", "--reason", "none")):
        said = project.lock(str(saved), *words)
        assert (said.code, "matches" in said.out) == (0, True), said
    assert project.lock_file.read_bytes() == written
    saved.write_text(json.dumps({"tools": [FIND]}))
    said = project.lock(str(saved), "--check")
    assert (said.code, "1 breaking" in said.out, "prompt-removed" in said.out) == (1, True, False)
    assert project.lock(str(saved), "--accept", "rows.drop", "--reason", "gone").code == 0
    server = read_lock(project.lock_file).contracts.servers["rows"]
    assert (list(server.tools), len(server.prompts), server.instructions) == (["find"], 1, "Ask first.")


def test_a_second_server_of_one_name_is_renamed_and_said(project: Project) -> None:
    project.offer("two", FIND)
    other = {"mcpServers": {"rows": project.servers.pop("two")}}
    (project.folder / "other.json").write_text(json.dumps(other))
    said = project.lock("other.json")
    assert "called rows-2 here" in said.out
    assert list(read_lock(project.lock_file).contracts.servers) == ["rows", "rows-2"]


def test_the_servers_behind_a_wrapped_config_are_meant(project: Project, tmp_path: Path) -> None:
    kept = tmp_path / "wrapped" / "x" / "mcp.json"
    kept.parent.mkdir(parents=True)
    project.lock()
    kept.write_text((project.folder / "mcp.json").read_text())
    project.lock_file.unlink()
    project.servers = {"toolbooth": {"command": "toolbooth", "args": ["serve", "--config", str(kept)]}}
    said = project.lock()
    assert said.code == 0
    assert "the servers behind it are read instead" in said.out
    assert list(read_lock(project.lock_file).contracts.servers) == ["rows"]


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


def lock(team: Team, *words: str) -> CommandResult:
    """`mcp.json`, which `Project.lock` names first, has the same servers and no `contracts:`."""
    return team.lock("team/toolbooth.yaml", *words)


@pytest.mark.promise("lock:the-gateways")
def test_the_lock_of_the_config_is_written_and_checked_beside_it(team: Team) -> None:
    team.says({"lock": "other.lock"})
    said = lock(team)
    assert (said.code, said.out.startswith("team/other.lock is written: 1 server")) == (0, True), said
    assert not team.lock_file.exists()
    assert list(read_lock(team.folder / "team" / "other.lock").contracts.tools()) == ["rows.find"]
    assert lock(team, "--check").out.startswith("team/other.lock matches")
    assert lock(team, "--file", "own.lock").out.startswith("own.lock is written")


def test_a_lock_outside_the_current_folder_is_reported_with_its_path(
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
    assert "add --sign KEY" in said.err
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
