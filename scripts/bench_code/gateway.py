"""A gateway process on stdio in front of the demo servers, with its cache filled as after a first day of use."""

import json
import os
import sys
import time
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from types import TracebackType
from typing import Any, Self

from toolbooth.demo import DEMO_SERVERS, demo_command
from toolbooth.tokens import count, weigh

from ..bench_gateway.pipe import ContenderFailed, Pipe
from .agent import Call

TOOLBOOTH = Path(sys.executable).with_name("toolbooth")
HOMES = ("HOME", "XDG_RUNTIME_DIR", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME")
PATIENCE = 30.0  # seconds for eight servers to list their tools
LOOK_AGAIN = 0.1
DEMOS: Mapping[str, list[str]] = {name: list(demo_command(name)) for name in DEMO_SERVERS}


class BenchGateway:
    """A gateway with its own home folder. Leaving it ends the process and its servers."""

    def __init__(self, surface: str, servers: Mapping[str, list[str]] = DEMOS) -> None:
        self._surface, self._servers = surface, servers
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        self._folder = Path(self._stack.enter_context(TemporaryDirectory(prefix="tbc-", dir="/tmp")))
        first = self._start()  # the instructions describe only servers that the cache knows
        first.close()
        self.pipe = self._start()
        self._stack.callback(self.pipe.close)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()

    def _start(self) -> Pipe:
        entries = {name: {"command": words[0], "args": words[1:]} for name, words in self._servers.items()}
        config = self._folder / "mcp.json"
        config.write_text(json.dumps({"mcpServers": entries}))
        flags = ("--no-daemon", "--surface", self._surface, "--config", config)
        env = {**os.environ, **{name: str(self._folder / name) for name in HOMES}}
        pipe = Pipe([TOOLBOOTH, "serve", *flags], self._folder, env)
        try:
            self.instructions = pipe.open().get("instructions") or ""
            self._until_known(pipe)
        except BaseException:
            pipe.close()
            raise
        return pipe

    def _until_known(self, pipe: Pipe) -> None:
        end = time.monotonic() + PATIENCE
        while not all(each["tools"] for each in _health(pipe)):
            if time.monotonic() > end:
                raise ContenderFailed(f"not all servers listed their tools: {_health(pipe)}")
            time.sleep(LOOK_AGAIN)

    @property
    def menu(self) -> int:
        """The few tools of the gateway, and its instructions."""
        return weigh(self.pipe.list_tools()).total_tokens + count(self.instructions)

    def call(self, call: Call) -> str:
        """The text, also of an error, because the agent reads that, too."""
        params = {"name": call.tool, "arguments": call.arguments}
        result = self.pipe.ask("tools/call", params).result
        return "\n".join(block["text"] for block in result["content"] if block["type"] == "text")

    def made(self) -> int:
        calls: int = _resource(self.pipe, "stats")["session"]["totals"]["calls"]
        return calls

    def peek(self, name: str, arguments: Mapping[str, Any]) -> str:
        if self._surface == "code":
            return self.call(
                Call("call_tool_chain", {"code": json.dumps({"tool": name, "arguments": arguments})})
            )
        return self.call(Call("call_tool", {"name": name, "arguments": arguments}))


def _health(pipe: Pipe) -> list[dict[str, Any]]:
    servers: list[dict[str, Any]] = _resource(pipe, "health")["servers"]
    return servers


def _resource(pipe: Pipe, name: str) -> Any:
    result = pipe.ask("resources/read", {"uri": f"toolbooth://{name}"}).result
    return json.loads(result["contents"][0]["text"])
