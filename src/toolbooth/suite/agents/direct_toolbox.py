"""The surface `direct`: the tools of all servers side by side, without a gateway.

Each run has its own connections, and each connection its own task. Tools have the names that a client without a
gateway would give them.
"""

import math
import re
from collections import Counter
from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from contextlib import asynccontextmanager
from hashlib import blake2b
from typing import Any, Final

import anyio

from toolbooth import catalog, errors, limits, safetext, suggest
from toolbooth.catalog.connect import Peer, ServerError, connected, list_tools
from toolbooth.suite.agents import toolbox
from toolbooth.suite.agents.toolbox import is_error, result_text
from toolbooth.suite.trace import MadeCall

_LEGAL: Final = re.compile(rf"[a-zA-Z0-9_-]{{1,{limits.MAX_FUNCTION_NAME}}}")
_ILLEGAL: Final = re.compile(r"[^a-zA-Z0-9_-]")
_HASH: Final = 8
_NEAREST: Final = 3


def menu_names(tools: Sequence[catalog.Tool]) -> dict[str, catalog.Tool]:
    """A tool's own name if it is unique and legal for providers; else `server__tool`, in legal characters.

    The names do not depend on the order of the tools.
    """
    times = Counter(tool.name for tool in tools)
    bare = {
        tool.name: tool for tool in tools if times[tool.name] == 1 and _LEGAL.fullmatch(tool.name) is not None
    }
    long = [tool for tool in tools if bare.get(tool.name) is not tool]
    wanted = Counter(_long_name(tool) for tool in long)
    clear = {
        name: tool
        for tool in long
        if wanted[name := _long_name(tool)] == 1 and name not in bare and _LEGAL.fullmatch(name) is not None
    }
    named = {**bare, **clear}
    for tool in sorted(long, key=lambda tool: tool.id):
        if clear.get(_long_name(tool)) is not tool:
            named[_hashed(tool, named)] = tool
    names = {tool.id: name for name, tool in named.items()}
    return {names[tool.id]: tool for tool in tools}


def _long_name(tool: catalog.Tool) -> str:
    return _ILLEGAL.sub("_", f"{tool.server}__{tool.name}")


