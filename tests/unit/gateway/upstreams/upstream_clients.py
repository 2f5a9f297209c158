"""Clients that remember what they received, and upstreams in front of real servers."""

import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import anyio
from tests.faults.gateway_driver import HostileServer

from toolbooth.access import LOCAL_USER, Principal
from toolbooth.catalog import ServerSpec, ServerTools
from toolbooth.catalog.connect import ClientIdentity, NegotiatedProtocol, Notice
from toolbooth.gateway.session import Caller, Session
from toolbooth.gateway.upstreams.upstream import Upstream

PATIENCE = 240.0  # seconds until a wait is given up; no test measures time


@dataclass(eq=False)
class RecordingChannel:
    """A client: keeps what it receives, and answers every question with its own name."""

    name: str = "someone"
    sent: list[tuple[str, Mapping[str, Any] | None]] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)

    def notify(self, method: str, params: Mapping[str, Any] | None) -> None:
        self.sent.append((method, params))

    async def ask(self, method: str, params: Mapping[str, Any] | None) -> dict[str, Any]:  # noqa: ARG002
        self.asked.append(method)
        return {"from": self.name}

    def let_go(self) -> None:
        self.sent.append(("let go", None))


@dataclass(eq=False)
class Client:
    """A session and its ear."""

    session: Session
    channel: RecordingChannel

    def caller(self, **more: Any) -> Caller:
        return Caller(self.session, self.session.client_identity, self.channel, **more)


def client(name: str, *capabilities: str, modern: bool = False, principal: Principal = LOCAL_USER) -> Client:
    channel = RecordingChannel(name)
    client_identity = ClientIdentity(capabilities={each: {} for each in capabilities})
    version = "2026-07-28" if modern else "2025-06-18"
    session = Session(
        name, version, modern, client_identity, None if modern else channel, principal=principal
    )
    return Client(session, channel)


@dataclass(eq=False)
class Reader:
    """Who uses a backend, and hears its news."""

    lists: list[ServerTools] = field(default_factory=list)
    notices: list[str] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)

    def tools_listed(
        self,
        upstream: Upstream,  # noqa: ARG002
        tools: ServerTools,
        protocol: NegotiatedProtocol,  # noqa: ARG002
        client_identity: ClientIdentity,  # noqa: ARG002
    ) -> None:
        self.lists.append(tools)

    def failed(self, upstream: Upstream, *, changed: bool = False) -> None:  # noqa: ARG002
        self.failures.append(upstream.name)

    def noticed(self, upstream: Upstream, notice: Notice, principal: Principal) -> None:  # noqa: ARG002
        self.notices.append(notice.method)


def spec_of(server: HostileServer, **settings: Any) -> ServerSpec:
    entry = server.entry
    return ServerSpec(server.name, "stdio", entry["command"], tuple(entry["args"]), **settings)


@asynccontextmanager
async def upstream_before(
    server: HostileServer,
    idle_stop: float = 0,
    environ: Mapping[str, str] | None = None,
    clock: Callable[[], float] = time.monotonic,
    **settings: Any,
) -> AsyncIterator[Upstream]:
    """An upstream in front of a hostile server of its own; both are gone at the end."""
    async with anyio.create_task_group() as tasks:
        upstream = Upstream(spec_of(server, **settings), environ or {}, idle_stop, tasks, clock)
        try:
            yield upstream
        finally:
            upstream.stop()
            with anyio.CancelScope(shield=True):
                await upstream.stopped()
            tasks.cancel_scope.cancel()


async def until(condition: Any) -> None:
    with anyio.fail_after(PATIENCE):
        while not condition():  # noqa: ASYNC110 - the condition lies in another process
            await anyio.sleep(0.005)


def call_of(tool: str, **arguments: Any) -> dict[str, Any]:
    return {"name": tool, "arguments": arguments}


def hostile(folder: Path, *ways: str) -> HostileServer:
    return HostileServer("bad", folder, ways)
