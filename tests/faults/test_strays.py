"""Servers that start processes which leave their group: nothing outlives the one who started the server."""

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.behaviour.command_line import toolbooth
from tests.behaviour.test_working_folder import call, opened
from tests.unit.gateway.daemon.bridges import Home, alive, own_home, until

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="elsewhere only the process group is known"),
    pytest.mark.promise("backend:strays"),
]
LEAVES = """
import os, runpy, signal, sys, time
pid = os.fork()
if pid == 0:
    os.setsid()
    if os.fork():
        os._exit(0)
    def save(*_):
        open("saved", "w").close()
        if os.path.exists("obeys"):
            os._exit(0)
    for number in (signal.SIGHUP, signal.SIGINT):
        signal.signal(number, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, save)
    with open("stray", "w") as file:
        file.write(str(os.getpid()))
    os.close(0); os.close(1); os.close(2)
    while True:
        time.sleep(600)
os.waitpid(pid, 0)
while not os.path.exists("stray") or not open("stray").read():
    time.sleep(0.01)
sys.argv = ["small_server.py", "diary"]
runpy.run_path(%r, run_name="__main__")
"""


@pytest.fixture
def home() -> Iterator[Home]:
    with own_home() as made:
        yield made


def config_in(folder: Path) -> Path:
    small = Path(__file__).parents[1] / "behaviour" / "small_server.py"
    (folder / "leaves.py").write_text(LEAVES % str(small))
    path = folder / "servers.json"
    path.write_text(json.dumps({"mcpServers": {"s": {"command": sys.executable, "args": ["leaves.py"]}}}))
    return path


def stray_of(folder: Path) -> int:
    return int((folder / "stray").read_text())


@pytest.mark.parametrize("words", [(), ("--no-daemon",)], ids=["daemon", "no-daemon"])
def test_a_child_that_left_its_group_ends_with_the_gateway(home: Home, words: tuple[str, ...]) -> None:
    client = opened(home, home.folder, "--config", str(config_in(home.folder)), *words)
    assert call(client, "s.echo", text="x") == "x"
    pid = stray_of(home.folder)
    assert alive(pid)
    assert os.getpgid(pid) != os.getpgid(client.process.pid)
    assert client.leave() == 0
    if not words:
        assert toolbooth("daemon", "stop", home=home.folder, XDG_RUNTIME_DIR=str(home.folder)).code == 0
    until(lambda: not alive(pid), "the stray ends")


@pytest.mark.parametrize("words", [("doctor",), ("search", "echo", "--config")], ids=["doctor", "search"])
def test_a_child_that_left_its_group_ends_with_a_command(tmp_path: Path, words: tuple[str, ...]) -> None:
    toolbooth(*words, config_in(tmp_path), home=tmp_path)
    until(lambda: not alive(stray_of(tmp_path)), "the stray ends")


@pytest.mark.parametrize("obeys", [True, False])
def test_what_has_something_to_save_is_asked_first(tmp_path: Path, obeys: bool) -> None:
    """A browser that a server opened, a build daemon: SIGTERM comes before SIGKILL."""
    if obeys:
        (tmp_path / "obeys").touch()
    toolbooth("doctor", config_in(tmp_path), home=tmp_path)
    until(lambda: not alive(stray_of(tmp_path)), "the stray ends")
    assert (tmp_path / "saved").exists()
