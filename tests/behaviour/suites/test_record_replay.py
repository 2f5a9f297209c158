"""Recordings: written once, replayed without servers, the same twice, and refused where they do not fit any more."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.behaviour.command_line import toolbooth
from tests.behaviour.gateway_process import until
from tests.behaviour.suites.suite_files import (
    FILED,
    SCRIPT,
    TICKETS,
    a_test,
    echo_server,
    recorded,
    write_suite,
)


@pytest.mark.promise("suite:record-replay")
def test_what_was_recorded_is_scored_with_no_server_at_all(tmp_path: Path) -> None:
    write_suite(tmp_path, a_test(surface=["direct", "search"], runs=2))
    said = toolbooth("test", "--record", home=tmp_path)
    assert (said.code, said.err) == (0, "recorded 4 runs in cassettes/one\n")
    names = [path.name for path in recorded(tmp_path) if "catalogs" not in path.parts]
    assert len(names) == 4
    nowhere = {"command": "no-such-command-anywhere"}
    write_suite(tmp_path, a_test(surface=["direct", "search"], runs=2), servers={"tickets": nowhere})
    replayed = toolbooth("test", "--offline", "--json", home=tmp_path)
    assert replayed.code == 0
    assert [cell["source"] for cell in replayed.json["cells"]] == ["replayed", "replayed"]
    assert all(cell["tools"] == {"tickets.create_ticket": 2} for cell in replayed.json["cells"])


@pytest.mark.promise("suite:record-replay")
def test_catalogs_are_kept_once_by_their_content(tmp_path: Path) -> None:
    write_suite(tmp_path, a_test("one", runs=3), a_test("two", runs=3))
    assert toolbooth("test", "--record", home=tmp_path).code == 0
    kept = [path for path in recorded(tmp_path) if path.parent.name == "catalogs"]
    assert len(kept) == 2  # the menu that the model saw, and the catalog behind it


@pytest.mark.promise("suite:byte-stable")
@pytest.mark.parametrize("form", ["terminal", "json", "junit", "markdown", "github", "tap", "html", "agent"])
def test_a_replay_gives_the_same_report_twice(tmp_path: Path, form: str) -> None:
    classes = [FILED, {"name": "b", "members": ["x.y"]}]
    gate = {"classes": classes, "expect": [{"tool_selection.f1": {">=": 90}}]}
    failing = a_test("wants more", equal_function_sets=gate)
    write_suite(tmp_path, a_test(), failing)
    assert toolbooth("test", "--record", home=tmp_path).code == 1
    first = toolbooth("test", "--offline", "--format", form, home=tmp_path)
    second = toolbooth("test", "--offline", "--format", form, "--seed", "0", home=tmp_path)
    assert first.code == 1
    assert first.out == second.out
    assert "wants more" in first.out


@pytest.mark.promise("suite:page")
def test_the_page_of_a_replay_tells_what_was_asked_called_and_said_and_when_it_was_recorded(
    tmp_path: Path,
) -> None:
    write_suite(tmp_path, a_test(surface="search", runs=2))
    said = toolbooth("test", "--record", "--save", "run.json", home=tmp_path)
    assert said.code == 0
    assert "recorded 2 runs in cassettes/one" in said.err
    (first, *_) = (path for path in recorded(tmp_path) if ".run-01-" in path.name)
    made_at = json.loads(first.read_text())["made_at"]
    page = toolbooth("test", "--offline", "--format", "html", home=tmp_path).out
    moment = made_at.replace("T", " ").replace("Z", " UTC")
    for part in (
        a_test()["prompt"],
        "Blank page",
        "I opened LF-251.",
        "tickets.create_ticket",
        moment,
        "run 2",
    ):
        assert part in page
    again = toolbooth("report", "run.json", "--format", "html", home=tmp_path).out
    assert again.replace("recorded", "replayed") == page


@pytest.mark.promise("suite:drift")
@pytest.mark.parametrize(
    ("changed", "reported"),
    [
        ({"prompt": "The login page is green. Open a ticket."}, "the prompt changed at character 19"),
        ({"model": "lexical"}, "the model changed: scripted → lexical"),
        ({"system_prompt": "Be brief."}, "the system prompt changed"),
        ({"script": SCRIPT[:1]}, "the script changed"),
        ({"runs": 1}, None),
        ({"temperature": 1}, "temperature changed: not set → 1"),
        ({"instructions": False}, "instructions changed: True → False"),
        ({"script": [{"call": "tickets.list_labels"}]}, "the script changed"),
    ],
)
def test_what_changed_is_refused_and_named(
    tmp_path: Path, changed: dict[str, Any], reported: str | None
) -> None:
    write_suite(tmp_path, a_test())
    assert toolbooth("test", "--record", home=tmp_path).code == 0
    write_suite(tmp_path, a_test(**changed))
    said = toolbooth("test", "--offline", "--format", "agent", home=tmp_path)
    if reported is None:
        assert said.code == 0
        return
    assert said.code == 5
    assert reported in said.out
    assert "--record" in said.out
    allowed = toolbooth("test", "--offline", "--allow-drift", home=tmp_path)
    assert allowed.code == 0
    assert "scored despite drift" in allowed.out


@pytest.mark.promise("suite:drift")
def test_a_catalog_that_changed_is_seen_where_its_server_is_local(tmp_path: Path) -> None:
    test = a_test(
        script=[{"call": "echo.echo"}], equal_function_sets={"classes": [{"name": "e", "members": ["echo"]}]}
    )
    write_suite(tmp_path, test, servers={"echo": echo_server(tmp_path)})
    assert toolbooth("test", "--record", home=tmp_path).code == 0
    assert toolbooth("test", home=tmp_path).code == 0
    server = tmp_path / "echo_server.py"
    server.write_text(server.read_text().replace('"hang")', '"hang", "brand_new")'), encoding="utf-8")
    said = toolbooth("test", home=tmp_path)
    assert said.code == 5
    assert "tools added: echo.brand_new" in " ".join(said.out.split())
    assert toolbooth("test", "--offline", home=tmp_path).code == 0


@pytest.mark.promise("suite:drift")
@pytest.mark.parametrize("changed", [{"count": 30}, {"seed": 9}])
def test_other_look_alikes_are_drift(tmp_path: Path, changed: dict[str, int]) -> None:
    gate = {"count": 20, "seed": 8, "classes": [FILED]}
    write_suite(tmp_path, a_test(equal_function_sets=None, distractors=gate))
    assert toolbooth("test", "--record", home=tmp_path).code == 0
    write_suite(tmp_path, a_test(equal_function_sets=None, distractors={**gate, **changed}))
    said = toolbooth("test", "--offline", home=tmp_path)
    assert said.code == 5
    assert "distractors changed" in said.out


@pytest.mark.promise("suite:drift")
@pytest.mark.parametrize(("then", "now"), [({}, {"DB_PASSWORD": "blank"}), ({"DB_PASSWORD": "blank"}, {})])
def test_secrets_of_the_machine_make_no_drift(
    tmp_path: Path, then: dict[str, Any], now: dict[str, Any]
) -> None:
    script = [{"call": "tickets.create_ticket", "args": {"title": "a blank page"}}, {"say": "it was blank"}]
    write_suite(tmp_path, a_test(script=script))
    assert toolbooth("test", "--record", home=tmp_path, **then).code == 0
    assert toolbooth("test", home=tmp_path, **now).code == 0


@pytest.mark.promise("suite:drift")
def test_a_changed_catalog_is_seen_by_its_hash_where_no_copy_was_kept(tmp_path: Path) -> None:
    gate = {"classes": [{"name": "e", "members": ["echo"]}]}
    test = a_test(script=[{"call": "echo.echo"}], equal_function_sets=gate)
    write_suite(tmp_path, test, servers={"echo": echo_server(tmp_path)})
    assert toolbooth("test", "--record", home=tmp_path).code == 0
    for path in recorded(tmp_path):
        if path.parent.name == "catalogs":
            path.unlink()
    assert toolbooth("test", home=tmp_path).code == 0
    server = tmp_path / "echo_server.py"
    server.write_text(server.read_text().replace('"hang")', '"hang", "brand_new")'), encoding="utf-8")
    assert toolbooth("test", home=tmp_path).code == 5


def test_suites_that_share_a_folder_keep_their_recordings_apart(tmp_path: Path) -> None:
    for name in ("a", "b"):
        write_suite(tmp_path, a_test(prompt=f"prompt of {name}"), name=name)
    assert toolbooth("test", "--record", "--cassettes", "kept", home=tmp_path).code == 0
    assert toolbooth("test", "--offline", "--cassettes", "kept", home=tmp_path).code == 0
    assert sorted(path.name for path in (tmp_path / "kept").iterdir()) == ["a", "b"]


def test_a_suites_servers_start_in_its_folder_wherever_the_command_is_typed(tmp_path: Path) -> None:
    folder = tmp_path / "deep"
    folder.mkdir()
    echo_server(folder)
    server = {"command": "${TOOLBOOTH_PYTHON}", "args": ["echo_server.py"]}
    test = a_test(
        script=[{"call": "echo.echo"}], equal_function_sets={"classes": [{"name": "e", "members": ["echo"]}]}
    )
    write_suite(folder, test, servers={"echo": server})
    assert toolbooth("test", "deep", "--live", home=tmp_path).code == 0


@pytest.mark.promise("suite:drift")
def test_a_server_that_cannot_be_looked_at_is_said_and_the_recording_is_scored(tmp_path: Path) -> None:
    write_suite(tmp_path)
    assert toolbooth("test", "--record", home=tmp_path).code == 0
    write_suite(tmp_path, servers={"tickets": {"command": "no-such-command-anywhere"}})
    said = toolbooth("test", home=tmp_path)
    assert said.code == 0
    assert "a catalog could not be checked for changes" in said.out


@pytest.mark.promise("suite:bad-cassettes")
@pytest.mark.parametrize(
    ("spoil", "reported"),
    [
        (lambda path: path.unlink(), "--record"),
        (lambda path: path.write_bytes(path.read_bytes()[:-200]), "cut off or damaged"),
        (lambda path: path.write_text('{"hello": 1}'), "not a recording of toolbooth"),
    ],
    ids=["missing", "truncated", "foreign"],
)
def test_a_recording_that_cannot_be_read_is_one_line_and_nothing_runs(
    tmp_path: Path, spoil: object, reported: str
) -> None:
    write_suite(tmp_path, a_test(runs=2))
    assert toolbooth("test", "--record", home=tmp_path).code == 0
    first = next(path for path in recorded(tmp_path) if "run-01" in path.name)
    spoil(first)  # type: ignore[operator]
    said = toolbooth("test", home=tmp_path)
    assert (said.code, said.out) == (2, "")
    assert reported in said.err
    assert len(said.err.splitlines()) == 1
    assert (
        toolbooth("test", "--record", "missing" if reported == "--record" else "all", home=tmp_path).code == 0
    )
    assert toolbooth("test", "--offline", home=tmp_path).code == 0


def test_a_recording_without_its_catalog_skips_what_needs_it_and_says_why(tmp_path: Path) -> None:
    gate = {"classes": [FILED], "expect": [{"token_efficiency.tokens_per_correct": {"<=": 1}}]}
    write_suite(tmp_path, a_test(equal_function_sets=None, token_efficiency=gate))
    assert toolbooth("test", "--record", home=tmp_path).code == 1
    for path in recorded(tmp_path):
        if path.parent.name == "catalogs":
            path.unlink()
    said = toolbooth("test", "--offline", home=tmp_path)
    assert said.code == 0
    assert "the recording has no catalog beside it" in said.out


@pytest.mark.promise("suite:interrupt")
def test_ctrl_c_keeps_what_is_done_and_leaves_no_orphans(tmp_path: Path) -> None:
    hangs = a_test("hangs", script=[{"call": "echo.hang"}])
    pids = tmp_path / "pids"
    echo = echo_server(tmp_path, ECHO_PIDS=str(pids))
    server = tmp_path / "echo_server.py"
    note = "open(os.environ['ECHO_PIDS'], 'a').write(f'{os.getpid()}\\n')\n"
    server.write_text(server.read_text().replace("def say", f"{note}def say", 1), encoding="utf-8")
    write_suite(tmp_path, a_test(), hangs, servers={"tickets": TICKETS, "echo": echo})
    command = [sys.executable, "-m", "toolbooth", "test", "--record", "--save", "run.json"]
    env = {"HOME": str(tmp_path), "PATH": os.environ["PATH"], "PYTHONUTF8": "1"}
    process = subprocess.Popen(command, cwd=tmp_path, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    until(
        lambda: any("files-a-ticket" in path.name for path in recorded(tmp_path)),
        "the first test's recording",
    )
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=240)
    assert process.returncode == 130
    run = json.loads((tmp_path / "run.json").read_text())
    assert run["partial"] is True
    assert {cell["test"]: cell["status"] for cell in run["cells"]} == {
        "files a ticket": "passed",
        "hangs": "not run",
    }
    for pid in map(int, pids.read_text().split()):
        until(lambda pid=pid: not Path(f"/proc/{pid}").exists(), f"the end of server {pid}")  # type: ignore[misc]
