"""What tests of backends stand on: clients that remember what they were told, and backends before real servers."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import anyio
from tests.faults.gateway_driver import Server

from toolbooth.catalog import ServerSpec, ServerTools
from toolbooth.catalog.connect import Era, Face, Notice
from toolbooth.gateway.backends import Backend
from toolbooth.gateway.caller import Caller, Session

PATIENCE = 30.0  # seconds until a wait is given up; no test measures time


@dataclass(eq=False)
class Ear:
    """A client: keeps what it is told, and answers every question with its own name."""

    name: str = "someone"
    told: list[tuple[str, Mapping[str, Any] | None]] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)

    def notify(self, method: str, params: Mapping[str, Any] | None) -> None:
        self.told.append((method, params))

    async def ask(self, method: str, params: Mapping[str, Any] | None) -> dict[str, Any]:  # noqa: ARG002
        self.asked.append(method)
        return {"from": self.name}

    def let_go(self) -> None:
        self.told.append(("let go", None))


@dataclass(eq=False)
class Client:
    """A session and its ear."""

    session: Session
    ear: Ear

    def caller(self, **more: Any) -> Caller:
        return Caller(self.session, self.session.face, self.ear, **more)


def client(name: str, *offers: str, modern: bool = False) -> Client:
    ear = Ear(name)
    face = Face(capabilities={each: {} for each in offers})
    version = "2026-07-28" if modern else "2025-06-18"
    return Client(Session(name, version, modern, face, None if modern else ear), ear)


@dataclass(eq=False)
class Reader:
    """Who uses a backend, and hears its news."""

    lists: list[ServerTools] = field(default_factory=list)
    notices: list[str] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)

    def offers(self, backend: Backend, tools: ServerTools, era: Era, face: Face) -> None:  # noqa: ARG002
        self.lists.append(tools)

    def failed(self, backend: Backend, *, changed: bool = False) -> None:  # noqa: ARG002
        self.failures.append(backend.name)

    def noticed(self, backend: Backend, notice: Notice) -> None:  # noqa: ARG002
        self.notices.append(notice.method)


def spec_of(server: Server, **settings: Any) -> ServerSpec:
    entry = server.entry
    return ServerSpec(server.name, "stdio", entry["command"], tuple(entry["args"]), **settings)


@asynccontextmanager
async def backend_before(
    server: Server, idle_stop: float = 0, environ: Mapping[str, str] | None = None, **settings: Any
) -> AsyncIterator[Backend]:
    """A backend in front of a hostile server of its own; both are gone at the end."""
    async with anyio.create_task_group() as tasks:
        backend = Backend(spec_of(server, **settings), environ or {}, idle_stop, tasks)
        try:
            yield backend
        finally:
            backend.stop()
            with anyio.CancelScope(shield=True):
                await backend.stopped()
            tasks.cancel_scope.cancel()


async def until(condition: Any) -> None:
    with anyio.fail_after(PATIENCE):
        while not condition():  # noqa: ASYNC110 - the condition lies in another process
            await anyio.sleep(0.005)


def call_of(tool: str, **arguments: Any) -> dict[str, Any]:
    return {"name": tool, "arguments": arguments}


def hostile(folder: Path, *ways: str) -> Server:
    return Server("bad", folder, ways)
