"""What servers and workers are started with: what a config names, the usual few, and none of our secrets."""

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.behaviour.command_line import toolbooth
from tests.behaviour.test_working_folder import call, mcp, opened
from tests.unit.gateway.daemon.bridges import Home, own_home

pytestmark = pytest.mark.promise("backend:environment")
SECRETS = {"TOOLBOOTH_KEY": "our-own-key-0123456789", "OPENAI_API_KEY": "sk-not-for-servers", "OTHER": "y"}
SMALL = Path(__file__).with_name("small_server.py")
DUMP = f"""
import json, os, runpy, sys
with open(sys.argv[1], "w") as file:
    json.dump(dict(os.environ), file)
sys.argv = ["small_server.py", os.devnull]
runpy.run_path({str(SMALL)!r}, run_name="__main__")
"""


@pytest.fixture
def home() -> Iterator[Home]:
    with own_home() as made:
        yield made


def config(folder: Path) -> Path:
    (folder / "server.py").write_text(DUMP)
    args = [str(folder / "server.py"), str(folder / "seen.json")]
    entry = {"command": sys.executable, "args": args, "env": {"NAMED": "${OTHER}"}}
    path = folder / "servers.json"
    path.write_text(json.dumps({"mcpServers": {"small": entry}}))
    return path


def check(folder: Path) -> None:
    seen: dict[str, Any] = json.loads((folder / "seen.json").read_text())
    assert seen["NAMED"] == SECRETS["OTHER"]
    assert {"PATH", "HOME"} <= seen.keys()
    assert not SECRETS.keys() & seen.keys()
    assert not [name for name in seen if name.startswith("TOOLBOOTH")]


@pytest.mark.parametrize(
    "words",
    [
        ("doctor", "CONFIG"),
        ("lock", "CONFIG"),
        ("scan", "CONFIG"),
        ("profile", "CONFIG"),
        ("search", "echo", "--config", "CONFIG"),
        ("init", "CONFIG"),
        ("bench", "record", "CONFIG", "--output", "corpus.json"),
        ("bench", "latency", "CONFIG", "--rounds", "1"),
    ],
    ids=" ".join,
)
def test_no_command_hands_its_environment_to_servers(tmp_path: Path, words: tuple[str, ...]) -> None:
    path = str(config(tmp_path))
    said = toolbooth(
        *(path if word == "CONFIG" else word for word in words), home=tmp_path, cwd=None, **SECRETS
    )
    assert said.code == 0, said.err
    check(tmp_path)


def test_a_suite_does_not_either(tmp_path: Path) -> None:
    config(tmp_path)
    suite = {
        "name": "small",
        "config": ["servers.json"],
        "defaults": {"servers": ["small"], "model": "scripted"},
        "tests": [
            {
                "name": "says",
                "prompt": "Say a.",
                "script": [{"call": "small.echo", "args": {"text": "a"}}],
                "no_calls": ["small.shout"],
            }
        ],
    }
    (tmp_path / "small.toolbooth.yaml").write_text(json.dumps(suite))
    said = toolbooth("test", "--live", "small.toolbooth.yaml", home=tmp_path, cwd=None, **SECRETS)
    assert (tmp_path / "seen.json").exists(), said.out + said.err
    check(tmp_path)


@pytest.mark.skipif(os.name != "posix", reason="Windows has no shared daemon")
@pytest.mark.parametrize("words", [(), ("--no-daemon",)], ids=["daemon", "no-daemon"])
def test_the_gateway_does_not_either(home: Home, words: tuple[str, ...]) -> None:
    given = ["env", *(f"{name}={value}" for name, value in SECRETS.items())]
    command = [*given, sys.executable, "-m", "toolbooth", "serve"]
    path = config(home.folder)
    client = opened(home, home.folder, "--config", str(path), *words, command=command)
    assert call(client, "small.echo", text="here") == "here"
    check(home.folder)


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="reads /proc")
@pytest.mark.parametrize("words", [(), ("--no-daemon",)], ids=["daemon", "no-daemon"])
def test_workers_of_the_sandbox_do_not_have_keys(home: Home, words: tuple[str, ...]) -> None:
    given = ["env", *(f"{name}={value}" for name, value in SECRETS.items())]
    command = [*given, sys.executable, "-m", "toolbooth", "serve"]
    path = config(home.folder)
    client = opened(home, home.folder, "--config", str(path), "--surface", "code", *words, command=command)
    mcp(client, 1, "tools/call", {"name": "call_tool_chain", "arguments": {"code": "sum([1, 2, 3])\n1 + 1"}})
    (gateway,) = home.daemons() if not words else [client.process.pid]
    workers = [pid for pid in children(gateway) if b"monty" in Path(f"/proc/{pid}/cmdline").read_bytes()]
    assert workers
    for pid in workers:
        environ = Path(f"/proc/{pid}/environ").read_bytes()
        assert SECRETS["TOOLBOOTH_KEY"].encode() not in environ
        assert SECRETS["OPENAI_API_KEY"].encode() not in environ


def children(parent: int) -> list[int]:
    found = []
    for each in Path("/proc").glob("[0-9]*/stat"):
        try:
            ppid = int(each.read_text().rpartition(")")[2].split()[1])
        except OSError:  # it ended meanwhile
            continue
        if ppid == parent:
            found.append(int(each.parent.name))
    return found
