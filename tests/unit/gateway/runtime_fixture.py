"""A runtime whose configs a test writes, and clients that its views serve."""

import json
import os
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
from tests.behaviour.gateway_process import PATIENCE, SteeredServer, write_config

from toolbooth.catalog.connect import ClientIdentity, QuestionRefused
from toolbooth.gateway.calls.context import CallStep
from toolbooth.gateway.calls.tool_result import ToolResult
from toolbooth.gateway.handlers import answer
from toolbooth.gateway.runtime import GatewayRequest, Runtime, open_runtime
from toolbooth.gateway.session import Caller, Session
from toolbooth.gateway.surfaces.view import View

CLIENT_IDENTITY = ClientIdentity({"name": "test", "version": "1"}, {})


class Client:
    """A client of a handshake version that a view serves; what it receives is in `heard`."""

    def __init__(self, view: View) -> None:
        self.view, self.heard = view, list[str]()
        fixed = not view.changes
        self.session = Session(
            os.urandom(8).hex(), "2025-11-25", False, CLIENT_IDENTITY, self, fixed_menu=fixed
        )
        view.gateway.enter(self.session)

    def notify(self, method: str, params: Mapping[str, Any] | None) -> None:  # noqa: ARG002
        self.heard.append(method)

    async def ask(self, method: str, params: Mapping[str, Any] | None) -> dict[str, Any]:  # noqa: ARG002
        raise QuestionRefused(-32601, "this client answers nothing")

    def let_go(self) -> None:
        return

    async def request(self, method: str, params: Mapping[str, Any] | None = None) -> dict[str, Any]:
        result = await answer(self.view, Caller(self.session, CLIENT_IDENTITY, self), method, params or {})
        read: dict[str, Any] = result.value if isinstance(result, ToolResult) else result
        return read

    async def call(self, name: str, **arguments: str) -> str:
        called = {"name": "call_tool", "arguments": {"name": name, "arguments": arguments}}
        return str((await self.request("tools/call", called))["content"][0]["text"])

    async def call_builtin(self, name: str, **arguments: Any) -> str:
        result = await self.request("tools/call", {"name": name, "arguments": arguments})
        return str(result["content"][0]["text"])

    async def menu(self) -> list[str]:
        return [each["name"] for each in (await self.request("tools/list"))["tools"]]

    def leave(self) -> None:
        self.view.gateway.leave(self.session)


class RuntimeFixture:
    """A runtime, a folder of configs, and steered servers."""

    def __init__(self, home: Path, runtime: Runtime) -> None:
        self.home, self.runtime = home, runtime
        self.one, self.two = (SteeredServer.at(home / name) for name in ("one", "two"))

    def config(self, name: str = "a", **servers: Any) -> Path:
        return write_config(self.home / f"{name}.json", servers)

    def yaml(self, text: str, **servers: Any) -> Path:
        path = self.home / "toolbooth.yaml"
        path.write_text(f"{text}\nservers: {json.dumps(servers)}\n")
        return path

    async def enter(self, *configs: Path, surface: str | None = None, cwd: Path | None = None) -> Client:
        named = tuple(map(str, configs))
        environ = {"HOME": str(self.home), "PATH": os.environ["PATH"]}
        return Client(await self.runtime.enter(GatewayRequest(named, surface, cwd or self.home, environ)))


@asynccontextmanager
async def opened(home: Path, steps: Sequence[CallStep] = ()) -> AsyncIterator[RuntimeFixture]:
    async with open_runtime({"XDG_CACHE_HOME": str(home / "cache")}, home, steps=steps) as runtime:
        yield RuntimeFixture(home, runtime)


async def until(condition: Callable[[], object], what: str) -> None:
    with anyio.move_on_after(PATIENCE):
        while not condition():  # noqa: ASYNC110 - files and processes tell nobody that they changed
            await anyio.sleep(0.01)
        return
    raise AssertionError(f"in vain: {what}")
