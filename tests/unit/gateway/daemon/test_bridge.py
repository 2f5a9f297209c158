"""The bridge: what it imports, what it leaves to others, and the ways in which it reaches the daemon."""

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.unit.gateway.daemon.bridges import ECHO_BRIDGE, PATIENCE, Home, own_home, until

from toolbooth.gateway.daemon import bridge as module
from toolbooth.gateway.daemon.bridge import IN_THIS_PROCESS, bridge
from toolbooth.limits import DAEMON_ANSWER

pytestmark = pytest.mark.skipif(os.name != "posix", reason="Windows has no shared daemon")

# Beyond what Python loads for `-c pass`. The first three are the C parts of their modules: half a millisecond.
WARM = {
    "_blake2",
    "_json",
    "_socket",
    "toolbooth",
    "toolbooth.cli",
    "toolbooth.cli.main",
    "toolbooth.lazy",
    "toolbooth.gateway",
    "toolbooth.gateway.daemon.bridge",
    "toolbooth.gateway.daemon",
    "toolbooth.gateway.daemon.endpoint",
}
REQUEST = json.dumps({"id": 1, "method": "echo", "value": "hello"}) + "\n"


@pytest.fixture
def home() -> Iterator[Home]:
    with own_home() as made:
        yield made


def modules(home: Home, code: str) -> set[str]:
    """The modules that are loaded after `code`, reported at the exit."""
    reported = "import atexit, sys; atexit.register(lambda: sys.stderr.write(' '.join(sys.modules)))\n"
    done = subprocess.run(
        [sys.executable, "-c", reported + code],
        input=REQUEST,
        capture_output=True,
        text=True,
        env=home.environ,
        timeout=60,
        check=True,
    )
    return set(done.stderr.split())


@pytest.mark.promise("daemon:fast-start")
def test_a_warm_start_imports_next_to_nothing(home: Home) -> None:
    home.client().ask(1, "echo")
    serve = "sys.argv[1:] = ['serve']\nfrom toolbooth.cli.main import entry\nentry()"
    assert modules(home, serve) - modules(home, "pass") <= WARM


@pytest.mark.parametrize("word", sorted(IN_THIS_PROCESS))
def test_what_needs_no_daemon_is_left_to_the_verb(word: str) -> None:
    assert bridge(["--config", "x", word]) is None


def test_it_waits_as_long_as_the_ceilings_say() -> None:
    """The number is written twice, because the module of the limits would cost more than the rest of the start."""
    assert f"sock.settimeout({DAEMON_ANSWER:.0f})" in Path(module.__file__).read_text(encoding="utf-8")


