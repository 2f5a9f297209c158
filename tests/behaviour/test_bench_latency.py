"""The latency benchmark as a user runs it: real servers, a real gateway, nothing of the user's touched."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.behaviour.command_line import toolbooth

SMALL = Path(__file__).with_name("small_server.py")
VERB = ("bench", "latency")
ECHO = ("--call", "small.echo", "--arguments", '{"text": "hello"}')


def config(folder: Path, *words: str) -> Path:
    """One small server; its diary is `diary` in the folder."""
    entry = {"command": sys.executable, "args": [str(SMALL), str(folder / "diary"), *words]}
    path = folder / "c.json"
    path.write_text(json.dumps({"mcpServers": {"small": entry}}))
    return path


def diary(folder: Path, word: str) -> list[list[str]]:
    lines = (folder / "diary").read_text().splitlines()
    return [line.split()[1:] for line in lines if line.split()[0] == word]


@pytest.mark.promise("bench:latency")
def test_the_bundled_servers_are_timed_through_a_real_gateway_and_directly(tmp_path: Path) -> None:
    done = toolbooth(*VERB, "--rounds", "4", "--json", home=tmp_path)
    assert done.code == 0
    rows = {each["name"]: each for each in done.json["measures"]}
    assert list(rows) == ["search", "list", "list_all", "call", "call_direct", "start", "engine"]
    for each in rows.values():
        spread = each["spread"]
        assert 0 < spread["p50_ms"] <= spread["p95_ms"] <= spread["p99_ms"] <= spread["max_ms"]
        assert (each["ratio"] is None) == (each["name"] in ("search", "engine"))
    assert rows["call"]["spread"]["samples"] == 4
    assert rows["list_all"]["what"].endswith("70 tools")
    assert done.json["load_all_tools_ms"] > 0
    assert not done.json["partial"]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.promise("bench:latency-apart")
def test_servers_see_the_users_environment_and_no_tool_is_called_unasked(tmp_path: Path) -> None:
    words = ("1000", "${HOME} and ${NOT_SET}")
    typed = (sys.executable, SMALL, tmp_path / "diary", *words)
    done = toolbooth(
        *VERB, "--rounds", "2", "--", *typed, home=tmp_path, XDG_CACHE_HOME=str(tmp_path / "mine")
    )
    assert done.code == 0
    assert "no call was timed, because no tool is called without permission" in done.out
    assert diary(tmp_path, "call") == []
    seen = {tuple(words) for _, *words in diary(tmp_path, "start")}
    assert seen == {(str(tmp_path), str(tmp_path / "mine"), "${HOME}", "and", "${NOT_SET}")}
    assert [path.name for path in tmp_path.iterdir()] == ["diary"]


@pytest.mark.promise("bench:latency-partial")
def test_a_server_that_ends_in_mid_run_leaves_what_was_timed(tmp_path: Path) -> None:
    path = config(tmp_path, "35")
    done = toolbooth(*VERB, path, *ECHO, "--rounds", "40", "--out", tmp_path / "out", home=tmp_path)
    assert done.code == 3
    assert "partial: ended early: " in done.out
    report = json.loads((tmp_path / "out" / "report.json").read_text())
    (said,) = report["partial"]
    assert said.startswith("latency: ended early: ")
    assert "small.echo, called directly (exited with code 1; it said: enough of it)" in said
    rows = {each["name"]: each for each in report["latency"]["measures"]}
    assert rows["search"]["spread"]["samples"] == 40
    assert rows["call"]["against_spread"]["samples"] < 40


@pytest.mark.promise("bench:latency-bad-input")
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--arguments", "{}"), "--arguments needs --call"),
        (("--call", "echo"), "--call takes SERVER.TOOL; try"),
        (("--call", "small.echo", "--arguments", "[1]"), "--arguments takes a JSON object"),
        (("--call", "small.echo", "--arguments", "{"), "--arguments is not JSON"),
        (("--quick", "--rounds", "5"), "choose one of --quick and --rounds"),
        (("--rounds", "0"), "is not a whole number above zero"),
        (("--catalog", "t.json", "--call", "a.b"), "--call needs a server;"),
        (
            ("c.json", "--call", "small.refuse"),
            "the call to time does not work: refuse answered with an error",
        ),
        (
            ("c.json", "--call", "large.echo"),
            "no running server is called large; the running servers are small",
        ),
    ],
)
def test_a_mistake_is_one_line_and_exit_2(tmp_path: Path, words: tuple[str, ...], said: str) -> None:
    config(tmp_path)
    (tmp_path / "t.json").write_text(json.dumps({"tools": [{"name": "a", "description": "b"}]}))
    done = toolbooth(*VERB, *words, home=tmp_path)
    assert done.code == 2
    assert said in done.err
    assert len(done.err.splitlines()) == 1


def test_a_catalog_file_is_searched_without_any_server(tmp_path: Path) -> None:
    (tmp_path / "t.json").write_text(
        json.dumps({"tools": [{"name": "find_file", "description": "Find it."}]})
    )
    done = toolbooth(*VERB, "--catalog", "t.json", "--rounds", "3", "--json", home=tmp_path)
    assert [each["name"] for each in done.json["measures"]] == ["engine"]
    assert "without servers, only the search itself is timed" in done.json["notes"]


@pytest.mark.promise("cli:no-orphans")
def test_an_interrupt_in_mid_run_leaves_no_server_and_no_gateway(tmp_path: Path) -> None:
    words = (*VERB, str(config(tmp_path)), *ECHO, "--rounds", "3000")
    running = subprocess.Popen(
        [sys.executable, "-m", "toolbooth", *words],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env={**os.environ, "HOME": str(tmp_path), "TMPDIR": str(tmp_path)},
    )
    while not (tmp_path / "diary").exists() or len({pid for pid, _ in diary(tmp_path, "call")}) < 3:
        assert running.poll() is None
        time.sleep(0.02)
    running.send_signal(signal.SIGINT)
    _, said = running.communicate(timeout=240)
    assert running.returncode == 130
    assert b"Traceback" not in said
    for pid, *_ in diary(tmp_path, "start"):
        with pytest.raises(ProcessLookupError):
            os.kill(int(pid), 0)
    assert not list(tmp_path.glob("toolbooth-bench-*"))
