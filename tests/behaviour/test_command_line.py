"""The command line itself: help, version, start-up, signals."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.behaviour.shell import toolbooth
from toolbooth import __version__
from toolbooth.cli.main import VERBS

HEAVY = {
    "mcp",
    "pydantic",
    "rich",
    "splintr",
    "genai_prices",
    "anyio",
    "yaml",
    "orjson",
    "httpx2",
    "asyncio",
    "argparse",
    "json",
}


@pytest.mark.promise("cli:fast-start")
@pytest.mark.parametrize("word", ["--version", "--help"])
def test_version_and_help_import_nothing_heavy(word: str) -> None:
    code = f"import sys; from toolbooth.cli.main import main; main([{word!r}]); sys.stderr.write(' '.join(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout
    assert not HEAVY & {name.split(".")[0] for name in done.stderr.split()}


def test_help_names_every_verb_with_an_example(tmp_path: Path) -> None:
    said = toolbooth("--help", home=tmp_path)
    assert said.code == 0
    assert all(f"toolbooth {verb}" in said.out for verb in VERBS)
    assert toolbooth(home=tmp_path).out == said.out


@pytest.mark.promise("cli:help")
@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_teaches_with_examples(verb: str, tmp_path: Path) -> None:
    said = toolbooth(verb, "--help", home=tmp_path)
    assert said.code == 0
    assert f"  toolbooth {verb}" in said.out.split("examples:")[1]


def test_the_version_is_the_packages(tmp_path: Path) -> None:
    assert toolbooth("--version", home=tmp_path).out == f"toolbooth {__version__}\n"


def test_an_unknown_verb_is_met_with_a_suggestion(tmp_path: Path) -> None:
    said = toolbooth("docter", home=tmp_path)
    assert said.code == 2
    assert "toolbooth doctor" in said.err


@pytest.mark.promise("cli:no-orphans")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_an_interrupt_leaves_no_orphans(tmp_path: Path, number: signal.Signals) -> None:
    pid_file = tmp_path / "pid"
    script = tmp_path / "stubborn.py"
    script.write_text(
        "import os, signal, time\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        f"open({str(pid_file)!r}, 'w').write(str(os.getpid()))\ntime.sleep(3600)\n"
    )
    config = tmp_path / "c.json"
    config.write_text(json.dumps({"mcpServers": {"s": {"command": sys.executable, "args": [str(script)]}}}))
    running = subprocess.Popen(
        [sys.executable, "-m", "toolbooth", "doctor", str(config)],
        stderr=subprocess.PIPE,
        env={**os.environ, "HOME": str(tmp_path)},
    )
    while not (pid_file.exists() and pid_file.read_text()):
        assert running.poll() is None
        time.sleep(0.02)
    running.send_signal(number)
    _, said = running.communicate(timeout=60)
    assert running.returncode == 130
    assert b"Traceback" not in said
    with pytest.raises(ProcessLookupError):
        os.kill(int(pid_file.read_text()), 0)


@pytest.mark.promise("cli:closed-pipe")
def test_a_closed_pipe_is_no_error(tmp_path: Path) -> None:
    catalog = tmp_path / "c.json"
    catalog.write_text(json.dumps({"tools": [{"name": f"t{n}"} for n in range(5000)]}))
    command = f"{sys.executable} -m toolbooth doctor {catalog} --json | head -1"
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=True)
    assert done.stdout == "{\n"
    assert done.stderr == ""