def through_a_shell(home: Home, command: str, **environ: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["bash", "-c", command.format(bridge=f"{sys.executable} {ECHO_BRIDGE}")],
        capture_output=True,
        text=True,
        env={**home.environ, **environ},
        cwd=home.folder,
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize(
    "command",
    [
        "{bridge} < requests",
        "cat requests | {bridge}",
        "cat requests | {bridge} | cat",
        "{bridge} < requests > answers; code=$?; cat answers; exit $code",
        "cat requests | {bridge} > answers; cat answers",
    ],
)
def test_files_and_pipes_are_served_alike(home: Home, command: str) -> None:
    (home.folder / "requests").write_text(REQUEST)
    done = through_a_shell(home, command)
    assert done.stderr == ""
    assert done.returncode == 0
    assert json.loads(done.stdout)["result"] == "hello"


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-", "< /dev/null"])
def test_closed_streams_are_empty_ones(home: Home, closed: str) -> None:
    home.client().ask(1, "echo")
    done = through_a_shell(home, f"{{bridge}} {closed}" if "<" in closed else f"true | {{bridge}} {closed}")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_one_socket_for_both_ways_is_served_too(home: Home) -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        process = subprocess.Popen(
            [sys.executable, ECHO_BRIDGE],
            stdin=theirs.fileno(),
            stdout=theirs.fileno(),
            env=home.environ,
            stderr=subprocess.PIPE,
        )
        theirs.close()
        ours.settimeout(PATIENCE)
        for text in ("one", "two"):
            ours.sendall(REQUEST.replace("hello", text).encode())
            assert json.loads(ours.recv(65_536))["result"] == text
        ours.shutdown(socket.SHUT_WR)
        assert process.communicate(timeout=PATIENCE)[1] == b""
        assert process.returncode == 0


def test_a_client_with_sockets_for_pipes_is_served_by_them(home: Home) -> None:
    """As those on Node.js are: its pipes are socket pairs."""
    to_stdin, stdin = socket.socketpair()
    from_stdout, stdout = socket.socketpair()
    with to_stdin, from_stdout:
        with stdin, stdout:
            process = subprocess.Popen(
                [sys.executable, ECHO_BRIDGE], stdin=stdin.fileno(), stdout=stdout.fileno(), env=home.environ
            )
        from_stdout.settimeout(PATIENCE)
        to_stdin.sendall(REQUEST.encode())
        answer = json.loads(from_stdout.recv(65_536))
        os.kill(answer["daemon"], signal.SIGKILL)
        to_stdin.sendall(REQUEST.encode())
        assert json.loads(from_stdout.recv(65_536))["daemon"] != answer["daemon"]
        to_stdin.close()
        assert process.wait(PATIENCE) == 0


@pytest.mark.promise("daemon:copies")
def test_where_descriptors_cannot_be_handed_over_the_bytes_are(home: Home) -> None:
    client = home.client(TOOLBOOTH_NO_FDS="1")
    text = "x" * 300_000
    assert client.ask(1, "echo", text)["result"] == text
    assert client.ask(2, "echo", "again")["result"] == "again"
    assert client.leave() == 0
    assert client.words() == ""


@pytest.mark.promise("daemon:copies")
def test_a_stop_lets_the_calls_of_a_bridge_that_copies_finish(home: Home) -> None:
    client = home.client(TOOLBOOTH_NO_FDS="1")
    daemon = client.ask(1, "echo")["daemon"]
    client.send(2, "wait", str(home.folder / "go"))
    client.send(3, "echo")
    assert client.answer()["id"] == 3
    os.kill(daemon, signal.SIGTERM)
    until(lambda: not list((home.folder / "toolbooth").glob("*.sock")), "the daemon winds down")
    (home.folder / "go").touch()
    assert client.answer()["id"] == 2
    assert client.process.wait(PATIENCE) == 3


@pytest.mark.promise("daemon:copies")
def test_a_daemon_that_dies_ends_a_bridge_that_copies(home: Home) -> None:
    client = home.client(TOOLBOOTH_NO_FDS="1")
    client.send(1, "crash")
    assert client.process.wait(PATIENCE) == 3
    assert client.words() == "toolbooth: the daemon ended; start the client's server again\n"


def test_a_client_that_closes_a_copied_stdout_ends_its_bridge(home: Home) -> None:
    (home.folder / "requests").write_text(REQUEST)
    done = through_a_shell(
        home, "while cat requests; do true; done | {bridge} | head -c 10", TOOLBOOTH_NO_FDS="1"
    )
    assert len(done.stdout) == 10
    assert "Traceback" not in done.stderr


def test_a_folder_that_is_gone_is_one_line(home: Home) -> None:
    done = through_a_shell(home, "mkdir gone && cd gone && rmdir ../gone && {bridge}")
    assert done.returncode == 3
    assert done.stderr == "toolbooth: the current folder no longer exists; start this in another one\n"


def test_an_environment_that_is_no_utf_8_arrives_whole(home: Home) -> None:
    done = through_a_shell(
        home, 'export ODD=$\'a\\xffb\'; echo \'{{"id": 1, "method": "environ", "value": "ODD"}}\' | {bridge}'
    )
    assert json.loads(done.stdout)["result"] == "a\udcffb"


def test_the_clients_pipes_are_left_blocking(home: Home) -> None:
    (home.folder / "requests").write_text(REQUEST)
    done = through_a_shell(
        home, "cat requests | ({bridge}; python3 -c 'import os; print(os.get_blocking(0))')"
    )
    assert done.stdout.splitlines()[-1] == "True"
