"""A gateway whose servers are in a config and never started, with a ledger of its own."""

import json
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, NamedTuple

from tests.unit.search.sample_catalog import catalog

from toolbooth.catalog import ServerTools
from toolbooth.catalog.connect import ClientIdentity
from toolbooth.gateway.builtin_resources import read_builtin
from toolbooth.gateway.ledger import EndedCall, Ledger
from toolbooth.gateway.runtime import GatewayRequest, open_runtime
from toolbooth.gateway.session import Session
from toolbooth.gateway.surfaces.view import View

KNOWN = tuple(each for each in catalog().servers if each.server != "postgresql")
GONE = "postgresql"


class IdleGateway(NamedTuple):
    view: View
    session: Session

    async def read(self, path: str) -> str:
        """The text at `toolbooth://PATH`."""
        return str((await read_builtin(self.view, self.session, f"toolbooth://{path}"))["text"])


@asynccontextmanager
async def open_idle_gateway(
    home: Path,
    ledger: Ledger,
    known: Iterable[ServerTools] = KNOWN,
    surface: str = "search",
    unknown: Iterable[str] = (),
) -> AsyncIterator[IdleGateway]:
    """`unknown` are servers of which nothing is known; they are given a secret."""
    offered = tuple(known)
    idle: dict[str, Any] = {each.server: {"command": "no-such-command-here"} for each in offered}
    more = {name: {"command": "no-such-command-here", "env": {"TOKEN": "canary"}} for name in unknown}
    config = home / "toolbooth.yaml"
    config.write_text(
        json.dumps({"servers": {**idle, **more}, "gateway": {"warm_up": False}}), encoding="utf-8"
    )
    folders = dict.fromkeys(("HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR"), str(home))
    environ = {**folders, "PATH": "/usr/bin:/bin"}
    async with open_runtime(environ, home) as runtime:
        view = await runtime.enter(GatewayRequest((str(config),), surface, home, environ))
        view.gateway.ledger = ledger
        for each in offered:
            view.gateway.registry.put(each)
        client_identity = ClientIdentity({"name": "memory", "version": "1"}, {})
        yield IdleGateway(view, Session("mine", "2025-11-25", False, client_identity))


def called(
    ledger: Ledger, server: str, tool: str, ms: float = 12, session: str = "mine", **more: Any
) -> None:
    """A call that has ended."""
    ledger.record(EndedCall(server, tool, session, "call", ms, **{"outcome": "ok", **more}))
