"""The demo servers in this process, without a gateway: for the mode `baseline`, and for the expected answers."""

import json
from collections.abc import Mapping
from importlib import import_module
from typing import Any

from toolbooth.demo import DEMO_SERVERS
from toolbooth.demo.toolkit import DemoServer
from toolbooth.tokens import count, weigh

from .agent import Call


class DirectServers:
    """Every server with its own fresh data."""

    def __init__(self) -> None:
        self._servers: dict[str, DemoServer[Any]] = {
            name: import_module(f"toolbooth.demo.{name}").server for name in DEMO_SERVERS
        }
        self._states: dict[str, Any] = {}
        self._calls = 0

    @property
    def menu(self) -> int:
        """All definitions as the servers send them, and all instructions."""
        raw_tools = [tool.raw for server in self._servers.values() for tool in server.tools.values()]
        said = sum(count(server.instructions) for server in self._servers.values())
        return weigh(raw_tools).total_tokens + said

    def call(self, call: Call) -> str:
        """The whole text; structured content that repeats it is not counted twice."""
        self._calls += 1
        return self.peek(call.tool, call.arguments)

    def made(self) -> int:
        return self._calls

    def peek(self, name: str, arguments: Mapping[str, Any]) -> str:
        server, _, tool = name.partition(".")
        if server not in self._states:
            self._states[server] = self._servers[server].seed()
        result = self._servers[server].tools[tool].answer(self._states[server], arguments)
        return "\n".join(block["text"] for block in result["content"] if block["type"] == "text")

    def ask(self, name: str, **arguments: Any) -> Any:
        """An answer as data; ValueError if it is plain text, such as an error message."""
        return json.loads(self.peek(name, arguments))
