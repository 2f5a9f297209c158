"""A client on stdio that reads nothing, repeats an id, or loses its daemon: one answer or one error a request."""

import json
import os
import signal
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.behaviour.command_line import toolbooth
from tests.unit.gateway.daemon.bridges import Client, Home, own_home, until
from toolbooth.limits import (
    CALLS_AT_ONCE,
    MAX_OPEN_BYTES,
    MAX_REQUEST_ID,
    MAX_UNREAD_ANSWERS,
    MOST_OPEN_BYTES,
)

pytestmark = pytest.mark.skipif(os.name != "posix", reason="Windows has no shared daemon")
HELLO = {
    "protocolVersion": "2025-11-25",
    "capabilities": {"elicitation": {}},
    "clientInfo": {"name": "test", "version": "1"},
}
WAYS = pytest.mark.parametrize("words", [(), ("--no-daemon",)], ids=["daemon", "no-daemon"])
ROUNDS = 6


@pytest.fixture
def home() -> Iterator[Home]:
    with own_home() as made:
        yield made


class Bulky:
    """A client with the bulky server behind it."""

    def __init__(self, home: Home, *words: str) -> None:
        self.home, self.diary = home, home.folder / "diary"
        entry = {
            "command": sys.executable,
            "args": [str(Path(__file__).with_name("bulky_server.py")), str(self.diary)],
        }
        config = home.folder / "toolbooth.yaml"
        config.write_text(json.dumps({"servers": {"s": entry}, "reduce": False}))  # long answers stay long
        command = [sys.executable, "-m", "toolbooth", "serve", "--surface", "direct", *words]
        self.client: Client = home.client("--config", str(config), command=command)

    def open(self) -> "Bulky":
        self.request(0, "initialize", HELLO)
        assert "result" in self.message(), "the handshake"
        self.client.say({"jsonrpc": "2.0", "method": "notifications/initialized"})
        self.call("warm", 1)
        assert "result" in self.message()
        return self

    def request(self, number: int | str, method: str, params: dict[str, Any]) -> None:
        self.client.say({"jsonrpc": "2.0", "id": number, "method": method, "params": params})

    def call(self, number: int | str, size: int, seconds: float = 0) -> None:
        arguments = {"size": size, "seconds": seconds}
        self.request(number, "tools/call", {"name": "s__bulk", "arguments": arguments})

    def message(self) -> dict[str, Any]:
        """The next whole message that answers something."""
        while True:
            try:
                said = json.loads(self.client.line())
            except json.JSONDecodeError:
                continue  # half a frame of a daemon that was killed, or an empty line
            if "id" in said and "method" not in said:
                return dict(said)

    def calls(self) -> int:
        return self.diary.read_text().count("\n") if self.diary.exists() else 0

    @property
    def daemon(self) -> int:
        said = toolbooth(
            "daemon", "status", "--json", home=self.home.folder, XDG_RUNTIME_DIR=str(self.home.folder)
        )
        return int(said.json["pid"])


@pytest.mark.promise("daemon:one-answer")
@pytest.mark.parametrize("size", [10, 300_000])
def test_calls_of_a_killed_daemon_have_one_answer_each_read_or_not(home: Home, size: int) -> None:
    bulky = Bulky(home).open()
    for attempt in range(ROUNDS):
        numbers = [f"{attempt}-{each}" for each in range(8)]
        before = bulky.calls()
        for number in numbers:
            bulky.call(number, size)
        # No more than four are sure to start: then more than 1 MiB of answers may be unread already.
        until(lambda before=before: bulky.calls() >= before + 4, "the server works")  # type: ignore[misc]
        os.kill(bulky.daemon, signal.SIGKILL)
        heard = Counter(bulky.message()["id"] for _ in numbers)
        bulky.call(f"{attempt}-after", 1)
        last = bulky.message()
        assert (last["id"], "result" in last) == (f"{attempt}-after", True)
        assert heard == Counter(numbers)


@pytest.mark.promise("daemon:one-answer")
def test_a_stop_beside_a_client_that_connects_leaves_its_handshake_whole(home: Home) -> None:
    environ = {**home.environ, "PYTHONUTF8": "1"}
    for _ in range(ROUNDS):
        ready = threading.Event()

        def stop(ready: threading.Event = ready) -> None:
            ready.wait()
            command = [sys.executable, "-m", "toolbooth", "daemon", "stop"]
            subprocess.run(command, env=environ, check=True, capture_output=True, timeout=60)

        stopper = threading.Thread(target=stop)
        stopper.start()
        bulky = [Bulky(home) for _ in range(3)]
        ready.set()
        for each in bulky:
            each.request(0, "initialize", HELLO)
        stopper.join()
        for each in bulky:
            assert each.message()["result"]["serverInfo"]["name"] == "toolbooth"
            assert each.client.leave() == 0


@pytest.mark.promise("daemon:one-answer")
@pytest.mark.promise("daemon:copies")
def test_calls_that_outlast_a_stop_are_answered_where_nobody_takes_over(home: Home) -> None:
    home.environ["TOOLBOOTH_NO_FDS"] = "1"
    bulky = Bulky(home).open()
    before = bulky.calls()
    numbers = [f"late-{each}" for each in range(20)]  # some at work, some waiting for their turn
    for number in numbers:
        bulky.call(number, 5, seconds=60)
    until(lambda: bulky.calls() > before, "the server works")
    os.kill(bulky.daemon, signal.SIGTERM)
    answers = [bulky.message() for _ in numbers]
    assert Counter(each["id"] for each in answers) == Counter(numbers)
    assert {each["error"]["code"] for each in answers} == {-32000}
    assert bulky.client.process.wait(240) == 3


