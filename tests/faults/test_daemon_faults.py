"""What may happen to a shared daemon, with real processes: no client loses its connection, and no call its answer."""

import json
import os
import signal
import socket
import stat
import subprocess
import sys
from collections.abc import Iterator

import pytest

from tests.unit.gateway.daemon.bridges import Home, alive, own_home, until
from toolbooth.limits import DAEMON_RESTARTS

pytestmark = pytest.mark.skipif(os.name != "posix", reason="Windows has no shared daemon")


@pytest.fixture
def home() -> Iterator[Home]:
    with own_home() as made:
        yield made


@pytest.mark.promise("daemon:killed")
def test_a_daemon_killed_in_mid_call_is_replaced_and_the_call_answered(home: Home) -> None:
    client = home.client()
    first = client.ask(1, "echo", "hello")["daemon"]
    client.send(2, "hang")
    client.send("three", "hang")
    client.ask(4, "echo")
    os.kill(first, signal.SIGKILL)
    answers = [client.answer(), client.answer()]
    assert {each["id"] for each in answers} == {2, "three"}
    assert all("ended during this call" in each["error"] for each in answers)
    again = client.ask(5, "echo", "still here")
    assert again["result"] == "still here"
    assert again["daemon"] != first
    assert client.leave() == 0
    assert client.words() == "toolbooth: the daemon ended; another one takes over\n"


@pytest.mark.promise("daemon:killed")
def test_all_clients_of_a_killed_daemon_meet_again_in_one_new_daemon(home: Home) -> None:
    clients = [home.client() for _ in range(5)]
    (first,) = {client.ask(1, "echo")["daemon"] for client in clients}
    os.kill(first, signal.SIGKILL)
    (second,) = {client.ask(2, "echo")["daemon"] for client in clients}
    assert home.daemons() == {first, second}


def test_half_a_frame_of_a_killed_daemon_is_closed_before_the_next(home: Home) -> None:
    client = home.client()
    first = client.ask(1, "echo")["daemon"]
    client.send(99, "half")
    assert client.part() == b'{"id": 99, "resu'
    os.kill(first, signal.SIGKILL)
    assert client.line() == b'{"id": 99, "resu'
    assert client.answer()["id"] == 99


def test_what_the_session_remembered_outlives_the_daemon(home: Home) -> None:
    client = home.client()
    first = client.ask(1, "fact", "kept")
    os.kill(first["daemon"], signal.SIGKILL)
    assert client.ask(2, "fact", "next")["result"] == {"is": "kept"}


@pytest.mark.promise("daemon:crash-loop")
def test_a_daemon_that_keeps_crashing_ends_the_bridge_in_one_line(home: Home) -> None:
    client = home.client("--die")
    assert client.process.wait(240) == 3
    (last,) = client.words().splitlines()
    assert f"ended {DAEMON_RESTARTS + 1} times without an answer" in last
    assert str(home.file("log")) in last
    assert "--no-daemon" in last


@pytest.mark.promise("daemon:killed")
def test_a_daemon_that_crashes_often_but_answers_keeps_its_bridges(home: Home) -> None:
    client = home.client()
    for request_id in range(DAEMON_RESTARTS + 2):
        client.send(request_id, "crash")
        assert client.answer()["error"]
    assert client.ask(99, "echo", "still here")["result"] == "still here"


@pytest.mark.promise("daemon:killed")
def test_a_daemon_that_is_killed_while_it_starts_is_started_again(home: Home) -> None:
    (home.folder / "once").touch()
    assert home.client().ask(1, "echo", "x")["result"] == "x"
    assert not (home.folder / "once").exists()


@pytest.mark.promise("daemon:stale-socket")
def test_a_stale_socket_is_replaced(home: Home) -> None:
    first = home.client()
    pid = first.ask(1, "echo")["daemon"]
    first.close()
    os.kill(pid, signal.SIGKILL)
    until(lambda: not alive(pid), "the daemon ends")
    assert stat.S_ISSOCK(home.file("sock").stat().st_mode)
    second = home.client().ask(1, "echo")
    assert second["daemon"] != pid


def test_something_else_in_the_sockets_place_is_one_line(home: Home) -> None:
    client = home.client()
    pid = client.ask(1, "echo")["daemon"]
    client.leave()
    os.kill(pid, signal.SIGTERM)
    until(lambda: not alive(pid), "the daemon ends")
    log = home.file("log")
    log.with_suffix(".sock").mkdir()
    late = home.client()
    assert late.process.wait(240) == 3
    (line,) = late.words().splitlines()
    assert line.startswith("toolbooth: the daemon")


@pytest.mark.promise("daemon:one-winner")
def test_bridges_that_start_at_once_share_one_daemon(home: Home) -> None:
    clients = [home.client() for _ in range(8)]
    pids = {client.ask(1, "echo")["daemon"] for client in clients}
    assert len(pids) == 1
    assert home.daemons() == pids


