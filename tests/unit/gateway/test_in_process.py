"""A client in this process: many requests at once, each with its own answer, error or cancellation."""

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
import pytest
from tests.faults.gateway_driver import HOSTILE

from toolbooth.catalog import ServerSpec
from toolbooth.catalog.loading import Sources
from toolbooth.errors import NothingToWeigh
from toolbooth.gateway.in_process import GatewayClosed, GatewayRefused, InProcessClient, in_process_client
from toolbooth.gateway.runtime import GatewayRequest, open_runtime

pytestmark = pytest.mark.anyio


@asynccontextmanager
async def opened(folder: Path) -> AsyncIterator[InProcessClient]:
    spec = ServerSpec("h", "stdio", sys.executable, ("-S", HOSTILE, str(folder / "diary")))
    environ = {"XDG_CACHE_HOME": str(folder), "XDG_DATA_HOME": str(folder)}
    request = GatewayRequest((), "full", folder, {}, given=Sources(servers=(spec,)))
    async with open_runtime(environ, folder) as runtime, in_process_client(runtime, request) as client:
        yield client


async def until_noted(folder: Path, words: str) -> None:
    diary = folder / "diary"
    while not diary.exists() or words not in diary.read_text(encoding="utf-8"):  # noqa: ASYNC110
        await anyio.sleep(0.01)


async def test_answers_come_to_who_asked_whatever_their_order(tmp_path: Path) -> None:
    async with opened(tmp_path) as client, anyio.create_task_group() as tasks:
        release = tmp_path / "release"
        said: list[str] = []

        async def slow() -> None:
            given = {"name": "h.slow", "arguments": {"release": str(release)}}
            said.append("slow " + (await client.call("call_tool", given)).text)

        tasks.start_soon(slow)
        await until_noted(tmp_path, "call slow")
        said.append("quick " + (await client.call("call_tool", {"name": "h.ok"})).text)
        release.touch()
    assert said == ["quick ok", "slow ok"]


async def test_who_is_cancelled_cancels_the_call_of_the_server(tmp_path: Path) -> None:
    async with opened(tmp_path) as client:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(client.call, "call_tool", {"name": "h.hang"})
            await until_noted(tmp_path, "call hang")
            tasks.cancel_scope.cancel()
        await until_noted(tmp_path, "cancelled hang")
        assert (await client.call("call_tool", {"name": "h.ok"})).text == "ok"


async def test_an_error_of_the_protocol_is_distinguished_from_all_else(tmp_path: Path) -> None:
    async with opened(tmp_path) as client:
        with pytest.raises(GatewayRefused, match="There is no tool") as refused:
            await client.call("no_such_tool", {})
        assert refused.value.code == -32602
        assert "no_such_tool" in refused.value.said
        assert isinstance(refused.value, NothingToWeigh)


async def test_closing_cancels_what_is_in_progress_and_says_so(tmp_path: Path) -> None:
    async with opened(tmp_path) as client:
        call = asyncio.create_task(client.call("call_tool", {"name": "h.hang"}))
        await until_noted(tmp_path, "call hang")
        client.close()
        with pytest.raises(GatewayClosed, match="was closed before it answered tools/call"):
            await call
        await until_noted(tmp_path, "cancelled hang")


async def test_after_the_end_nobody_waits(tmp_path: Path) -> None:
    async with opened(tmp_path) as client:
        pass
    with pytest.raises(NothingToWeigh, match="has ended; tools/list was not sent"):
        await client.ask("tools/list", {})
