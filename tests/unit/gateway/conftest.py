"""A runtime with real servers behind it, of old and new protocol versions, and clients in memory in front of it."""

import json
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.unit.gateway.in_memory_channel import EVERYTHING, InMemoryChannel

from toolbooth.catalog.connect import ClientIdentity
from toolbooth.gateway.runtime import GatewayRequest, open_runtime
from toolbooth.gateway.session import Caller, Session
from toolbooth.gateway.surfaces.view import View

ROOT = Path(__file__).parents[3]
MakeCaller = Callable[..., Caller]


def talking(protocol: str) -> dict[str, Any]:
    return {
        "command": sys.executable,
        "args": ["-m", "tests.behaviour.servers", protocol],
        "env": {"PYTHONPATH": str(ROOT), "TOKEN": "canary"},
    }


@pytest.fixture(scope="session", autouse=True)
def patience() -> Iterator[None]:
    """Real servers start as slowly as the machine is busy; a test that is about this limit sets it itself."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("toolbooth.limits.FIRST_LIST_WAIT", 90.0)
        yield


# Not for the session: while an async fixture lives, no other test can run a loop of its own in this thread.
@pytest.fixture(scope="module")
async def view(tmp_path_factory: pytest.TempPathFactory, anyio_backend: str) -> AsyncIterator[View]:
    """An old server, a new one whose name begins as the old one's, and one that cannot be started."""
    home = tmp_path_factory.mktemp("runtime")
    config = home / "toolbooth.yaml"
    servers = {
        "talk": talking("old"),
        "talk__new": talking("new"),
        "gone": {"command": "no-such-command-here"},
    }
    config.write_text(json.dumps({"servers": servers, "gateway": {"manage_servers": True}}), encoding="utf-8")
    environ = {"XDG_CACHE_HOME": str(home), "PATH": "/usr/bin:/bin"}
    async with open_runtime(environ, home) as runtime:
        yield await runtime.enter(GatewayRequest((str(config),), "full", home, environ))


@pytest.fixture
def caller(view: View) -> MakeCaller:
    """A caller of a session of its own, of an old or a new version."""

    def make(*, modern: bool = False, **capabilities: Any) -> Caller:
        channel = InMemoryChannel()
        client_identity = ClientIdentity({"name": "memory", "version": "1"}, capabilities or EVERYTHING)
        version = "2026-07-28" if modern else "2025-11-25"
        session = Session(f"s{id(channel)}", version, modern, client_identity, None if modern else channel)
        view.gateway.sessions.add(session)
        return Caller(session, client_identity, channel)

    return make
