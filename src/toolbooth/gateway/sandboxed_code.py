"""Code that the gateway runs: the sandboxes of this process, and saved scripts offered as tools.

Sandboxes are created at the first run of code, and the script folder is read when a file changes. A gateway
that runs no code imports nothing of `toolbooth.sandbox`.
"""

from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

import anyio

from toolbooth import catalog, errors, limits
from toolbooth.gateway.upstreams.admission import CallLimiter

if TYPE_CHECKING:
    from toolbooth.sandbox import Loaded, Sandbox, Script, Stamp


class SandboxPool:
    """The sandboxes, shared by all gateways: workers keep nothing from one run to the next.

    Code that runs within code (a script called by code) has workers of its own. If they were shared, runs
    that wait for inner runs could occupy all of them.
    """

    def __init__(self) -> None:
        self._sandboxes: dict[int, Sandbox] = {}
        self._turns: dict[int, CallLimiter] = {}
        self.runs = 0  # runs in progress

    def sandbox(self, depth: int = 0) -> "Sandbox":
        """The sandbox for code at this depth within other code; the import takes 25 ms."""
        from toolbooth.sandbox import Sandbox

        return self._sandboxes.setdefault(depth, Sandbox())

    @asynccontextmanager
    async def turn(self, client: str, depth: int, seconds: float | None = None) -> AsyncIterator["Sandbox"]:
        """The sandbox, when it is this client's turn: no client holds all workers, and the one with fewest runs
        goes first.

        A run that was given only so many `seconds` does not wait longer than that for its start.
        """
        patience = limits.CODE_WAIT if seconds is None else min(limits.CODE_WAIT, seconds)
        limiter = self._turns.setdefault(depth, CallLimiter(limits.CODE_WORKERS, limits.CODE_EACH))
        if not limiter.may_queue(client, limits.MAX_CODE_WAITING):
            raise errors.SandboxFault(f"{limiter.queued} runs of code are already waiting; try again later")
        self.runs += 1
        try:
            with anyio.move_on_after(patience) as waiting:
                await limiter.enter(client)
            if waiting.cancelled_caught:
                raise errors.SandboxFault(
                    f"no worker was free for this code within {patience:g} s; try again later"
                )
            try:
                yield self.sandbox(depth)
            finally:
                limiter.leave(client)
        finally:
            self.runs -= 1

    async def tidy(self) -> None:
        """End idle workers; to be called periodically."""
        for each in tuple(self._sandboxes.values()):
            await each.tidy()

    async def close(self) -> None:
        """End every worker."""
        for each in self._sandboxes.values():
            await each.close()


# the second name is for a config with a real server of the first name
_SERVER_NAMES: Final = ("scripts", "saved_scripts")
_DESCRIPTION: Final = "Saved scripts of this user: several steps in one call"


class SavedScripts:
    """The scripts of one gateway. Nothing of the sandbox is imported while there are none."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder: Path | None = folder
        self._stamp: Stamp | None = None
        self._loaded: Loaded | None = None
        self._tools: dict[catalog.Tool, Script] = {}
        self.look(folder)

    def look(self, folder: Path | None) -> bool:
        """Whether anything changed since the last check; the files are read only then. May run in a thread."""
        if folder == self._folder and self._stamp is None and (folder is None or not folder.is_dir()):
            return False
        from toolbooth.sandbox import ScriptFolder

        there = ScriptFolder(folder) if folder is not None else None
        stamp = there.stamp() if there is not None else ()
        if folder == self._folder and stamp == self._stamp:
            return False
        self._folder, self._stamp = folder, stamp
        self._loaded = there.load() if there is not None else None
        return True

    def offered(self, taken: Collection[str]) -> catalog.ServerTools | None:
        """The scripts as tools of a server, under a name that no other server has; None without any."""
        name = next((each for each in _SERVER_NAMES if each not in taken), None)
        scripts = self._loaded.scripts.values() if self._loaded is not None and name is not None else ()
        self._tools = {script.tool(str(name)): script for script in scripts}
        return (
            catalog.ServerTools(str(name), tuple(self._tools), description=_DESCRIPTION)
            if self._tools
            else None
        )

    def get(self, tool: catalog.Tool) -> "Script | None":
        """The script behind a tool, if it is one."""
        return self._tools.get(tool) if self._tools else None

    @property
    def problems(self) -> tuple[str, ...]:
        """One clean line for each file that is left out."""
        return self._loaded.problems if self._loaded is not None else ()
