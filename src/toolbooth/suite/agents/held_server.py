"""A server spec → a connection that is held open by a task of its own, and calls over it."""

import math
from collections.abc import Mapping
from typing import Any

import anyio

from toolbooth.catalog import ServerSpec, ServerTools, Tool, without_secrets
from toolbooth.catalog.connect import Link, ServerError, connected, list_tools
from toolbooth.errors import BackendCrashed, BackendFault, BackendProtocolError, BackendTimeout
from toolbooth.limits import LIST_TIMEOUT
from toolbooth.suite.agents.sendable import sendable


class HeldServer:
    """One server of a run. `offered` is what it listed, once it is `up`."""

    def __init__(self, spec: ServerSpec, environ: Mapping[str, str]) -> None:
        self._spec, self._environ = spec, environ
        self._room = anyio.CapacityLimiter(spec.concurrency)
        self._link: Link | None = None
        self.up = anyio.Event()
        self.offered = ServerTools(spec.name, ())

    async def hold(self) -> None:
        """Connect, list, and stay until cancelled; raises the BackendFault of a server that does not come up."""
        deadline = anyio.current_time() + self._spec.timeout
        with anyio.CancelScope(deadline=deadline) as scope:
            try:
                await self._stay(scope)
            except BackendFault as fault:
                self._unless_up(fault)
            except Exception as error:  # whatever a library makes of a strange server or address
                self._unless_up(BackendProtocolError(f"cannot be used ({type(error).__name__})"))
        if scope.cancelled_caught:
            self._unless_up(BackendTimeout(f"did not answer within {self._spec.timeout:g} s"))

    async def _stay(self, scope: anyio.CancelScope) -> None:
        async with connected(self._spec, environ=self._environ) as link:
            timeout = max(LIST_TIMEOUT, self._spec.timeout)
            self.offered = await list_tools(link, self._spec.name, timeout)
            self._link, scope.deadline = link, math.inf
            self.up.set()
            await anyio.sleep_forever()

    def _unless_up(self, fault: BackendFault) -> None:
        """One that was up has told its link why it ended: who calls it next hears that."""
        if not self.up.is_set():
            raise self._told(fault) from None

    async def call(self, tool: Tool, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """The result of one call; raises a BackendFault without secrets."""
        if self._link is None:
            raise BackendCrashed("is not connected", self._spec.name)
        params = {"name": tool.name, "arguments": sendable(arguments)}
        async with self._room:
            try:
                return await self._link.request("tools/call", params, self._spec.call_timeout)
            except BackendFault as fault:
                raise self._told(fault) from None

    def _told(self, fault: BackendFault) -> BackendFault:
        fault.server, fault.message = self._spec.name, self.clean(fault.message)
        if isinstance(fault, ServerError):
            fault.said = self.clean(fault.said)
        return fault

    def clean(self, text: str) -> str:
        """Without what the server was given in secret."""
        return without_secrets(text, self._spec, self._environ)
