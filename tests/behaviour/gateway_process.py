"""`toolbooth serve --http` in a process of its own, clients of old and new protocol versions, and servers that a
test steers.
"""

import http.client
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

PATIENCE = 240.0  # seconds; only a test that fails waits that long
STEERED_SERVER = str(Path(__file__).with_name("steered_server.py"))
MODERN = "2026-07-28"
HANDSHAKE = "2025-11-25"
ACCEPT = {"accept": "application/json, text/event-stream", "content-type": "application/json"}


def until(condition: Callable[[], object], what: str) -> None:
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, f"in vain: {what}"
        time.sleep(0.02)


def alive(pid: int) -> bool:
    """Zombies of a container without a reaper are dead."""
    with suppress(FileNotFoundError, ProcessLookupError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return False


@dataclass(frozen=True)
class SteeredServer:
    """The folder of one steered server."""

    folder: Path

    @classmethod
    def at(cls, folder: Path) -> "SteeredServer":
        folder.mkdir(parents=True)
        return cls(folder)

    @property
    def entry(self) -> dict[str, Any]:
        """As a config names it."""
        return {"command": sys.executable, "args": [STEERED_SERVER, str(self.folder)]}

    def offer(self, *names: str, **words: str) -> None:
        """These tools, or those with these descriptions, from its next list on."""
        (self.folder / "words").write_text(json.dumps(words))
        (self.folder / "tools").write_text("\n".join([*names, *words]))

    def notes(self, file: str) -> list[str]:
        path = self.folder / file
        return path.read_text().splitlines() if path.exists() else []

    @property
    def pids(self) -> list[int]:
        return [int(line) for line in self.notes("starts")]

    def sign(self, file: str) -> Path:
        path = self.folder / file
        path.touch()
        return path


@dataclass(frozen=True)
class HttpAnswer:
    status: int
    headers: Mapping[str, str]
    body: str

    @property
    def json(self) -> Any:
        """The last message of a stream, or the body."""
        reported = [line.removeprefix("data:") for line in self.body.splitlines() if line.startswith("data:")]
        return json.loads(([each for each in reported if each.strip()] or [self.body])[-1])

    @property
    def text(self) -> str:
        return str(self.json["result"]["content"][0]["text"])


@dataclass
class GatewayProcess:
    """A gateway over HTTP, as its clients and its user see it."""

    process: "subprocess.Popen[bytes]"
    said: list[str] = field(default_factory=list)
    port: int = 0
    key: str | None = None
    _reader: threading.Thread | None = None
    _connections: list[http.client.HTTPConnection] = field(default_factory=list)

    def start(self) -> None:
        self._reader = threading.Thread(target=self._listen, daemon=True)
        self._reader.start()
        until(lambda: self.port or self.process.poll() is not None, "the gateway listens")
        assert self.port, self.said

    def _listen(self) -> None:
        assert self.process.stderr
        for raw in self.process.stderr:
            line = raw.decode()
            self.said.append(line)
            if "serving at http" in line:
                self.key = line.rpartition("once): ")[2].strip() if "once): " in line else None
                self.port = int(line.split("/mcp")[0].rpartition(":")[2])

    def ends(self, number: int | None = None) -> int:
        """The exit code; all that was said is in `said` then."""
        if number is not None:
            self.process.send_signal(number)
        code = self.process.wait(PATIENCE)
        assert self._reader
        self._reader.join(PATIENCE)
        return code

    def connect(self) -> http.client.HTTPConnection:
        """Closed with the gateway at the latest."""
        self._connections.append(http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE))
        return self._connections[-1]

    def close(self) -> None:
        for connection in self._connections:
            connection.close()
        if self.process.poll() is None:
            self.ends(signal.SIGTERM)
        assert self.process.stderr
        self.process.stderr.close()

    def request(self, method: str, path: str, body: object = None, **headers: str) -> HttpAnswer:
        """With the key unless another `authorization` is given; underscores in names are dashes."""
        connection = self.connect()
        try:
            send(connection, method, path, body, self.own(headers))
            return read(connection)
        finally:
            connection.close()

    def own(self, headers: Mapping[str, str]) -> dict[str, str]:
        given = {name.replace("_", "-"): value for name, value in headers.items()}
        known = {"authorization": f"Bearer {self.key}"} if self.key else {}
        return {key: value for key, value in {**known, **given}.items() if value}

    @property
    def state(self) -> Any:
        """What `/health` says to those with the key."""
        return self.request("GET", "/health").json

    def server(self, name: str) -> dict[str, Any]:
        (found,) = [each for each in self.state["gateways"][0]["servers"] if each["server"] == name]
        return dict(found)

    def client(self, path: str = "/mcp") -> "SessionClient":
        return SessionClient(self, path)