def _hashed(tool: catalog.Tool, taken: Collection[str]) -> str:
    digest = blake2b(tool.id.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
    sizes = range(_HASH, len(digest) + 1)
    names = (f"{_long_name(tool)[: limits.MAX_FUNCTION_NAME - size - 1]}_{digest[:size]}" for size in sizes)
    return next(name for name in names if name not in taken)


class DirectConnection:
    """One server of a run. `offered` are the tools that it listed, once it is `up`."""

    def __init__(self, spec: catalog.ServerSpec, environ: Mapping[str, str]) -> None:
        self._spec, self._environ = spec, environ
        self._limiter = anyio.CapacityLimiter(spec.concurrency)
        self._connection: Peer | None = None
        self.up = anyio.Event()
        self.offered = catalog.ServerTools(spec.name, ())

    async def hold(self) -> None:
        """Connect, list tools, and stay until cancelled. Raises the BackendFault of a server that does not start."""
        deadline = anyio.current_time() + self._spec.timeout
        with anyio.CancelScope(deadline=deadline) as scope:
            try:
                await self._stay(scope)
            except errors.BackendFault as fault:
                self._unless_up(fault)
            except Exception as error:  # libraries raise anything for a broken server or address
                self._unless_up(errors.BackendProtocolError(f"cannot be used ({type(error).__name__})"))
        if scope.cancelled_caught:
            self._unless_up(errors.BackendTimeout(f"did not answer within {self._spec.timeout:g} s"))

    async def _stay(self, scope: anyio.CancelScope) -> None:
        async with connected(self._spec, environ=self._environ) as connection:
            timeout = max(limits.LIST_TIMEOUT, self._spec.timeout)
            self.offered = await list_tools(connection, self._spec.name, timeout)
            self._connection, scope.deadline = connection, math.inf
            self.up.set()
            await anyio.sleep_forever()

    def _unless_up(self, fault: errors.BackendFault) -> None:
        """A connection that was up already knows why it ended, and the next call raises that."""
        if not self.up.is_set():
            raise self._cleaned(fault) from None

    async def call(self, tool: catalog.Tool, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """The result of one call; raises a BackendFault without secrets."""
        if self._connection is None:
            raise errors.BackendCrashed("is not connected", self._spec.name)
        params = {"name": tool.name, "arguments": toolbox.sendable(arguments)}
        async with self._limiter:
            try:
                return await self._connection.request("tools/call", params, self._spec.call_timeout)
            except errors.BackendFault as fault:
                raise self._cleaned(fault) from None

    def _cleaned(self, fault: errors.BackendFault) -> errors.BackendFault:
        fault.server, fault.message = self._spec.name, self.clean(fault.message)
        if isinstance(fault, ServerError):
            fault.said = self.clean(fault.said)
        return fault

    def clean(self, text: str) -> str:
        """The text without the secrets that the server was given."""
        return catalog.redact_secrets(text, self._spec, self._environ)


_NO_SCHEMA: Final[Mapping[str, Any]] = {"type": "object"}
_NAME: Final = 100  # characters of a name that a model wrote


@asynccontextmanager
async def direct_toolbox(
    specs: Sequence[catalog.ServerSpec], environ: Mapping[str, str]
) -> AsyncIterator["DirectToolbox"]:
    """Start all servers at once. Raises the BackendFault of the first that does not start."""
    servers = {spec.name: DirectConnection(spec, environ) for spec in specs}
    async with toolbox.single_error(), anyio.create_task_group() as tasks:
        for server in servers.values():
            tasks.start_soon(server.hold)
        for server in servers.values():
            await server.up.wait()
        yield DirectToolbox(servers)
        tasks.cancel_scope.cancel()


class DirectToolbox:
    """The tools of all servers side by side, as a client without a gateway shows them."""

    def __init__(self, servers: Mapping[str, DirectConnection]) -> None:
        self._servers = servers
        self.catalog = catalog.Catalog(tuple(each.offered for each in servers.values()))
        self._tools = menu_names(self.catalog.tools)
        self.menu: tuple[Mapping[str, Any], ...] = tuple(
            _entry(name, tool) for name, tool in self._tools.items()
        )
        self.instructions = "\n\n".join(_about(each) for each in self.catalog.servers if each.instructions)

    async def call(self, name: str, arguments: Mapping[str, Any]) -> toolbox.ToolboxAnswer:
        """Make the call. The server's answer goes to the model, even if it is an error."""
        made = self.picked(name, arguments)
        tool = self._tools.get(name)
        if tool is None:
            return toolbox.ToolboxAnswer(self._unknown(name), is_error=True, made=made)
        server = self._servers[tool.server]
        try:
            result = await server.call(tool, arguments)
            return toolbox.ToolboxAnswer(result_text(result), is_error(result), made)
        except ServerError as error:
            return toolbox.ToolboxAnswer(
                f"{name} failed with error {error.code}: {error.said}", is_error=True, made=made
            )
        except errors.FrameTooLarge as fault:
            return toolbox.ToolboxAnswer(f"{fault}; ask for less", is_error=True, made=made)
        except errors.BackendFault as fault:
            fault.server = tool.server
            raise

    def picked(self, name: str, arguments: Mapping[str, Any]) -> tuple[MadeCall, ...]:
        """The tool with this name; an unknown name is recorded as a choice, too."""
        tool = self._tools.get(name)
        if tool is None:
            return (MadeCall(name, arguments=arguments),)
        return (MadeCall(tool.name, tool.server, arguments),)

    def _unknown(self, name: str) -> str:
        near = suggest.closest(name, sorted(self._tools), _NEAREST)
        hint = f" Nearest: {', '.join(near)}." if near else ""
        return f'There is no tool "{safetext.for_terminal(name, _NAME)}".{hint}'


def _entry(name: str, tool: catalog.Tool) -> dict[str, Any]:
    """A tool as the model sees it."""
    about = {"description": tool.description} if tool.description else {}
    return {"name": name, **about, "inputSchema": tool.input_schema or _NO_SCHEMA}


def _about(server: catalog.ServerTools) -> str:
    return f"{server.server}: {server.instructions}"
