"""A server's line → its tools, told to all who want to know; fetched again when they change."""

from typing import TYPE_CHECKING, Protocol

import anyio

from toolbooth.catalog import ServerTools, offer_without
from toolbooth.catalog.connect import Era, Face, Notice, list_tools
from toolbooth.errors import BackendFault
from toolbooth.gateway.backends.line import Line
from toolbooth.limits import LIST_TIMEOUT, REFETCH_EVERY, RELIST_EVERY

if TYPE_CHECKING:
    from toolbooth.gateway.backends.backend import Backend

TOOLS_CHANGED = "notifications/tools/list_changed"


class News(Protocol):
    """What a backend tells those who use it."""

    def offers(self, backend: "Backend", tools: ServerTools, era: Era, face: Face) -> None:
        """Its tools, after a connect or a change, as it tells them to a client of this face."""
        ...

    def failed(self, backend: "Backend", *, changed: bool = False) -> None:
        """It tells no tools, and will not soon; `changed`: though it said that they are others now."""
        ...

    def noticed(self, backend: "Backend", notice: Notice) -> None:
        """Something changed: lists of prompts or resources, or one resource."""
        ...


class ToolList:
    """One fetch at a time and one a second on each line, however often the list is said to change."""

    def __init__(self, backend: "Backend", tasks: anyio.abc.TaskGroup) -> None:
        self._backend, self._tasks = backend, tasks
        self._refetching: set[Line] = set()
        self._stale: set[Line] = set()

    async def fetch(self, line: Line) -> None:
        """Raises a BackendFault where there is no list to be had."""
        backend = self._backend
        try:
            async with line.listing:
                changes = line.changes
                listed = await list_tools(line.link, backend.name, max(LIST_TIMEOUT, backend.spec.timeout))
                tools = offer_without(listed, backend.secrets())
        except BackendFault:
            for each in backend.news:
                each.failed(backend)
            raise
        for each in backend.news:
            each.offers(backend, tools, line.link.era, line.link.face)
        if line.changes == changes:  # else the list is older than the last notice, and another is on its way
            line.tell()

    def changed(self, line: Line) -> None:
        """The server says so: nothing is known of its tools until they are listed again."""
        line.doubt()
        self.look_again(line)

    def look_again(self, line: Line) -> None:
        """Fetch the list at once, or a second after the last time."""
        self._stale.add(line)
        if line not in self._refetching:
            self._refetching.add(line)
            self._tasks.start_soon(self._refetch, line)

    async def _refetch(self, line: Line) -> None:
        """Until it is listed: a server that only hesitated is not held back for good."""
        pause = REFETCH_EVERY
        try:
            while line.live and (line in self._stale or line.untold is not None):
                self._stale.discard(line)
                await self._fetch_again(line)
                pause = REFETCH_EVERY if line.untold is None else min(2 * pause, RELIST_EVERY)
                await anyio.sleep(pause)
        finally:
            self._refetching.discard(line)
            self._stale.discard(line)

    async def _fetch_again(self, line: Line) -> None:
        backend = self._backend
        try:
            await self.fetch(line)
            for each in backend.news:
                each.noticed(backend, Notice(TOOLS_CHANGED, None))
        except BackendFault as fault:
            self._not_listed(line, fault)
        except Exception as error:  # whatever a strange list does to those who read it: the others go on
            self._not_listed(line, BackendFault(f"sent a list that cannot be used ({type(error).__name__})"))

    def _not_listed(self, line: Line, fault: BackendFault) -> None:
        """Only a notice casts doubt on what was listed before it."""
        self._backend.blame(fault)
        if not line.told.is_set():
            line.tell(fault)
            for each in self._backend.news:
                each.failed(self._backend, changed=True)
