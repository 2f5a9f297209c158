"""Servers that are in a config and never started → a view of a gateway in front of them, with a ledger of its own."""

import json
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, NamedTuple

from tests.unit.search.shelf import catalog

from toolbooth.catalog import ServerTools
from toolbooth.catalog.connect import Face
from toolbooth.gateway.caller import Session
from toolbooth.gateway.house import Request, open_house
from toolbooth.gateway.ledger import Answered, Ledger
from toolbooth.gateway.own import read_own
from toolbooth.gateway.view import View

KNOWN = tuple(each for each in catalog().servers if each.server != "postgresql")
GONE = "postgresql"


class Street(NamedTuple):
    view: View
    session: Session

    async def read(self, path: str) -> str:
        """The text at `toolbooth://PATH`."""
        return str((await read_own(self.view, self.session, f"toolbooth://{path}"))["text"])


@asynccontextmanager
async def opened(
    home: Path,
    ledger: Ledger,
    known: Iterable[ServerTools] = KNOWN,
    surface: str = "search",
    unknown: Iterable[str] = (),
) -> AsyncIterator[Street]:
    """`unknown` are servers of which nothing is known; they are given a secret."""
    offers = tuple(known)
    idle: dict[str, Any] = {each.server: {"command": "no-such-command-here"} for each in offers}
    more = {name: {"command": "no-such-command-here", "env": {"TOKEN": "canary"}} for name in unknown}
    config = home / "toolbooth.yaml"
    config.write_text(
        json.dumps({"servers": {**idle, **more}, "gateway": {"warm_up": False}}), encoding="utf-8"
    )
    folders = dict.fromkeys(("HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR"), str(home))
    environ = {**folders, "PATH": "/usr/bin:/bin"}
    async with open_house(environ, home) as house:
        view = await house.enter(Request((str(config),), surface, home, environ))
        view.gateway.ledger = ledger
        for each in offers:
            view.gateway.book.put(each)
        face = Face({"name": "memory", "version": "1"}, {})
        yield Street(view, Session("mine", "2025-11-25", False, face))


def called(
    ledger: Ledger, server: str, tool: str, ms: float = 12, session: str = "mine", **more: Any
) -> None:
    """A call that has ended."""
    ledger.record(Answered(server, tool, session, "call", ms, **{"outcome": "ok", **more}))
