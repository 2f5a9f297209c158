"""The event loop goes on turning while large answers pass: what is counted is the work done meanwhile, not seconds."""

import json
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import pytest

from tests.faults.gateway_driver import HostileServer
from tests.unit.gateway.upstreams.upstream_clients import client
from toolbooth.gateway.handlers import answer
from toolbooth.gateway.runtime import GatewayRequest, open_runtime
from toolbooth.gateway.session import Caller
from toolbooth.gateway.surfaces.view import View

pytestmark = pytest.mark.anyio
AT_LEAST = 20  # calls to a sibling; a loop that reads 16 MiB in one go answers one or two


@asynccontextmanager
async def gateway_here(folder: Path, *servers: HostileServer) -> AsyncIterator[tuple[View, Caller]]:
    """A gateway in this process, whose loop the test shares, and a caller of it."""
    config = folder / "toolbooth.yaml"
    config.write_text(json.dumps({"servers": {each.name: each.entry for each in servers}}), encoding="utf-8")
    environ = {"XDG_CACHE_HOME": str(folder / "cache"), "PATH": os.environ["PATH"]}
    async with open_runtime(environ, folder) as runtime:
        view = await runtime.enter(GatewayRequest((str(config),), "full", folder, environ))
        someone = client("someone")
        view.gateway.enter(someone.session)
        yield view, someone.caller()
        view.gateway.leave(someone.session)


async def call(view: View, caller: Caller, tool: str) -> str:
    params = {"name": "call_tool", "arguments": {"name": tool, "arguments": {}}}
    result: Any = await answer(view, caller, "tools/call", params)
    text: str = (result if isinstance(result, dict) else result.value)["content"][0]["text"]
    return text


@pytest.mark.promise("gateway:loop")
@pytest.mark.parametrize("tool", ["fat", "flood"])
async def test_siblings_are_answered_while_sixteen_megabytes_pass(tmp_path: Path, tool: str) -> None:
    async with gateway_here(tmp_path, HostileServer("bad", tmp_path), HostileServer("good", tmp_path)) as (
        view,
        caller,
    ):
        assert await call(view, caller, "bad.ok") == await call(view, caller, "good.ok") == "ok"
        passed = anyio.Event()

        async def large() -> None:
            assert len(await call(view, caller, f"bad.{tool}")) > 0
            assert await call(view, caller, "bad.ok") == "ok"
            passed.set()

        answered = 0
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(large)
            while not passed.is_set():
                assert await call(view, caller, "good.ok") == "ok"
                answered += 1
        assert answered >= AT_LEAST


@pytest.mark.promise("gateway:hang")
async def test_an_answer_that_drips_ends_at_the_deadline_of_a_message(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("toolbooth.limits.FRAME_DEADLINE", 0.5)
    async with gateway_here(tmp_path, HostileServer("bad", tmp_path), HostileServer("good", tmp_path)) as (
        view,
        caller,
    ):
        assert await call(view, caller, "good.ok") == "ok"
        texts: list[str] = []

        async def dripping() -> None:
            texts.append(await call(view, caller, "bad.drip"))

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(dripping)
            while not texts:
                assert await call(view, caller, "good.ok") == "ok"
        assert "to send one message" in texts[0]
        assert await call(view, caller, "bad.ok") == "ok"