@pytest.mark.promise("daemon:one-winner")
def test_a_second_daemon_ends_and_its_bridge_would_use_the_first(home: Home) -> None:
    first = home.client().ask(1, "echo")["daemon"]
    second = subprocess.run(
        [sys.executable, "-m", "toolbooth", "daemon", "run"],
        env=home.environ,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert second.returncode == 3
    assert second.stderr == "toolbooth: a daemon is already running; `toolbooth daemon status` shows it\n"
    assert home.client().ask(1, "echo")["daemon"] == first


@pytest.mark.promise("daemon:dies-while-starting")
def test_a_daemon_that_dies_while_starting_is_one_line_with_its_last_words(home: Home) -> None:
    (home.folder / "failing").touch()
    client = home.client()
    assert client.process.wait(240) == 3
    (line,) = client.words().splitlines()
    assert line.startswith("toolbooth: the daemon ended while starting: ")
    assert "RuntimeError at echo_daemon.py:" in line
    assert str(home.file("log")) in line


@pytest.mark.promise("daemon:private-folder")
@pytest.mark.parametrize("mode", [0o770, 0o755, 0o702])
def test_a_runtime_folder_that_others_may_enter_is_refused(home: Home, mode: int) -> None:
    folder = home.folder / "toolbooth"
    folder.mkdir()
    folder.chmod(mode)
    client = home.client()
    assert client.process.wait(240) == 3
    assert f"run `chmod 700 {folder}`" in client.words()
    assert list(folder.iterdir()) == []


@pytest.mark.promise("daemon:private-folder")
def test_a_runtime_folder_of_another_user_is_refused(home: Home) -> None:
    folder = home.folder / "toolbooth"
    if os.geteuid() == 0:
        folder.mkdir(mode=0o700)
        os.chown(folder, 12345, 12345)
    else:
        folder.symlink_to("/")
    client = home.client()
    assert client.process.wait(240) == 3
    assert "is not a folder of yours" in client.words()


def test_a_path_too_long_for_a_socket_is_replaced_by_a_shorter_one(home: Home) -> None:
    long = home.folder / ("x" * 90)
    long.mkdir(mode=0o700)
    fallback = f"/tmp/toolbooth-{os.geteuid()}"
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            "from toolbooth.gateway.daemon.endpoint import find_paths; print(find_paths().folder)",
        ],
        env={**home.environ, "XDG_RUNTIME_DIR": str(long)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == fallback


@pytest.mark.promise("daemon:log")
def test_the_log_is_owner_only_and_bounded(home: Home) -> None:
    client = home.client()
    client.ask(1, "echo")
    log = home.file("log")
    assert stat.S_IMODE(log.stat().st_mode) == 0o600
    with log.open("a") as flood:
        flood.write("flood\n" * 200_000)
    assert home.client("--bug").process.wait(240) == 1  # any line that the daemon notes
    assert log.stat().st_size < 256 * 1024
    assert home.log.splitlines()[-1].split("] ")[1].startswith("a session failed: RuntimeError at")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL])
def test_a_bridge_that_is_ended_ends_its_session_and_no_other(home: Home, number: signal.Signals) -> None:
    staying, going = home.client(), home.client()
    pid = staying.ask(1, "echo")["daemon"]
    assert going.ask(1, "echo")["daemon"] == pid
    going.send(2, "hang")
    going.process.send_signal(number)
    assert going.process.wait(240) == (130 if number == signal.SIGINT else -number)
    assert going.words() == ""
    until(lambda: status(home)["sessions"] == 1, "the session ends with its bridge")
    assert staying.ask(2, "echo")["daemon"] == pid


def status(home: Home) -> dict[str, object]:
    done = subprocess.run(
        [sys.executable, "-m", "toolbooth", "daemon", "status", "--json"],
        env=home.environ,
        capture_output=True,
        check=True,
        timeout=60,
    )
    return dict(json.loads(done.stdout))


@pytest.mark.promise("daemon:secrets")
def test_a_clients_secrets_travel_only_over_the_socket(home: Home) -> None:
    canary = "canary-5c1f"
    client = home.client(CANARY=canary)
    seen = client.ask(1, "environ", "CANARY")
    assert seen["result"] == canary
    pid = seen["daemon"]
    assert home.client("--bug", CANARY=canary).process.wait(240) == 1
    process = subprocess.run(["ps", "eww", "-p", str(pid)], capture_output=True, text=True, check=True)
    assert "echo_daemon" in process.stdout
    assert canary not in process.stdout
    assert canary not in home.log
    assert all(canary.encode() not in file.read_bytes() for file in home.folder.rglob("*") if file.is_file())


def test_the_next_client_brings_an_environment_of_its_own(home: Home) -> None:
    assert home.client(CANARY="first").ask(1, "environ", "CANARY")["result"] == "first"
    assert home.client(CANARY="second").ask(1, "environ", "CANARY")["result"] == "second"
    assert home.client().ask(1, "environ", "CANARY")["result"] is None


@pytest.mark.parametrize(
    "garbage",
    [
        b"",
        b"\0",
        b"\xff\xff\xff\xff",
        b"\0\0\0\x02{]",
        b"\0\0\0\x02[]",
        b'\0\0\0\x0e{"protocol":9}',
        b"GET / HTTP/1.1\r\n\r\n",
    ],
)
def test_garbage_at_the_socket_harms_nobody(home: Home, garbage: bytes) -> None:
    client = home.client()
    pid = client.ask(1, "echo")["daemon"]
    with socket.socket(socket.AF_UNIX) as stranger:
        stranger.connect(str(home.file("sock")))
        stranger.sendall(garbage)
        stranger.shutdown(socket.SHUT_WR)
        assert stranger.recv(100) == b""
    assert client.ask(2, "echo")["daemon"] == pid


@pytest.mark.promise("daemon:socket-taken")
def test_a_cleaner_of_temporary_files_may_take_the_socket(home: Home) -> None:
    early = home.client()
    first = early.ask(1, "echo")["daemon"]
    home.file("sock").unlink()
    late = home.client()
    second = late.ask(1, "echo")["daemon"]
    assert second != first
    until(lambda: not alive(first), "the daemon that nobody finds ends")
    assert early.ask(2, "echo")["daemon"] == second
    assert early.leave() == 0
    assert early.words() == ""