@WAYS
@pytest.mark.promise("stdio:bounded")
def test_a_client_that_reads_nothing_is_served_so_much_and_then_no_more(
    home: Home, words: tuple[str, ...]
) -> None:
    bulky, size, most = Bulky(home, *words).open(), 200_000, 400

    def write() -> None:
        for number in range(most):
            bulky.call(number, size)

    writer = threading.Thread(target=write)
    writer.start()
    # What fits into the pipe and the bound for unread bytes, and what was at work by then.
    bound = 1 + 2 * CALLS_AT_ONCE + (MAX_UNREAD_ANSWERS + (1 << 20)) // size
    until(lambda: bulky.calls() >= CALLS_AT_ONCE, "the server works")
    assert settled(bulky) <= bound
    heard = Counter(bulky.message()["id"] for _ in range(most))
    writer.join()
    assert heard == Counter(range(most))


def settled(bulky: Bulky) -> int:
    """How many calls reached the server once there are no more; too short a wait can only make it fewer."""
    seen = [-1]
    while len(seen) < 40 or seen[-1] != seen[-40]:
        threading.Event().wait(0.025)
        seen.append(bulky.calls())
    return seen[-1]


@WAYS
@pytest.mark.promise("stdio:bounded")
def test_a_client_that_asks_without_end_is_not_read_without_end(home: Home, words: tuple[str, ...]) -> None:
    """The calls hang, so what is read only waits; the pipe holds the rest, and the client's writing with it."""
    bulky = Bulky(home, *words).open()
    assert bulky.client.process.stdin
    os.set_blocking(bulky.client.process.stdin.fileno(), False)
    padding, sent, idle = "y" * 50_000, 0, 0
    for number in range(CALLS_AT_ONCE):
        bulky.call(number, 1, seconds=20)
    while idle < 40 and sent < 4 * MAX_OPEN_BYTES:
        params = {"name": "s__bulk", "arguments": {"size": 1}, "_meta": {"padding": padding}}
        request = {"jsonrpc": "2.0", "id": f"w{sent}", "method": "tools/call", "params": params}
        line = memoryview(json.dumps(request).encode() + b"\n")
        while line and idle < 40:
            try:
                taken = os.write(bulky.client.process.stdin.fileno(), line)
            except BlockingIOError:
                taken, idle = 0, idle + 1
                threading.Event().wait(0.02)
            else:
                idle = 0
            line, sent = line[taken:], sent + taken
    assert sent < MAX_OPEN_BYTES + 4 * (1 << 20)


@WAYS
@pytest.mark.promise("stdio:answers-are-read")
def test_an_answer_that_a_call_waits_for_is_read_whatever_is_open(home: Home, words: tuple[str, ...]) -> None:
    """The calls behind it are more than are read at once; beyond the second bound they are refused, not kept."""
    bulky, each = Bulky(home, *words).open(), 8 * (1 << 20)
    bulky.request("asks", "tools/call", {"name": "s__bulk", "arguments": {"size": 3, "ask": True}})
    question = json.loads(bulky.client.line())
    assert question["method"] == "elicitation/create"
    numbers = range(MOST_OPEN_BYTES // each + 2)
    params = {"name": "s__bulk", "arguments": {"size": 1}, "_meta": {"padding": "y" * each}}

    def write() -> None:
        for number in numbers:
            bulky.request(number, "tools/call", params)
        bulky.client.say({"jsonrpc": "2.0", "id": question["id"], "result": {"action": "decline"}})

    threading.Thread(target=write, daemon=True).start()  # it would be stuck where stdin is not read
    said = {heard["id"]: heard for heard in (bulky.message() for _ in ["asks", *numbers])}
    assert said.keys() == {"asks", *numbers}
    assert said["asks"]["result"]["content"][0]["text"] == "xxx"
    refused = [number for number in numbers if "error" in said[number]]
    assert refused == [*numbers][MOST_OPEN_BYTES // each - 1 :]
    assert {said[number]["error"]["code"] for number in refused} == {-32603}


@WAYS
@pytest.mark.promise("daemon:one-answer")
@pytest.mark.parametrize(
    "number", ["i" * (MAX_REQUEST_ID - 1), "ä" * 40, 10**MAX_REQUEST_ID], ids=["text", "escapes", "number"]
)
def test_an_id_that_could_not_be_noted_is_refused_and_nothing_done(
    home: Home, words: tuple[str, ...], number: int | str
) -> None:
    """Else a daemon that ends would leave it without an answer."""
    bulky = Bulky(home, *words).open()
    before = bulky.calls()
    bulky.call(number, 5)
    said = bulky.message()
    assert (said["id"], said["error"]["code"], bulky.calls()) == (number, -32600, before)
    bulky.call("i" * (MAX_REQUEST_ID - 2), 5)
    assert bulky.message()["result"]["content"][0]["text"] == "xxxxx"


@WAYS
@pytest.mark.promise("stdio:duplicate-id")
def test_a_second_request_of_an_open_id_is_refused_and_the_first_answered(
    home: Home, words: tuple[str, ...]
) -> None:
    bulky = Bulky(home, *words).open()
    bulky.call(7, 5, seconds=0.5)
    bulky.call(7, 6)
    bulky.request(7, "tools/list", {})
    answers = [bulky.message() for _ in range(3)]
    assert [each["id"] for each in answers] == [7, 7, 7]
    errors = [each["error"] for each in answers if "error" in each]
    assert [(error["code"], "duplicate id 7" in error["message"]) for error in errors] == [(-32600, True)] * 2
    (result,) = [each["result"] for each in answers if "result" in each]
    assert result["content"][0]["text"] == "xxxxx"
    bulky.call(7, 3)
    assert bulky.message()["result"]["content"][0]["text"] == "xxx"
