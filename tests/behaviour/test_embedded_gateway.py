"""A gateway inside a Python program, in a process of its own: its loop, what it changes, and what it leaves behind."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.behaviour.embedding_program import AT_ONCE, SIZES
from tests.behaviour.gateway_process import PATIENCE, SteeredServer, alive, until, write_config

ROOT = Path(__file__).parents[2]
PROGRAM = str(Path(__file__).with_name("embedding_program.py"))
LARGEST_CUT = 50_000  # characters of an answer that is cut for a model
BULKY = str(ROOT / "tests" / "faults" / "bulky_server.py")


def started(loop: str, work: str, config: Path) -> "subprocess.Popen[str]":
    home = config.parent
    environ = {"HOME": str(home), "PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT)}
    return subprocess.Popen(
        [sys.executable, PROGRAM, loop, work, str(config)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environ,
        cwd=home,
    )


def found(loop: str, work: str, config: Path) -> Any:
    program = started(loop, work, config)
    out, err = program.communicate(timeout=PATIENCE)
    assert (program.returncode, err) == (0, "")
    return json.loads(out)


@pytest.fixture
def bulky(tmp_path: Path) -> Path:
    entry = {"command": sys.executable, "args": ["-S", BULKY, str(tmp_path / "diary")]}
    return write_config(tmp_path / "mcp.json", {"b": entry})


@pytest.mark.promise("embed:loops")
@pytest.mark.parametrize("loop", ["asyncio", "uvloop"])
def test_answers_of_every_size_arrive_several_at_once(bulky: Path, loop: str) -> None:
    answers = found(loop, "answers", bulky)
    assert [each[:AT_ONCE] for each in answers] == [[size] * AT_ONCE for size in SIZES]
    small, *cut = (each[AT_ONCE:] for each in answers)
    assert small == [SIZES[0]] * AT_ONCE
    assert all(0 < length < LARGEST_CUT for each in cut for length in each)


@pytest.mark.promise("embed:guest")
@pytest.mark.parametrize("loop", ["asyncio", "uvloop"])
def test_the_program_keeps_its_log_its_signals_its_loop_and_its_collector(bulky: Path, loop: str) -> None:
    assert found(loop, "changes", bulky) == []


@pytest.mark.promise("embed:guest")
def test_no_call_of_the_program_is_in_the_ledger_of_the_user(bulky: Path) -> None:
    found("asyncio", "changes", bulky)
    written = [path.name for path in bulky.parent.rglob("*") if path.is_file()]
    assert "diary" in written
    assert not [name for name in written if "ledger" in name]


@pytest.mark.promise("embed:no-orphans")
@pytest.mark.parametrize("loop", ["asyncio", "uvloop"])
def test_ctrl_c_in_a_call_leaves_no_server(tmp_path: Path, loop: str) -> None:
    server = SteeredServer.at(tmp_path / "s")
    program = started(loop, "wait", write_config(tmp_path / "mcp.json", {"s": server.entry}))
    until(lambda: "wait never" in server.notes("heard") or program.poll() is not None, "the call is made")
    program.send_signal(signal.SIGINT)
    _out, err = program.communicate(timeout=PATIENCE)
    assert err.splitlines()[-1] == "KeyboardInterrupt", err
    assert server.pids
    assert not any(map(alive, server.pids))
