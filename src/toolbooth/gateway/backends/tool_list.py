"""A server's line → its tools, told to all who want to know; fetched again when they change."""

from typing import TYPE_CHECKING, Protocol

import anyio

from toolbooth.catalog import ServerTools
from toolbooth.catalog.connect import Era, Face, Notice, list_tools
from toolbooth.errors import BackendFault
from toolbooth.gateway.backends.line import Line
from toolbooth.limits import LIST_TIMEOUT, REFETCH_EVERY

if TYPE_CHECKING:
    from toolbooth.gateway.backends.backend import Backend

TOOLS_CHANGED = "notifications/tools/list_changed"


class News(Protocol):
    """What a backend tells those who use it."""

    def offers(self, backend: "Backend", tools: ServerTools, era: Era, face: Face) -> None:
        """Its tools, after a connect or a change, as it tells them to a client of this face."""
        ...

    def failed(self, backend: "Backend") -> None:
        """It tells no tools, and will not soon."""
        ...

    def noticed(self, backend: "Backend", notice: Notice) -> None:
        """Something changed: lists of prompts or resources, or one resource."""
        ...


class ToolList:
    """One fetch at a time and one a second, however often the list is said to change."""

    def __init__(self, backend: "Backend", tasks: anyio.abc.TaskGroup) -> None:
        self._backend, self._tasks = backend, tasks
        self._one_at_a_time = anyio.Lock()
        self._refetching = self._stale = False

    async def fetch(self, line: Line) -> None:
        """Raises a BackendFault where there is no list to be had."""
        backend = self._backend
        try:
            async with self._one_at_a_time:
                tools = await list_tools(line.link, backend.name, max(LIST_TIMEOUT, backend.spec.timeout))
        except BackendFault:
            for each in backend.news:
                each.failed(backend)
            raise
        for each in backend.news:
            each.offers(backend, tools, line.link.era, line.link.face)

    def changed(self, line: Line) -> None:
        """The server says so: fetched at once, or a second after the last time."""
        self._stale = True
        if not self._refetching:
            self._refetching = True
            self._tasks.start_soon(self._refetch, line)

    async def _refetch(self, line: Line) -> None:
        try:
            while self._stale and line.link.fault is None:
                self._stale = False
                await self._fetch_again(line)
                await anyio.sleep(REFETCH_EVERY)
        finally:
            self._refetching = False

    async def _fetch_again(self, line: Line) -> None:
        backend = self._backend
        try:
            await self.fetch(line)
            for each in backend.news:
                each.noticed(backend, Notice(TOOLS_CHANGED, None))
        except BackendFault as fault:
            backend.blame(fault)
        except Exception as error:  # whatever a strange list does to those who read it: the others go on
            backend.blame(BackendFault(f"sent a list that cannot be used ({type(error).__name__})"))
