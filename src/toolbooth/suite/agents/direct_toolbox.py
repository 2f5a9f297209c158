"""Server specs → their tools as a toolbox, over connections of its own and with nothing between."""

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any, Final

import anyio

from toolbooth.catalog import Catalog, ServerSpec, ServerTools, Tool
from toolbooth.catalog.connect import ServerError
from toolbooth.errors import BackendFault, FrameTooLarge
from toolbooth.safetext import for_terminal
from toolbooth.suite.agents.alone import alone
from toolbooth.suite.agents.answer_text import answer_text, is_error
from toolbooth.suite.agents.held_server import HeldServer
from toolbooth.suite.agents.menu_names import menu_names, nearest_names
from toolbooth.suite.agents.toolbox import Called
from toolbooth.suite.trace import MadeCall

_NO_SCHEMA: Final[Mapping[str, Any]] = {"type": "object"}
_NAME: Final = 100  # characters of a name that a model wrote


@asynccontextmanager
async def direct_toolbox(
    specs: Sequence[ServerSpec], environ: Mapping[str, str]
) -> AsyncIterator["DirectToolbox"]:
    """Every server at once; raises the BackendFault of the first that does not come up."""
    servers = {spec.name: HeldServer(spec, environ) for spec in specs}
    async with alone(), anyio.create_task_group() as tasks:
        for server in servers.values():
            tasks.start_soon(server.hold)
        for server in servers.values():
            await server.up.wait()
        yield DirectToolbox(servers)
        tasks.cancel_scope.cancel()


class DirectToolbox:
    """The tools of all servers side by side, as a client without a gateway shows them."""

    def __init__(self, servers: Mapping[str, HeldServer]) -> None:
        self._servers = servers
        self.catalog = Catalog(tuple(each.offered for each in servers.values()))
        self._tools = menu_names(self.catalog.tools)
        self.menu: tuple[Mapping[str, Any], ...] = tuple(
            _entry(name, tool) for name, tool in self._tools.items()
        )
        self.instructions = "\n\n".join(_about(each) for each in self.catalog.servers if each.instructions)

    async def call(self, name: str, arguments: Mapping[str, Any]) -> Called:
        """Make the call; what its server says of it, be it an error, is for the model."""
        made = self.picked(name, arguments)
        tool = self._tools.get(name)
        if tool is None:
            return Called(self._unknown(name), is_error=True, made=made)
        server = self._servers[tool.server]
        try:
            result = await server.call(tool, arguments)
            return Called(answer_text(result), is_error(result), made)
        except ServerError as error:
            return Called(f"{name} failed with error {error.code}: {error.said}", is_error=True, made=made)
        except FrameTooLarge as fault:
            return Called(f"{fault}; ask for less", is_error=True, made=made)
        except BackendFault as fault:
            fault.server = tool.server
            raise

    def picked(self, name: str, arguments: Mapping[str, Any]) -> tuple[MadeCall, ...]:
        """The tool of this name; a name that no tool has is a choice, too."""
        tool = self._tools.get(name)
        if tool is None:
            return (MadeCall(name, arguments=arguments),)
        return (MadeCall(tool.name, tool.server, arguments),)

    def _unknown(self, name: str) -> str:
        near = nearest_names(name, self._tools)
        said = f" Nearest: {', '.join(near)}." if near else ""
        return f'There is no tool "{for_terminal(name, _NAME)}".{said}'


def _entry(name: str, tool: Tool) -> dict[str, Any]:
    """What a model is shown of it."""
    about = {"description": tool.description} if tool.description else {}
    return {"name": name, **about, "inputSchema": tool.input_schema or _NO_SCHEMA}


def _about(server: ServerTools) -> str:
    return f"{server.server}: {server.instructions}"
