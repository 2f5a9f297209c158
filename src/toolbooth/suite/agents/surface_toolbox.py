"""A toolbox over a gateway in this process, which reports the real tool behind every call."""

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import anyio

from toolbooth import catalog, errors, files, gateway
from toolbooth.catalog.config import GatewaySettings
from toolbooth.suite.agents import toolbox
from toolbooth.suite.agents.toolbox import is_error, result_text
from toolbooth.suite.trace import MadeCall

_LOOK_AGAIN: Final = 0.02  # seconds
_SHOWN: Final = ("name", "description", "inputSchema")
# The model asked for too much, and can ask for less
_FOR_THE_MODEL: Final = (
    errors.BackendBusy,
    errors.FrameTooLarge,
)


@asynccontextmanager
async def surface_toolbox(
    specs: Sequence[catalog.ServerSpec], surface: str, environ: Mapping[str, str], cwd: Path
) -> AsyncIterator["SurfaceToolbox"]:
    """Reads and writes no files of the user: cache, ledger, results and scripts are in a folder of this run."""
    async with toolbox.single_error():
        with TemporaryDirectory(prefix="toolbooth-suite-", ignore_cleanup_errors=True) as name:
            folder = Path(name)
            isolated = {**environ, **dict.fromkeys(files.FOLDER_VARIABLES, name)}
            request = gateway.GatewayRequest(
                (), surface, cwd, environ, given=_sources(specs, surface, folder)
            )
            async with (
                gateway.open_runtime(isolated, folder) as runtime,
                gateway.in_process_client(runtime, request) as client,
            ):
                await _all_up(client.view)
                menu = (await client.ask("tools/list", {}))["tools"]
                yield SurfaceToolbox(client, menu)


def _sources(specs: Sequence[catalog.ServerSpec], surface: str, folder: Path) -> catalog.Sources:
    """Servers stay up during the whole run, as they do without a gateway."""
    settings = GatewaySettings(surface=surface, idle_stop=0.0, scripts=str(folder / "no-scripts"))
    return catalog.Sources(servers=tuple(specs), gateway=settings)


async def _all_up(view: gateway.View) -> None:
    """Wait until every server has listed its tools. Raises the fault of the first that cannot."""
    upstreams = view.gateway.upstreams.values()
    while not {each.name for each in upstreams} <= view.gateway.registry.servers.keys():
        for each in upstreams:
            if each.fault is not None:
                raise each.fault
        await anyio.sleep(_LOOK_AGAIN)


class SurfaceToolbox:
    """The menu of one surface."""

    def __init__(self, client: gateway.InProcessClient, menu: Sequence[Mapping[str, Any]]) -> None:
        self._client, self._view = client, client.view
        self.menu: tuple[Mapping[str, Any], ...] = tuple(
            {key: tool[key] for key in _SHOWN if key in tool} for tool in menu
        )
        self.instructions = self._view.instructions()
        self.catalog = self._view.gateway.registry.catalog

    async def call(self, name: str, arguments: Mapping[str, Any]) -> toolbox.ToolboxAnswer:
        """Call through the gateway. A failed upstream ends the run, as it would without a gateway."""
        given = toolbox.sendable(arguments)
        try:
            result, reported = await self._client.call_reported(name, given)
        except gateway.GatewayRefused as refused:
            return toolbox.ToolboxAnswer(refused.said, is_error=True, made=self.picked(name, given))
        if reported.fault is not None and not isinstance(reported.fault, _FOR_THE_MODEL):
            raise reported.fault
        made = self._of_code(name, reported.calls) or self.picked(name, given)
        return toolbox.ToolboxAnswer(result_text(result), is_error(result), made)

    def picked(self, name: str, arguments: Mapping[str, Any]) -> tuple[MadeCall, ...]:
        """The real tools of a call; a search reaches none."""
        found = gateway.call_targets(self._view, name, arguments)
        return tuple(MadeCall(each.name, each.server, each.arguments) for each in found)

    def _of_code(self, name: str, calls: Sequence[Mapping[str, Any]]) -> tuple[MadeCall, ...]:
        """The calls that code made, which its text does not show; other calls are read from their arguments."""
        if name != "call_tool_chain":
            return ()
        return tuple(MadeCall(each["name"], each["server"], each.get("arguments", {})) for each in calls)
