"""A gateway inside a Python program: its menu, calls and search, on any asyncio event loop.

`open` runs the gateway in a task of its own. So an error of the program reaches the program as it is and not in a
group, and the block may be left in another task than it was entered in.
"""

import asyncio
import os
import secrets
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias

import anyio

from toolbooth import access, catalog, errors, safetext
from toolbooth.catalog.config import HostContext
from toolbooth.gateway import in_process, process, public_names
from toolbooth.gateway.builtin_tools import SEARCH_TOOLS
from toolbooth.gateway.runtime import GatewayRequest, open_runtime

__all__ = ["EmbeddedGateway", "GatewayConfig", "MenuTool", "open"]


_CLOSED: Final = "The gateway was closed during this call; it may or may not have been carried out."
GatewayConfig: TypeAlias = str | Path | Sequence[str | Path] | Mapping[str, Any] | None


class MenuTool(NamedTuple):
    """A tool of the menu, as a model is told of it."""

    name: str
    description: str
    input_schema: Mapping[str, Any]


class EmbeddedGateway:
    """A running gateway. Any number of calls may be in progress at once; one that is cancelled ends at its server.

    Its menu may lack `call_tool`: another client of the same session, on `search`, calls tools by their names then.
    """

    def __init__(self, client: in_process.InProcessClient, naming: in_process.InProcessClient) -> None:
        self._client, self._naming = client, naming

    @property
    def instructions(self) -> str:
        """What belongs into the system prompt: the servers, and what each is for."""
        return self._client.view.instructions()

    async def tools(self) -> tuple[MenuTool, ...]:
        """The menu of the surface, for a model."""
        listed = (await self._client.ask("tools/list", {}))["tools"]
        return tuple(
            MenuTool(each["name"], each.get("description", ""), each["inputSchema"]) for each in listed
        )

    async def call(self, name: str, arguments: Mapping[str, Any] | None = None) -> in_process.ToolAnswer:
        """Call a tool of the menu, or any tool of a server by its name `server.tool`.

        A call that fails answers with `is_error` and words for the model. Raises BackendRefused where a server answers
        a tool of the menu with an error of the protocol.
        """
        given = {} if arguments is None else arguments
        in_menu = await self._in_menu(name)
        try:
            if not in_menu:
                return await self._call_behind_the_menu(name, given)
            return await self._client.call(name, given)
        except in_process.GatewayClosed:
            return in_process.ToolAnswer((_CLOSED,), is_error=True)
        except in_process.NotSendable as error:
            return in_process.ToolAnswer((f"The call was not made: {error}.",), is_error=True)
        except in_process.GatewayRefused as refused:
            tool = self._client.view.pinned(name) if in_menu else None
            if tool is None:
                return in_process.ToolAnswer((safetext.for_terminal(refused.said),), is_error=True)
            raise errors.BackendRefused(safetext.for_terminal(refused.said), tool.server) from None

    async def search(self, query: str, limit: int | None = None) -> str:
        """The tools that fit a task, best first, one line for each, as an agent reads them."""
        more = {} if limit is None else {"limit": limit}
        searching = self._with(SEARCH_TOOLS.name)
        return (await searching.call(SEARCH_TOOLS.name, {"query": query, **more})).text

    async def _in_menu(self, name: str) -> bool:
        """Whether the menu has it, under this or another spelling; servers that are still starting are waited for."""
        view = self._client.view
        if name in view.surface.builtin_tools or view.pinned(name) is not None:
            return True
        if view.changes:
            await self.tools()
        return view.pinned(name) is not None

    async def _call_behind_the_menu(self, name: str, given: Mapping[str, Any]) -> in_process.ToolAnswer:
        """As an agent on `search` would call it; an unknown name is answered with what is near."""
        if name in self._naming.view.surface.builtin_tools:
            return await self._naming.call(name, given)
        return await self._naming.call(self._naming.calls_through, {"name": name, "arguments": given})

    def _with(self, builtin: str) -> in_process.InProcessClient:
        return self._client if builtin in self._client.view.surface.builtin_tools else self._naming


