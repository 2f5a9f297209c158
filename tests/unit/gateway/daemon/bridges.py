"""Real bridges and real daemons in a runtime folder of their own, which is left with no process behind."""

import json
import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

ECHO_BRIDGE = str(Path(__file__).with_name("echo_bridge.py"))
PATIENCE = 240.0  # seconds; only a test that fails waits that long
GRACE = (
    3.0  # seconds to end in the usual way, and to write what was covered, before a test's process is killed
)


def until(condition: Callable[[], bool], what: str) -> None:
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, f"in vain: {what}"
        time.sleep(0.01)


def alive(pid: int) -> bool:
    """Zombies of a container without a reaper are dead."""
    state = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True, check=False)
    return bool(state.stdout.strip()) and not state.stdout.startswith("Z")


class Client:
    """A client and the bridge that it has started."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process
        self._buffer = b""

    def say(self, message: dict[str, Any]) -> None:
        assert self.process.stdin
        self.process.stdin.write(json.dumps(message).encode() + b"\n")

    def send(self, request_id: int | str, method: str, value: str = "") -> None:
        self.say({"id": request_id, "method": method, "value": value})

    def part(self) -> bytes:
        """Wait until there is something, and give back all that is not read yet."""
        assert self.process.stdout
        ready, _, _ = select.select([self.process.stdout], [], [], PATIENCE)
        assert ready, "no answer"
        part = os.read(self.process.stdout.fileno(), 65_536)
        assert part, f"the bridge ended: {self.words()}"
        self._buffer += part
        return self._buffer

    def line(self) -> bytes:
        while b"\n" not in self._buffer:
            self.part()
        line, _, self._buffer = self._buffer.partition(b"\n")
        return line

    def answer(self) -> dict[str, Any]:
        return dict(json.loads(self.line()))

    def ask(self, request_id: int | str, method: str, value: str = "") -> dict[str, Any]:
        self.send(request_id, method, value)
        return self.answer()

    def words(self) -> str:
        """What the bridge says on stderr until it ends."""
        assert self.process.stderr
        self.process.wait(PATIENCE)
        return self.process.stderr.read().decode()

    def leave(self) -> int:
        """Close stdin, as clients do."""
        assert self.process.stdin
        self.process.stdin.close()
        return self.process.wait(PATIENCE)

    def close(self) -> None:
        if self.process.stdin and not self.process.stdin.closed:
            with suppress(BrokenPipeError):
                self.process.stdin.close()
        try:
            self.process.wait(GRACE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            if pipe:
                pipe.close()


class Home:
    """A user's runtime folder, with an environment that finds it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.environ = {"PATH": os.environ["PATH"], "HOME": str(folder), "XDG_RUNTIME_DIR": str(folder)}
        self._clients: list[Client] = []

    def client(
        self, *words: str, command: list[str] | None = None, cwd: Path | None = None, **environ: str
    ) -> Client:
        """Start a bridge; `command` instead of the one in front of the echo daemon."""
        process = subprocess.Popen(
            [*(command or [sys.executable, ECHO_BRIDGE]), *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**self.environ, **environ},
            cwd=cwd,
            bufsize=0,
        )
        self._clients.append(Client(process))
        return self._clients[-1]

    def file(self, ending: str) -> Path:
        """The daemon's file with this ending."""
        (found,) = (self.folder / "toolbooth").glob(f"*.{ending}")
        return found

    @property
    def log(self) -> str:
        return self.file("log").read_text()

    def daemons(self) -> set[int]:
        """Every daemon that ever listened here."""
        logs = [path.read_text() for path in (self.folder / "toolbooth").glob("*.log")]
        listened = [line for log in logs for line in log.splitlines() if line.endswith("listens")]
        return {int(line.split("[")[1].split("]")[0]) for line in listened}

    def close(self) -> None:
        for client in self._clients:
            client.close()
        daemons = self.daemons()
        _signal(daemons, signal.SIGTERM)
        deadline = time.monotonic() + GRACE
        while any(map(alive, daemons)) and time.monotonic() < deadline:
            time.sleep(0.01)
        _signal(daemons, signal.SIGKILL)
        until(lambda: not any(map(alive, daemons)), "the daemons end")
        shutil.rmtree(self.folder)


def _signal(processes: set[int], number: signal.Signals) -> None:
    for pid in processes:
        with suppress(ProcessLookupError):
            os.kill(pid, number)


@contextmanager
def own_home() -> Iterator[Home]:
    # Not pytest's tmp_path: a socket's path has to be short.
    home = Home(Path(tempfile.mkdtemp(prefix="tb-", dir="/tmp")))
    try:
        yield home
    finally:
        home.close()
