"""A client that sees every byte: raw JSON-RPC to `toolbooth serve` on stdio, in old and new protocol versions."""

import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2

ROOT = Path(__file__).parents[2]
PATIENCE = 240.0  # seconds; only a test that fails waits that long
META = "io.modelcontextprotocol/"
EVERYTHING: dict[str, Any] = {"roots": {"listChanged": True}, "sampling": {}, "elicitation": {"form": {}}}
Message = dict[str, Any]
Reply = Callable[[Mapping[str, Any]], dict[str, Any]]


class Refused(Exception):
    """A reply that is an error."""

    def __init__(self, code: int, message: str) -> None:
        self.code = code
        super().__init__(message)


def backend(protocol: str, *, url: str | None = None, **more: Any) -> dict[str, Any]:
    """The talking server as an entry of a config."""
    if url is not None:
        return {"url": url, **more}
    return {
        "command": sys.executable,
        "args": ["-m", "tests.behaviour.servers", protocol],
        "env": {"PYTHONPATH": str(ROOT)},
        **more,
    }


def isolated_environ(home: Path) -> dict[str, str]:
    """Nothing of the real user's folders may leak in, or be written to."""
    folders = (
        "HOME",
        "XDG_CACHE_HOME",
        "XDG_CONFIG_HOME",
        "XDG_DATA_HOME",
        "XDG_RUNTIME_DIR",
        "XDG_STATE_HOME",
    )
    return {"PATH": os.environ["PATH"], "PYTHONUTF8": "1", **dict.fromkeys(folders, str(home))}


def write_config(home: Path, servers: Mapping[str, Any]) -> Path:
    """A client's own file, or ours where an entry says what only ours can."""
    ours = any("call_timeout" in each for each in servers.values())
    config = home / ("toolbooth.yaml" if ours else "servers.json")
    config.write_text(json.dumps({"servers" if ours else "mcpServers": servers}), encoding="utf-8")
    return config


def stamped(
    params: Mapping[str, Any] | None, info: Mapping[str, Any], capabilities: Mapping[str, Any]
) -> dict[str, Any]:
    """Parameters as the stateless protocol version wants them."""
    stamps = {
        f"{META}protocolVersion": "2026-07-28",
        f"{META}clientInfo": info,
        f"{META}clientCapabilities": capabilities,
    }
    given = dict(params or {})
    return {**given, "_meta": {**stamps, **given.get("_meta", {})}}


def call_params(surface: str, tool: str, arguments: Mapping[str, Any], **more: Any) -> dict[str, Any]:
    """A call of a tool of the only server, `talk`, as a surface names it."""
    if surface == "direct":
        return {"name": f"talk__{tool}", "arguments": dict(arguments), **more}
    inner = {"name": f"talk.{tool}", "arguments": dict(arguments)}
    return {"name": "call_tool", "arguments": inner, **more}


class HttpGatewayClient:
    """The same over HTTP: one POST a request, every message of its answer in order."""

    info = {"name": "over http", "version": "1"}  # noqa: RUF012 - never changed

    def __init__(self, url: str, surface: str, protocol: str) -> None:
        self._url, self.surface, self.protocol = f"{url}/{surface}", surface, protocol
        self._http = httpx2.Client(
            timeout=PATIENCE, headers={"accept": "application/json, text/event-stream"}
        )
        self._headers: dict[str, str] = {}
        if protocol == "old":
            hello = {"protocolVersion": "2025-11-25", "capabilities": EVERYTHING, "clientInfo": self.info}
            answer = self._post("initialize", hello)
            self._headers = {
                "mcp-session-id": answer.headers["mcp-session-id"], "mcp-protocol-version": "2025-11-25"
            }  # fmt: skip

    def messages(self, tool: str, _meta: Mapping[str, Any] | None = None, **arguments: Any) -> list[Message]:
        params = call_params(self.surface, tool, arguments, **({"_meta": _meta} if _meta else {}))
        if self.protocol == "new":
            params = stamped(params, self.info, EVERYTHING)
            self._headers = {
                "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": params["name"]
            }  # fmt: skip
        answer = self._post("tools/call", params)
        if "event-stream" not in answer.headers["content-type"]:
            return [answer.json()]
        events = (
            line.removeprefix("data: ") for line in answer.text.split("\n") if line.startswith("data: ")
        )
        return [json.loads(event) for event in events if event.strip()]

    def _post(self, method: str, params: Mapping[str, Any]) -> httpx2.Response:
        body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        return self._http.post(self._url, json=body, headers=self._headers)

    def close(self) -> None:
        self._http.close()


