"""A gateway of its own in front of hostile servers, driven by raw JSON-RPC over its stdin and stdout."""

import itertools
import json
import os
import queue
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

HOSTILE = str(Path(__file__).with_name("hostile_calls.py"))
PATIENCE = 240.0  # seconds until a wait is given up; no test measures time


@dataclass(frozen=True)
class HostileServer:
    """One hostile server of the config, and the diary in which it writes what it saw."""

    name: str
    folder: Path
    ways: tuple[str, ...] = ()
    settings: Mapping[str, Any] = field(default_factory=dict)
    remote: Mapping[str, Any] | None = None

    @property
    def diary(self) -> Path:
        return self.folder / f"{self.name}.diary"

    @property
    def entry(self) -> dict[str, Any]:
        if self.remote is not None:
            return dict(self.remote)
        words = ["-S", HOSTILE, str(self.diary), *self.ways]
        return {"command": sys.executable, "args": words, **self.settings}

    def seen(self, *words: str) -> list[str]:
        """The lines of the diary that begin with these words."""
        said = self.diary.read_text(encoding="utf-8").splitlines() if self.diary.exists() else []
        return [line for line in said if line.split()[: len(words)] == list(words)]

    @property
    def pids(self) -> list[int]:
        return [int(line.split()[1]) for line in self.seen("start")]


class DrivenGateway:
    """`toolbooth serve --no-daemon` after its handshake."""

    def __init__(self, process: "subprocess.Popen[bytes]") -> None:
        self.process = process
        self.notices: list[dict[str, Any]] = []
        self._ids = itertools.count(1)
        self._answers: dict[int, queue.Queue[dict[str, Any]]] = {}
        self._order: list[int] = []
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            message = json.loads(line)
            if "method" in message:
                self.notices.append(message)
            else:
                self._order.append(message["id"])
                self._answers[message["id"]].put(message)
        for waiting in self._answers.values():
            waiting.put({"gone": "the gateway closed its side"})

    def send(self, method: str, params: Any = None, **extra: Any) -> None:
        assert self.process.stdin is not None
        message = {"jsonrpc": "2.0", "method": method, "params": params or {}, **extra}
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()

    def begin(self, method: str, params: Any = None) -> int:
        """Send a request and give back its id."""
        number = next(self._ids)
        self._answers[number] = queue.Queue()
        self.send(method, params, id=number)
        return number

    def answer(self, number: int) -> dict[str, Any]:
        return self._answers[number].get(timeout=PATIENCE)

    def answered_before(self, one: int, other: int) -> bool:
        """Whether the answer of `one` came earlier; both have to be there."""
        return self._order.index(one) < self._order.index(other)

    def request(self, method: str, params: Any = None) -> dict[str, Any]:
        return self.answer(self.begin(method, params))

    def begin_call(self, tool: str, **arguments: Any) -> int:
        given = {"name": tool, "arguments": arguments}
        return self.begin("tools/call", {"name": "call_tool", "arguments": given})

    def call(self, tool: str, **arguments: Any) -> "ToolAnswer":
        return self.said(self.begin_call(tool, **arguments))

    def builtin(self, name: str, arguments: Mapping[str, Any] | None = None) -> "ToolAnswer":
        """A call of a built-in tool."""
        return self.said(self.begin("tools/call", {"name": name, "arguments": arguments or {}}))

    def said(self, number: int) -> "ToolAnswer":
        message = self.answer(number)
        assert "result" in message, message
        result = message["result"]
        return ToolAnswer(result["content"][0]["text"], result.get("isError", False))

    def cancel(self, number: int) -> None:
        self.send("notifications/cancelled", {"requestId": number})

    def unanswered(self, number: int) -> bool:
        return self._answers[number].empty()


@dataclass(frozen=True)
class ToolAnswer:
    """The text of a tool's answer, and whether it is an error."""

    text: str
    error: bool


def until(condition: Callable[[], object]) -> None:
    """Wait for what other processes do; the deadline only ends a test that has failed already."""
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, "it never happened"
        time.sleep(0.01)


def alive(pid: int) -> bool:
    """A zombie does not live."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]
    except OSError:
        return _answers_signals(pid)
    return state != "Z"


def _answers_signals(pid: int) -> bool:
    if Path("/proc/self").exists():
        return False
    try:
        os.kill(pid, 0)
    except OSError:
        return False
    return True


@contextmanager
def gateway(
    folder: Path,
    *servers: HostileServer,
    surface: str = "full",
    settings: Mapping[str, Any] | None = None,
    **environ: str,
) -> Iterator[DrivenGateway]:
    """Start it in front of these servers; it and they are gone at the end."""
    with started(folder, *servers, surface=surface, settings=settings, **environ) as process:
        made = DrivenGateway(process)
        shake_hands(made)
        yield made


def shake_hands(booth: DrivenGateway) -> None:
    """As a client of a handshake version that offers nothing."""
    about = {"name": "t", "version": "1"}
    booth.request("initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": about})
    booth.send("notifications/initialized")


@contextmanager
def started(
    folder: Path,
    *servers: HostileServer,
    surface: str = "full",
    settings: Mapping[str, Any] | None = None,
    **environ: str,
) -> "Iterator[subprocess.Popen[bytes]]":
    """The process alone, with its stderr in a file; `settings` are other keys of its config."""
    folder = Path(tempfile.mkdtemp(dir=folder))
    config = folder / "toolbooth.yaml"
    named = {each.name: each.entry for each in servers}
    config.write_text(json.dumps({**(settings or {}), "servers": named}), encoding="utf-8")
    places = {name: str(folder) for name in ("HOME", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR", "XDG_DATA_HOME")}
    words = ["-m", "toolbooth", "serve", "--no-daemon", "--config", str(config), "--surface", surface]
    with (
        (folder / "stderr").open("wb") as stderr,
        subprocess.Popen(
            [sys.executable, *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=stderr,
            env={**places, "PATH": os.environ["PATH"], "PYTHONUTF8": "1", **environ},
            cwd=folder,
        ) as process,
    ):
        try:
            yield process
        finally:
            process.terminate()
            process.wait(PATIENCE)
    assert "Traceback" not in (folder / "stderr").read_text(encoding="utf-8")