def send(
    connection: http.client.HTTPConnection, method: str, path: str, body: object, headers: Mapping[str, str]
) -> None:
    raw = body if isinstance(body, bytes | type(None)) else json.dumps(body).encode()
    connection.request(method, path, raw, {**ACCEPT, **headers})


def read(connection: http.client.HTTPConnection) -> HttpAnswer:
    response = connection.getresponse()
    headers = {key.lower(): value for key, value in response.getheaders()}
    return HttpAnswer(response.status, headers, b"".join(parts(response)).decode())


def parts(response: http.client.HTTPResponse) -> Iterator[bytes]:
    """What comes, until the end; pings of a stream without one do not count as life."""
    deadline = time.monotonic() + PATIENCE
    while part := response.read1(65_536):
        assert time.monotonic() < deadline, "in vain: an answer"
        yield part


class SessionClient:
    """A session of a handshake version."""

    def __init__(self, gateway: GatewayProcess, path: str) -> None:
        self.gateway, self.path = gateway, path
        self.headers: dict[str, str] = {}
        self._last = 100
        welcome = self.post(HELLO)
        assert welcome.status == 200, welcome
        self.welcome = welcome.json["result"]
        self.headers = {
            "mcp-session-id": welcome.headers["mcp-session-id"],
            "mcp-protocol-version": HANDSHAKE,
        }
        self.post({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def post(self, body: object) -> HttpAnswer:
        return self.gateway.request("POST", self.path, body, **self.headers)

    def ask(
        self, method: str, params: Mapping[str, Any] | None = None, number: int | None = None
    ) -> HttpAnswer:
        """Under a number of its own, unless one is given."""
        self._last += 1
        return self.post(message(method, params, self._last if number is None else number))

    def menu(self) -> list[str]:
        return [tool["name"] for tool in self.ask("tools/list").json["result"]["tools"]]

    def call(self, name: str, text: str = "", number: int | None = None) -> HttpAnswer:
        """A backend's tool, through the menu."""
        return self.ask("tools/call", through_menu(name, text), number)

    def find(self, query: str) -> str:
        return self.ask("tools/call", {"name": "search_tools", "arguments": {"query": query}}).text

    @contextmanager
    def listening(self) -> Iterator["http.client.HTTPResponse"]:
        """The stream for what nobody asked for."""
        connection = self.gateway.connect()
        try:
            send(connection, "GET", self.path, None, self.gateway.own(self.headers))
            yield connection.getresponse()
        finally:
            connection.close()


def message(method: str, params: Mapping[str, Any] | None = None, number: int = 1) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": dict(params or {})}


HELLO = message(
    "initialize",
    {"protocolVersion": HANDSHAKE, "capabilities": {}, "clientInfo": {"name": "a client", "version": "1"}},
)


def through_menu(name: str, text: str) -> dict[str, Any]:
    return {"name": "call_tool", "arguments": {"name": name, "arguments": {"text": text}}}


def stateless_request(
    method: str, params: Mapping[str, Any] | None = None, capabilities: Mapping[str, Any] | None = None
) -> tuple[dict[str, Any], dict[str, str]]:
    """A request of the stateless version, and the headers that it wants."""
    mark = "io.modelcontextprotocol/"
    meta = {
        f"{mark}protocolVersion": MODERN,
        f"{mark}clientCapabilities": dict(capabilities or {}),
        f"{mark}clientInfo": {"name": "a client", "version": "1"},
    }
    named = {"mcp-name": str(params["name"])} if params and "name" in params else {}
    headers = {"mcp-protocol-version": MODERN, "mcp-method": method, **named}
    return message(method, {**(params or {}), "_meta": meta}), headers


def isolated_environ(home: Path) -> dict[str, str]:
    """Nothing of the real user's folders may leak in, or be written to."""
    folders = ("HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR")
    return {"PATH": os.environ["PATH"], "PYTHONUTF8": "1", **dict.fromkeys(folders, str(home))}


def write_config(path: Path, servers: Mapping[str, Any]) -> Path:
    """Anew, as editors do: written beside it and renamed."""
    beside = path.with_name(f"{path.name}.new")
    beside.write_text(json.dumps({"mcpServers": servers}))
    return beside.replace(path)


@contextmanager
def gateway_process(home: Path, *words: str | Path, **environ: str) -> Iterator[GatewayProcess]:
    """Every process that it started is gone afterwards."""
    process = subprocess.Popen(
        [sys.executable, "-m", "toolbooth", "serve", "--http", "--port", "0", *map(str, words)],
        stdin=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env={**isolated_environ(home), **environ},
        cwd=home,
    )
    gateway = GatewayProcess(process)
    try:
        gateway.start()
        yield gateway
    finally:
        gateway.close()
