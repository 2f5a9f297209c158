"""An MCP connection over stdio whose client costs next to nothing: blocking pipes, no SDK."""

import contextlib
import os
import select
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import orjson

PROTOCOL = "2025-11-25"
STATELESS = "2026-07-28"
CLIENT = {"name": "bench", "version": "1"}
META = "io.modelcontextprotocol/"
STAMP = {f"{META}protocolVersion": STATELESS, f"{META}clientInfo": CLIENT, f"{META}clientCapabilities": {}}
PATIENCE = 60.0  # seconds for one answer; a first call may start four Node servers
PIPE_BYTES = 1 << 20  # a reader that is woken every 64 KiB would itself cause the delay that is measured
F_SETPIPE_SZ = 1031


class ContenderFailed(Exception):
    """A contender did not start, did not answer or answered wrongly; the message says why in one line."""


class Answer(NamedTuple):
    """An answer as it came, and the seconds from the first byte written to the last byte read."""

    result: dict[str, Any]
    seconds: float


class Pipe:
    """One process that speaks MCP on its stdin and stdout."""

    def __init__(
        self,
        command: Sequence[str | Path],
        folder: Path,
        env: Mapping[str, str],
        version: str = PROTOCOL,
    ) -> None:
        self.stateless = version == STATELESS
        self.complaints = folder / f"stderr-{time.monotonic_ns()}"
        self.started = time.perf_counter()
        with self.complaints.open("wb") as stderr:
            self.process = subprocess.Popen(
                [str(word) for word in command],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=stderr,
                cwd=folder,
                env=dict(env),
                start_new_session=True,
            )
        self._streams = [stream for stream in (self.process.stdin, self.process.stdout) if stream]
        self.stdin, self.stdout = (stream.fileno() for stream in self._streams)
        self._poll = select.poll()
        self._poll.register(self.stdout, select.POLLIN | select.POLLHUP)
        self._rest = b""
        self._last_id = 0
        self._widen()

    def open(self) -> dict[str, Any]:
        """Introduce the client; returns the server's description of itself."""
        if self.stateless:
            return self.ask("server/discover").result
        params = {"protocolVersion": PROTOCOL, "capabilities": {}, "clientInfo": CLIENT}
        result = self.ask("initialize", params).result
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        return result

    def ask(self, method: str, params: Mapping[str, Any] | None = None) -> Answer:
        """One request and its answer, timed."""
        self._last_id += 1
        wanted = self._last_id
        line = self.request(wanted, method, params or {})
        start = time.perf_counter()
        self.write(line)
        while True:
            answer = self._line()
            end = time.perf_counter()
            message = self._read(answer)
            if message.get("id") == wanted and "method" not in message:
                return Answer(self._result(message), end - start)
            self._decline(message)

    def call(self, tool: str, arguments: Mapping[str, Any]) -> Answer:
        """One `tools/call`; an error result counts as a failure here."""
        answer = self.ask("tools/call", {"name": tool, "arguments": arguments})
        if answer.result.get("isError"):
            raise ContenderFailed(f"{tool} failed: {orjson.dumps(answer.result).decode()[:160]}")
        return answer

    def list_tools(self) -> list[dict[str, Any]]:
        """All pages of `tools/list`."""
        tools: list[dict[str, Any]] = []
        params: dict[str, Any] = {}
        while True:
            page = self.ask("tools/list", params).result
            tools += page["tools"]
            if not page.get("nextCursor"):
                return tools
            params = {"cursor": page["nextCursor"]}

    def send(self, message: Mapping[str, Any]) -> None:
        self.write(orjson.dumps(message) + b"\n")

    def close(self) -> None:
        """End the process as a client does, by closing its stdin, then by force, with all its children."""
        for stream in self._streams:
            stream.close()
        try:
            self.process.wait(3)
        except subprocess.TimeoutExpired:
            self._signal(signal.SIGTERM)
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(3)
        self._signal(signal.SIGKILL)
        self.process.wait()

    def failure(self, what: str) -> ContenderFailed:
        """What went wrong, with the last line that the process wrote to stderr."""
        said = self.complaints.read_text(errors="replace").strip().splitlines()
        return ContenderFailed(f"{what}; it said: {said[-1].strip()[:160]}" if said else what)

    def request(self, number: int, method: str, params: Mapping[str, Any]) -> bytes:
        """One JSON-RPC request as a line; in a stateless version each carries what a handshake would say."""
        given = {**params, "_meta": STAMP} if self.stateless else params
        return orjson.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": given}) + b"\n"

    def write(self, data: bytes) -> None:
        try:
            while data:
                data = data[os.write(self.stdin, data) :]
        except OSError as error:
            raise self.failure("it ended") from error

    def _line(self) -> bytes:
        """The next line.

        Parts are joined once, so that a line of 16 MB takes no quadratic time.
        """
        parts = [self._rest]
        while b"\n" not in parts[-1]:
            if not self._poll.poll(PATIENCE * 1000):
                raise self.failure(f"no answer within {PATIENCE:.0f} s")
            part = os.read(self.stdout, PIPE_BYTES)
            if not part:
                raise self.failure("it ended")
            parts.append(part)
        end, _, self._rest = parts[-1].partition(b"\n")
        parts[-1] = end
        return b"".join(parts)

    def _read(self, line: bytes) -> dict[str, Any]:
        try:
            message = orjson.loads(line)
        except orjson.JSONDecodeError:
            return {}
        return message if isinstance(message, dict) else {}

    def _result(self, message: Mapping[str, Any]) -> dict[str, Any]:
        if "error" in message:
            raise ContenderFailed(f"it answered with an error: {str(message['error'])[:160]}")
        result: dict[str, Any] = message["result"]
        return result

    def _decline(self, message: Mapping[str, Any]) -> None:
        if "method" in message and "id" in message:
            refusal = {"code": -32601, "message": "the bench offers nothing"}
            self.send({"jsonrpc": "2.0", "id": message["id"], "error": refusal})

    def _signal(self, number: int) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, number)

    def _widen(self) -> None:
        if os.uname().sysname == "Linux":
            import fcntl

            fcntl.fcntl(self.stdout, F_SETPIPE_SZ, PIPE_BYTES)
