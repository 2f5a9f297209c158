"""The pytest plugin in pytest runs of its own: suites as tests, and fixtures on real servers."""

import json
import os
import re
import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.behaviour.suites.suite_files import a_test, echo_server, write_suite
from tests.documents import fenced, guide
from tests.provider_formats import Says
from tests.provider_server import provider_server
from toolbooth.demo import demo_command

# An installation that is older than the plugin does not name it yet.
INSTALLED = "toolbooth" in entry_points(group="pytest11").names
PLUGIN = () if INSTALLED else ("-p", "toolbooth.suite.pytest_plugin")
SERVERS = """\
servers:
  tickets: {command: "${TOOLBOOTH_PYTHON}", args: [-m, toolbooth.demo, tickets]}
"""
CREATE = "equal_function_sets: {classes: [{name: create, members: [tickets.create_ticket]}]}"
SUITE = f"""\
{SERVERS}tests:
  - name: opens a ticket
    prompt: Create a ticket for the broken login.
    model: lexical
    surface: [direct, search]
    {CREATE}
  - name: only looks
    prompt: Create a ticket.
    model: scripted
    script: [tickets.list_tickets]
    {CREATE}
"""
IN_TESTS = f"""\
from toolbooth.suite import score_selection

SERVERS = {{"tickets": {{"command": {demo_command("tickets")!r}}}}}
"""


class Said(NamedTuple):
    code: int
    out: str

    def counted(self, word: str) -> int:
        found = re.search(rf"(\d+) {word}", self.out.splitlines()[-1])
        return int(found[1]) if found else 0


def run_pytest(folder: Path, *words: str, **environ: str) -> Said:
    """As a user does, with every warning an error; nothing of this project's own settings is seen."""
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *PLUGIN, "-p", "no:cacheprovider", "-W", "error", *words],
        capture_output=True,
        text=True,
        encoding="utf-8",
        cwd=folder,
        env={"PATH": os.environ["PATH"], "HOME": str(folder), "PYTHONUTF8": "1", "COLUMNS": "200", **environ},
        timeout=300,
        check=False,
    )
    return Said(done.returncode, done.stdout + done.stderr)


def demo_servers_of(folder: Path) -> list[str]:
    """Demo servers that were started below this folder and still run."""
    left = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            words, cwd = (process / "cmdline").read_bytes(), (process / "cwd").readlink()
        except OSError:
            continue
        if b"toolbooth.demo" in words and cwd.is_relative_to(folder):
            left.append(process.name)
    return left


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "pytest.ini").write_text("[pytest]\naddopts = -q --strict-markers --strict-config\n")
    return tmp_path


@pytest.mark.promise("pytest:suites")
def test_each_cell_of_a_suite_is_a_test(folder: Path) -> None:
    (folder / "agents.toolbooth.yaml").write_text(SUITE)
    said = run_pytest(folder, "-vv")
    assert (said.code, said.counted("passed"), said.counted("failed")) == (1, 2, 1)
    assert "agents.toolbooth.yaml::opens a ticket[lexical-direct] PASSED" in said.out
    assert "agents.toolbooth.yaml::opens a ticket[lexical-search] PASSED" in said.out
    assert "agents.toolbooth.yaml::only looks[scripted-direct] FAILED" in said.out
    assert not demo_servers_of(folder)


def test_the_fixtures_of_the_guide_work_as_they_stand_there(folder: Path) -> None:
    (block,) = fenced("py", guide("suites"))
    (folder / "test_mine.py").write_text(block, encoding="utf-8")
    command, *args = demo_command("tickets")
    config = {"mcpServers": {"tickets": {"command": command, "args": args}}}
    (folder / "mcp.json").write_text(json.dumps(config), encoding="utf-8")
    said = run_pytest(folder)
    assert (said.code, said.counted("passed")) == (0, 2), said.out