@asynccontextmanager
async def open(  # noqa: A001 - `toolbooth.gateway.open`, as `gzip.open`; nothing here opens a file
    config: GatewayConfig = None,
    *,
    surface: str | None = None,
    principal: access.Principal = access.LOCAL_USER,
    ledger: bool = False,
    cwd: str | Path | None = None,
    environ: Mapping[str, str] | None = None,
) -> AsyncIterator[EmbeddedGateway]:
    """A gateway for a config: a path, several, an `mcpServers` object, or None for the user's own `toolbooth.yaml`.

    Servers start in `cwd` with `environ`, by default those of this process. With `ledger`, calls are counted in the
    user's ledger; without it, the user's statistics stay those of the user's agents. Leaving the block stops every
    server. Raises UserMistake if the config cannot be used.
    """
    if not getattr(principal, "id", "").strip():  # not every program is type-checked
        raise errors.UserMistake("the principal must be a toolbooth.access.Principal with an id")
    host = HostContext.of(
        dict(os.environ if environ is None else environ), Path.cwd() if cwd is None else Path(cwd)
    )
    hosted = _Hosted(_request(config, surface, host), host, principal, ledger)
    task = asyncio.get_running_loop().create_task(hosted.run(), name="toolbooth-gateway")
    try:
        await hosted.settled.wait()
        if hosted.gateway is not None:
            yield hosted.gateway
    finally:
        hosted.left.set()
        await _end_of(task)
    task.result()


class _Hosted:
    """The gateway in its own task: `settled` once it is open or cannot be, `left` once it is to end."""

    def __init__(
        self, request: GatewayRequest, host: HostContext, principal: access.Principal, ledger: bool
    ) -> None:
        self._request, self._host, self._principal, self._ledger = request, host, principal, ledger
        self.gateway: EmbeddedGateway | None = None
        self.settled, self.left = asyncio.Event(), asyncio.Event()

    async def run(self) -> None:
        """Run until it is left. An error of ours is raised alone, out of any task groups."""
        try:
            async with AsyncExitStack() as stack:
                self.gateway = await self._open(stack)
                self.settled.set()
                await self.left.wait()
        except BaseExceptionGroup as group:
            raise process.ours_in(group) or group from None
        finally:
            self.settled.set()

    async def _open(self, stack: AsyncExitStack) -> EmbeddedGateway:
        runtime = await stack.enter_async_context(
            open_runtime(self._host.environ, self._host.home, ledger=self._ledger)
        )

        session_id = secrets.token_hex(16)

        async def client(request: GatewayRequest) -> in_process.InProcessClient:
            return await stack.enter_async_context(
                in_process.in_process_client(runtime, request, self._principal, session_id)
            )

        first = await client(self._request)
        if public_names.CALL_NAMES & first.view.surface.builtin_tools.keys():
            return EmbeddedGateway(first, first)
        return EmbeddedGateway(first, await client(replace(self._request, surface="search")))


def _request(config: GatewayConfig, surface: str | None, host: HostContext) -> GatewayRequest:
    if isinstance(config, Mapping):
        written = catalog.written_sources(config, host.environ, host.cwd)
        return GatewayRequest((), surface, host.cwd, host.environ, written)
    several = () if config is None else (config,) if isinstance(config, (str, Path)) else config
    return GatewayRequest(tuple(map(str, several)), surface, host.cwd, host.environ)


async def _end_of(task: asyncio.Task[None]) -> None:
    """Wait for the end, whoever cancels the waiting: no server may outlive the block."""
    cancelled: asyncio.CancelledError | None = None
    with anyio.CancelScope(shield=True):
        while not task.done():
            try:
                await asyncio.wait([task])
            except asyncio.CancelledError as error:
                cancelled = error
    if cancelled is not None:
        raise cancelled