class GatewayClient:
    """One client of one surface. `replies` answers what the server asks; all that comes is in `heard`, in order."""

    def __init__(
        self,
        process: "subprocess.Popen[bytes]",
        surface: str,
        protocol: str,
        capabilities: Mapping[str, Any],
        name: str = "a client",
        version: str = "1",
    ) -> None:
        self._process, self.surface, self.protocol, self.capabilities = (
            process,
            surface,
            protocol,
            capabilities,
        )
        self.theirs, self.transport = protocol, "stdio"  # of the server behind, where a test says no other
        self.info = {"name": name, "version": version}
        self.heard: list[Message] = []
        self.replies: dict[str, Reply] = {}
        self._changed = threading.Condition()
        self._last = 0
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    # -- the pipe ------------------------------------------------------------------------------------------
    def _read(self) -> None:
        assert self._process.stdout
        for line in self._process.stdout:
            message = json.loads(line)
            with self._changed:
                self.heard.append(message)
                self._changed.notify_all()
            if "method" in message and "id" in message and message["method"] in self.replies:
                self._reply(message)

    def _reply(self, message: Message) -> None:
        try:
            answer = {"result": self.replies[message["method"]](message.get("params") or {})}
        except Refused as refused:
            answer = {"error": {"code": refused.code, "message": str(refused)}}
        self.write({"jsonrpc": "2.0", "id": message["id"], **answer})

    def write(self, message: Message) -> None:
        assert self._process.stdin
        self._process.stdin.write(json.dumps(message).encode() + b"\n")
        self._process.stdin.flush()

    def until(self, fits: Callable[[Message], bool], since: int = 0) -> Message:
        """The first message that fits, from now or from before."""

        def found() -> Message | None:
            return next((each for each in self.heard[since:] if fits(each)), None)

        with self._changed:
            assert self._changed.wait_for(lambda: found() is not None, PATIENCE), (
                f"in vain: {self.heard[-5:]}"
            )
        message = found()
        assert message is not None
        return message

    # -- requests ------------------------------------------------------------------------------------------
    def send(
        self, method: str, params: Mapping[str, Any] | None = None, number: int | str | None = None
    ) -> int | str:
        if number is None:
            self._last += 1
            number = self._last
        self.write({"jsonrpc": "2.0", "id": number, "method": method, "params": self._stamped(params)})
        return number

    def _stamped(self, params: Mapping[str, Any] | None) -> dict[str, Any]:
        return stamped(params, self.info, self.capabilities) if self.protocol == "new" else dict(params or {})

    def notify(self, method: str, params: Mapping[str, Any]) -> None:
        self.write({"jsonrpc": "2.0", "method": method, "params": dict(params)})

    def answer_to(self, number: int | str) -> Message:
        return self.until(lambda each: each.get("id") == number and "method" not in each)

    def ask(self, method: str, params: Mapping[str, Any] | None = None) -> Message:
        """The whole answer: its `result` or its `error`."""
        return self.answer_to(self.send(method, params))

    def result(self, method: str, params: Mapping[str, Any] | None = None) -> dict[str, Any]:
        answer = self.ask(method, params)
        assert "result" in answer, answer
        result: dict[str, Any] = answer["result"]
        return result

    def call_params(self, tool: str, arguments: Mapping[str, Any], **more: Any) -> dict[str, Any]:
        """A tool of the only server, `talk`, named as this surface names it."""
        return call_params(self.surface, tool, arguments, **more)

    def call(self, tool: str, _meta: Mapping[str, Any] | None = None, **arguments: Any) -> dict[str, Any]:
        """The result of a call, without what only the newer protocol version has."""
        more = {} if _meta is None else {"_meta": dict(_meta)}
        return self.bare(self.result("tools/call", self.call_params(tool, arguments, **more)))

    def bare(self, result: Mapping[str, Any]) -> dict[str, Any]:
        kept = dict(result)
        if self.protocol == "new":
            assert kept.pop("resultType") == "complete"
        assert "resultType" not in kept
        return kept

    def facts(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """What a tool said as structured content."""
        facts: dict[str, Any] = self.call(tool, **arguments)["structuredContent"]
        return facts

    def received(self, method: str, since: int = 0) -> list[dict[str, Any]]:
        """The parameters of all notifications of a kind."""
        return [each.get("params") or {} for each in self.heard[since:] if each.get("method") == method]

    # -- life ----------------------------------------------------------------------------------------------
    def introduce(self) -> Message:
        if self.protocol == "new":
            return self.ask("server/discover")
        hello = self.ask(
            "initialize",
            {
                "protocolVersion": "2025-11-25",
                "capabilities": dict(self.capabilities),
                "clientInfo": self.info,
            },
        )
        self.notify("notifications/initialized", {})
        return hello

    def close(self) -> str:
        """Leave as clients do, and give back what was said on stderr."""
        assert self._process.stdin
        assert self._process.stdout
        assert self._process.stderr
        self._process.stdin.close()
        try:
            self._process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            raise
        self._reader.join(PATIENCE)
        said = self._process.stderr.read().decode()
        self._process.stdout.close()
        self._process.stderr.close()
        return said


@contextmanager
def connected(
    home: Path,
    servers: Mapping[str, Any],
    surface: str = "direct",
    protocol: str = "old",
    capabilities: Mapping[str, Any] = EVERYTHING,
    *,
    daemon: bool = False,
    name: str = "a client",
    version: str = "1",
    config: Path | None = None,
) -> Iterator[GatewayClient]:
    """A client that has introduced itself to a gateway of its own, or to the daemon of this home.

    A `config` that is there already stands in place of `servers`.
    """
    words = ["serve", "--config", str(config or write_config(home, servers)), "--surface", surface]
    words += [] if daemon else ["--no-daemon"]
    process = subprocess.Popen(
        [sys.executable, "-m", "toolbooth", *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=isolated_environ(home),
        cwd=home,
    )
    client = GatewayClient(process, surface, protocol, capabilities, name, version)
    try:
        client.introduce()
        yield client
    finally:
        said = client.close()
        assert "Traceback" not in said, said