@pytest.mark.promise("pytest:clean-failures")
def test_a_failing_fixture_prints_nothing_of_the_environment(folder: Path) -> None:
    (folder / "test_mine.py").write_text(
        "def test_surface(toolbooth_gateway):\n"
        "    toolbooth_gateway({'a': {'command': 'no-such-command'}}, surface='nonsense')\n"
        "def test_server(toolbooth_agent):\n"
        "    assert toolbooth_agent({'a': {'command': 'no-such-command'}}, calls=['x']).calls\n"
    )
    said = run_pytest(folder, "-vv", "--showlocals", AAA_TOKEN="canary-in-the-environment")
    assert said.counted("failed") == 2
    assert "no-such-command" in said.out
    assert "canary-in-the-environment" not in said.out


@pytest.mark.promise("pytest:clean-failures")
def test_a_failure_is_words_and_no_traceback(folder: Path) -> None:
    (folder / "agents.toolbooth.yaml").write_text(SUITE)
    said = run_pytest(folder, "-k", "looks")
    assert "agents.toolbooth.yaml:9: only looks [scripted · direct] failed\n" in said.out
    assert "  tool_selection.f1: wanted >= 50, found 0\n" in said.out
    assert "  missed: create\n  unexpected: tickets.list_tickets\n" in said.out
    assert "Traceback" not in said.out
    assert "Error" not in said.out


@pytest.mark.promise("pytest:clean-failures")
def test_a_mistake_in_a_suite_is_one_line(folder: Path) -> None:
    path = folder / "bad.toolbooth.yaml"
    path.write_text("tests:\n  - {name: a, promt: x}\n")
    said = run_pytest(folder)
    assert said.code == 2
    assert f"{path}:2:15: unknown key 'promt' in tests[0]; did you mean 'prompt'?\n" in said.out
    assert "Traceback" not in said.out


@pytest.mark.promise("pytest:clean-failures")
def test_a_missing_recording_and_a_missing_key_are_words(folder: Path) -> None:
    text = f"{SERVERS}tests: [{{name: asks, prompt: Hello., model: claude-sonnet-4-5, no_calls: true}}]\n"
    (folder / "a.toolbooth.yaml").write_text(text)
    replayed, live = run_pytest(folder), run_pytest(folder, "--toolbooth-live")
    assert "there is no recording for claude-sonnet-4-5 on direct" in replayed.out
    assert "ANTHROPIC_API_KEY" in live.out
    for said in (replayed, live):
        assert (said.code, said.counted("failed")) == (1, 1)
        assert "Traceback" not in said.out


@pytest.mark.promise("pytest:record")
def test_what_is_recorded_is_replayed_and_drift_is_refused_unless_allowed(folder: Path) -> None:
    path = folder / "agents.toolbooth.yaml"
    path.write_text(SUITE)
    words = ("-k", "opens and direct")
    assert run_pytest(folder, *words, "--toolbooth-record").code == 0
    assert list((folder / "cassettes" / "agents").rglob("*.json"))
    assert run_pytest(folder, *words).code == 0
    path.write_text(
        SUITE.replace("Create a ticket for the broken login.", "Create a ticket for the printer.")
    )
    refused = run_pytest(folder, *words)
    assert refused.code == 1
    assert "was refused\n  the recording no longer matches the suite: " in refused.out
    assert "Traceback" not in refused.out
    allowed = run_pytest(folder, *words, "--toolbooth-allow-drift", "-rP")
    assert allowed.code == 0
    assert "scored despite drift" in allowed.out


@pytest.mark.promise("pytest:shared")
def test_a_server_is_listed_once_however_many_cells_are_replayed(folder: Path) -> None:
    server = echo_server(folder)
    script = folder / "echo_server.py"
    starts = folder / "starts.txt"
    script.write_text(f"open({str(starts)!r}, 'a').write('started\\n')\n{script.read_text()}")
    steps = {
        "script": ["echo.echo"],
        "equal_function_sets": {"classes": [{"name": "e", "members": ["echo.echo"]}]},
    }
    tests = [a_test(f"t{number}", surface=["direct", "search"], **steps) for number in range(3)]
    for name in ("one", "two"):
        write_suite(folder, *tests, servers={"echo": server}, name=name)
    assert run_pytest(folder, "--toolbooth-record").counted("passed") == 12
    assert starts.read_text().count("started") == 12
    starts.unlink()
    said = run_pytest(folder)
    assert (said.code, said.counted("passed")) == (0, 12), said.out
    assert starts.read_text().count("started") == 1


