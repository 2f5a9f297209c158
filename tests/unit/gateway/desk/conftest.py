"""A house with real servers behind it, of either era, and clients in memory in front of it."""

import json
import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest
from tests.unit.gateway.desk.client import EVERYTHING, MemoryReach

from toolbooth.catalog.connect import Face
from toolbooth.gateway.caller import Caller, Session
from toolbooth.gateway.house import Request, open_house
from toolbooth.gateway.view import View

ROOT = Path(__file__).parents[4]
MakeCaller = Callable[..., Caller]


def talking(era: str) -> dict[str, Any]:
    return {
        "command": sys.executable,
        "args": ["-m", "tests.behaviour.servers", era],
        "env": {"PYTHONPATH": str(ROOT), "TOKEN": "canary"},
    }


@pytest.fixture(scope="session")
async def view(tmp_path_factory: pytest.TempPathFactory, anyio_backend: str) -> AsyncIterator[View]:
    """An old server, a new one whose name begins as the old one's, and one that cannot be started."""
    home = tmp_path_factory.mktemp("house")
    config = home / "toolbooth.yaml"
    servers = {
        "talk": talking("old"),
        "talk__new": talking("new"),
        "gone": {"command": "no-such-command-here"},
    }
    config.write_text(json.dumps({"servers": servers, "gateway": {"manage_servers": True}}), encoding="utf-8")
    environ = {"XDG_CACHE_HOME": str(home), "PATH": "/usr/bin:/bin"}
    async with open_house(environ, home) as house:
        yield await house.enter(Request((str(config),), "full", home, environ))


@pytest.fixture
def caller(view: View) -> MakeCaller:
    """A caller of a session of its own, of either era."""

    def make(*, modern: bool = False, **capabilities: Any) -> Caller:
        reach = MemoryReach()
        face = Face({"name": "memory", "version": "1"}, capabilities or EVERYTHING)
        version = "2026-07-28" if modern else "2025-11-25"
        session = Session(f"s{id(reach)}", version, modern, face, None if modern else reach)
        view.gateway.sessions.add(session)
        return Caller(session, face, reach)

    return make
