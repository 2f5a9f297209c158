"""Server specs × a surface → a toolbox that is a gateway of this process, with every call seen through to its tool."""

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import anyio

from toolbooth.catalog import ServerSpec
from toolbooth.catalog.config import GatewaySettings
from toolbooth.catalog.load import Sources
from toolbooth.errors import BackendBusy, FrameTooLarge
from toolbooth.gateway.house import Request, open_house
from toolbooth.gateway.own_client import GatewayRefused, OwnClient, own_client
from toolbooth.gateway.unwrap import View, unwrapped
from toolbooth.suite.agents.alone import alone
from toolbooth.suite.agents.answer_text import answer_text, is_error
from toolbooth.suite.agents.sendable import sendable
from toolbooth.suite.agents.toolbox import Called
from toolbooth.suite.trace import MadeCall

_LOOK_AGAIN: Final = 0.02  # seconds
_OWN_PLACES: Final = ("XDG_CACHE_HOME", "XDG_DATA_HOME", "LOCALAPPDATA")
_SHOWN: Final = ("name", "description", "inputSchema")
_FOR_THE_MODEL: Final = (BackendBusy, FrameTooLarge)  # it asked for too much, and can mend that


@asynccontextmanager
async def surface_toolbox(
    specs: Sequence[ServerSpec], surface: str, environ: Mapping[str, str], cwd: Path
) -> AsyncIterator["SurfaceToolbox"]:
    """Nothing of the user's own is read or written: cache, ledger, results and scripts are folders of this run."""
    async with alone():
        with TemporaryDirectory(prefix="toolbooth-suite-", ignore_cleanup_errors=True) as name:
            folder = Path(name)
            own = {**environ, **dict.fromkeys(_OWN_PLACES, name)}
            request = Request((), surface, cwd, environ, given=_sources(specs, surface, folder))
            async with open_house(own, folder) as house, own_client(house, request) as client:
                view = await house.enter(request)
                await _all_up(view)
                menu = (await client.ask("tools/list", {}))["tools"]
                yield SurfaceToolbox(client, view, menu)


def _sources(specs: Sequence[ServerSpec], surface: str, folder: Path) -> Sources:
    """Servers stay up for as long as the run, as they do without a gateway."""
    settings = GatewaySettings(surface=surface, idle_stop=0.0, scripts=str(folder / "no-scripts"))
    return Sources(servers=tuple(specs), gateway=settings)


async def _all_up(view: View) -> None:
    """Wait until each server has listed its tools; raises the fault of the first that cannot."""
    backends = view.gateway.backends.values()
    while not {each.name for each in backends} <= view.gateway.book.servers.keys():
        for each in backends:
            if each.fault is not None:
                raise each.fault
        await anyio.sleep(_LOOK_AGAIN)


class SurfaceToolbox:
    """The menu of one surface."""

    def __init__(self, client: OwnClient, view: View, menu: Sequence[Mapping[str, Any]]) -> None:
        self._client, self._view = client, view
        self.menu: tuple[Mapping[str, Any], ...] = tuple(
            {key: tool[key] for key in _SHOWN if key in tool} for tool in menu
        )
        self.instructions = view.instructions()
        self.catalog = view.gateway.book.catalog

    async def call(self, name: str, arguments: Mapping[str, Any]) -> Called:
        """Through the gateway; a server that failed behind it ends the run as it would without one."""
        given = sendable(arguments)
        try:
            result, reported = await self._client.call_reported(name, given)
        except GatewayRefused as refused:
            return Called(refused.said, is_error=True, made=self.picked(name, given))
        if reported.fault is not None and not isinstance(reported.fault, _FOR_THE_MODEL):
            raise reported.fault
        made = self._of_code(name, reported.calls) or self.picked(name, given)
        return Called(answer_text(result), is_error(result), made)

    def picked(self, name: str, arguments: Mapping[str, Any]) -> tuple[MadeCall, ...]:
        """Searches and looks come to no tool."""
        found = unwrapped(self._view, name, arguments)
        return tuple(MadeCall(each.name, each.server, each.arguments) for each in found)

    def _of_code(self, name: str, calls: Sequence[Mapping[str, Any]]) -> tuple[MadeCall, ...]:
        """What code called cannot be told from its text; of all else the text has all arguments."""
        if name != "call_tool_chain":
            return ()
        return tuple(MadeCall(each["name"], each["server"], each.get("arguments", {})) for each in calls)