@pytest.mark.promise("suite:budget")
def test_the_budget_of_a_suite_holds_over_all_its_items(folder: Path) -> None:
    priced = {"model": "claude-sonnet-4-5", "script": None, "max_tokens": 1000, "no_calls": True}
    tests = [a_test(f"t{number}", equal_function_sets=None, **priced) for number in range(4)]
    write_suite(folder, *tests, budget=0.06)
    with provider_server([Says("no call", input=3000, output=900)] * 8) as server:
        keys = {"ANTHROPIC_BASE_URL": server.url, "ANTHROPIC_API_KEY": "sk-ant-not-a-real-key"}
        said = run_pytest(folder, "--toolbooth-live", **keys)
        assert 0 < len(server.requests) < 4
    assert (said.code, said.counted("passed")) == (1, len(server.requests))
    assert "was refused\n  run 1: the next model call could cost" in said.out
    assert "Traceback" not in said.out


def test_a_server_that_does_not_come_up_is_words(folder: Path) -> None:
    text = SUITE.replace('"${TOOLBOOTH_PYTHON}"', "no-such-command-here")
    (folder / "a.toolbooth.yaml").write_text(text)
    said = run_pytest(folder, "-k", "looks")
    assert "ended in an error" in said.out
    assert "no-such-command-here" in said.out
    assert "Traceback" not in said.out


def test_suites_are_left_alone_where_the_project_says_so(folder: Path) -> None:
    (folder / "a.toolbooth.yaml").write_text(SUITE)
    (folder / "pytest.ini").write_text("[pytest]\ntoolbooth_collect = false\n")
    assert run_pytest(folder).code == 5


def test_cells_are_chosen_by_their_mark(folder: Path) -> None:
    (folder / "a.toolbooth.yaml").write_text(SUITE)
    (folder / "test_plain.py").write_text("def test_plain(): pass\n")
    said = run_pytest(folder, "-m", "not toolbooth")
    assert (said.code, said.counted("passed"), said.counted("deselected")) == (0, 1, 3)


def test_live_and_record_exclude_each_other(folder: Path) -> None:
    said = run_pytest(folder, "--toolbooth-live", "--toolbooth-record")
    assert said.code == 4
    assert "choose one of --toolbooth-live and --toolbooth-record" in said.out


@pytest.mark.promise("pytest:fixtures")
def test_a_gateway_in_three_lines(folder: Path) -> None:
    (folder / "test_gateway.py").write_text(
        IN_TESTS
        + """

def test_gateway(toolbooth_gateway):
    gateway = toolbooth_gateway(SERVERS, surface="search")
    assert gateway.search("open a ticket")[0] == "tickets.create_ticket"
    assert not gateway.call("tickets.create_ticket", {"title": "Broken login"}).is_error


def test_its_menu_and_what_a_call_came_to(toolbooth_gateway):
    gateway = toolbooth_gateway(SERVERS)
    assert gateway.tools == ["search_tools", "call_tool", "read_result"]
    answer = gateway.call("call_tool", {"name": "tickets.list_tickets", "arguments": {}})
    assert [made.id for made in answer.made] == ["tickets.list_tickets"]
    assert answer.text
    wrong = gateway.call("tickets.no_such_tool")
    assert wrong.is_error


def test_two_at_once_on_other_surfaces(toolbooth_gateway):
    direct, code = (toolbooth_gateway(SERVERS, surface=name) for name in ("direct", "code"))
    assert "create_ticket" in direct.tools
    assert not direct.call("tickets.list_tickets").is_error
    assert not code.call("tickets.list_tickets").is_error


def test_a_config_file(toolbooth_gateway, tmp_path):
    import json
    path = tmp_path / "mcp.json"
    command, *args = SERVERS["tickets"]["command"]
    path.write_text(json.dumps({"mcpServers": {"help": {"command": command, "args": args}}}))
    assert toolbooth_gateway(path).search("open a ticket")[0] == "help.create_ticket"
"""
    )
    said = run_pytest(folder)
    assert (said.code, said.counted("passed")) == (0, 4), said.out
    assert not demo_servers_of(folder)


