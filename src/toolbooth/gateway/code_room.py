"""The one sandbox of a process, made at the first run of code; gateways that run none do not pay for it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import anyio

from toolbooth.errors import SandboxFault
from toolbooth.gateway.backends.room import Room
from toolbooth.limits import CODE_EACH, CODE_WAIT, CODE_WORKERS, MAX_CODE_WAITING

if TYPE_CHECKING:
    from toolbooth.sandbox import Sandbox


class CodeRoom:
    """Shared by all gateways: workers keep nothing from one run to the next.

    Code that runs within code (a script that is called by code) has workers of its own: were they shared, those who
    wait could hold all of them.
    """

    def __init__(self) -> None:
        self._sandboxes: dict[int, Sandbox] = {}
        self._turns: dict[int, Room] = {}
        self.runs = 0  # under way now

    def sandbox(self, depth: int = 0) -> "Sandbox":
        """For code that runs so deep within other code; the import takes 25 ms."""
        from toolbooth.sandbox import Sandbox

        return self._sandboxes.setdefault(depth, Sandbox())

    @asynccontextmanager
    async def turn(self, client: str, depth: int, seconds: float | None = None) -> AsyncIterator["Sandbox"]:
        """The sandbox, when it is this client's turn: nobody holds all workers, and who has few runs waits least.

        Who gave the run only so many `seconds` does not wait longer than that for its start.
        """
        patience = CODE_WAIT if seconds is None else min(CODE_WAIT, seconds)
        room = self._turns.setdefault(depth, Room(CODE_WORKERS, CODE_EACH))
        if not room.has_line_for(client, MAX_CODE_WAITING):
            raise SandboxFault(f"{room.queued} runs of code wait already; try again later")
        self.runs += 1
        try:
            with anyio.move_on_after(patience) as waiting:
                await room.enter(client)
            if waiting.cancelled_caught:
                raise SandboxFault(f"no worker was free for this code within {patience:g} s; try again later")
            try:
                yield self.sandbox(depth)
            finally:
                room.leave(client)
        finally:
            self.runs -= 1

    async def tidy(self) -> None:
        """To be called now and then: workers that nobody needs end."""
        for each in tuple(self._sandboxes.values()):
            await each.tidy()

    async def close(self) -> None:
        """End every worker."""
        for each in self._sandboxes.values():
            await each.close()