@pytest.mark.promise("pytest:fixtures")
def test_an_agent_in_three_lines(folder: Path) -> None:
    (folder / "test_agent.py").write_text(
        IN_TESTS
        + """
CLASSES = {"create": ["tickets.create_ticket"]}


def test_scripted(toolbooth_agent):
    trace = toolbooth_agent(SERVERS, calls=["tickets.create_ticket"], prompt="Open a ticket.")
    assert score_selection(CLASSES, [trace.observed]).f1 == 100


def test_on_every_surface(toolbooth_agent):
    step = {"call": "tickets.create_ticket", "args": {"title": "x"}}
    for surface in ("search", "code"):
        trace = toolbooth_agent(SERVERS, calls=[step, {"say": "Done."}], surface=surface)
        assert trace.observed == [{"server": "tickets", "name": "create_ticket"}]
        assert trace.final_response == "Done."


def test_lexical(toolbooth_agent):
    trace = toolbooth_agent(SERVERS, prompt="Create a ticket for the broken login.")
    assert (trace.model, score_selection(CLASSES, [trace.observed]).f1) == ("lexical", 100)
"""
    )
    said = run_pytest(folder)
    assert (said.code, said.counted("passed")) == (0, 3), said.out
    assert not demo_servers_of(folder)


def test_a_mistake_in_a_fixtures_call_is_an_error_of_ours(folder: Path) -> None:
    (folder / "test_wrong.py").write_text(
        IN_TESTS
        + """
import pytest
from toolbooth.errors import BackendFault, ConfigError, UserMistake


@pytest.mark.parametrize("servers", [{}, {"a": {}}, {"a": {"command": "${NOT_SET_HERE}"}}, "gone.json"])
def test_servers(toolbooth_gateway, servers):
    with pytest.raises(ConfigError):
        toolbooth_gateway(servers)


def test_surface(toolbooth_gateway, toolbooth_agent):
    with pytest.raises(UserMistake):
        toolbooth_gateway(SERVERS, surface="tiny")
    with pytest.raises(ConfigError):
        toolbooth_agent(SERVERS, calls=[{"cal": "x"}])
    with pytest.raises(UserMistake):
        toolbooth_gateway(SERVERS, surface="direct").search("x")


def test_server_that_is_not_there(toolbooth_gateway, toolbooth_agent):
    gone = {"gone": {"command": "no-such-command-here"}}
    with pytest.raises(BackendFault):
        toolbooth_gateway(gone)
    with pytest.raises(BackendFault):
        toolbooth_agent(gone, calls=["gone.x"])
"""
    )
    said = run_pytest(folder)
    assert (said.code, said.counted("passed")) == (0, 6), said.out
    assert not demo_servers_of(folder)


def test_a_test_that_fails_leaves_no_server_behind(folder: Path) -> None:
    (folder / "test_fails.py").write_text(
        IN_TESTS
        + """

def test_fails(toolbooth_gateway):
    toolbooth_gateway(SERVERS)
    assert False
"""
    )
    assert run_pytest(folder).counted("failed") == 1
    assert not demo_servers_of(folder)


@pytest.mark.promise("pytest:light")
def test_a_run_without_suites_imports_nothing_of_ours() -> None:
    code = (
        "import sys, pytest; before = set(sys.modules); import toolbooth.suite.pytest_plugin;"
        "print(*sorted({name for name in set(sys.modules) - before if not name.startswith('_')}))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    new = done.stdout.split()
    ours = [name for name in new if name.partition(".")[0] == "toolbooth"]
    assert set(ours) == {
        "toolbooth",
        "toolbooth.lazy",
        "toolbooth.suite",
        "toolbooth.suite.pytest_plugin",
    }
    roots = {name.partition(".")[0] for name in new} - {"toolbooth"}
    assert roots <= sys.stdlib_module_names
