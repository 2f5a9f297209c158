"""The functions behind the pytest fixtures: a gateway to call, and one run of an agent, both without async code."""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from anyio.from_thread import BlockingPortal, start_blocking_portal

from toolbooth import catalog, errors, safetext
from toolbooth.catalog.config import Document, spec_of_entry
from toolbooth.suite.agents import conversation, costs, loop, models
from toolbooth.suite.agents.toolbox import Toolbox, ToolboxAnswer, open_toolbox
from toolbooth.suite.spec.script import SCRIPT, read_script
from toolbooth.suite.trace import Trace

ServersArgument = Mapping[str, Mapping[str, Any]] | Path | str


def read_servers_argument(
    servers: ServersArgument, environ: Mapping[str, str], cwd: Path
) -> tuple[catalog.ServerSpec, ...]:
    """Raises ConfigError if a server cannot be used, or if there is none."""
    if isinstance(servers, Mapping):
        found = tuple(spec_of_entry(name, _entry(entry), environ, cwd) for name, entry in servers.items())
    else:
        found = _of_config(cwd / servers, environ)
    if not found:
        raise errors.ConfigError(
            'no server is given; pass for example {"notes": {"command": ["notes-server"]}}'
        )
    return found


def _of_config(path: Path, environ: Mapping[str, str]) -> tuple[catalog.ServerSpec, ...]:
    file = catalog.config_sources(path, environ)
    if file.problems:
        raise errors.ConfigError(f"the server {file.problems[0]}", path)
    return file.servers


def _entry(entry: Mapping[str, Any]) -> dict[str, Any]:
    """Turns tuples into the lists that a config has."""
    return {key: list(value) if isinstance(value, tuple) else value for key, value in entry.items()}


_HIT: Final = re.compile(r"^([^\s(]+)\(", re.MULTILINE)


@contextmanager
def blocking_gateway(
    specs: Sequence[catalog.ServerSpec], surface: str, environ: Mapping[str, str], cwd: Path
) -> Iterator["BlockingGateway"]:
    """A gateway in its own thread, which stops with all its servers."""
    with start_blocking_portal() as portal:
        opened = open_toolbox(specs, surface, environ, cwd)
        with portal.wrap_async_context_manager(opened) as toolbox:
            yield BlockingGateway(portal, toolbox)


class BlockingGateway:
    """A surface as an agent sees it, and calls through it."""

    def __init__(self, portal: BlockingPortal, toolbox: Toolbox) -> None:
        self._portal, self._toolbox = portal, toolbox
        self._ids = {tool.id for tool in toolbox.catalog}
        picked = {name: toolbox.picked(name, {}) for name in self.tools}
        self._in_menu = {calls[0].id: name for name, calls in picked.items() if calls and calls[0].name}

    @property
    def tools(self) -> list[str]:
        """The names of its menu."""
        return [str(tool["name"]) for tool in self._toolbox.menu]

    @property
    def menu(self) -> tuple[Mapping[str, Any], ...]:
        """The menu as a model reads it: name, description, inputSchema."""
        return self._toolbox.menu

    @property
    def instructions(self) -> str:
        """The instructions that a model gets with the menu."""
        return self._toolbox.instructions

    def call(self, name: str, arguments: Mapping[str, Any] | None = None) -> ToolboxAnswer:
        """Call a tool of the menu, or a real tool (`server.tool`) through the surface.

        The answer has `text`, `is_error`, and `made`, the real calls that were made.
        """
        given = dict(arguments or {})
        menu = set(self.tools)
        through, sent = (
            (name, given) if name in menu else models.through_menu(menu, self._in_menu, name, given)
        )
        answer: ToolboxAnswer = self._portal.call(self._toolbox.call, through, sent)
        return answer

    def search(self, query: str, limit: int = 5) -> list[str]:
        """The tools that the surface's search finds, best first, as `server.tool`."""
        if "search_tools" not in self.tools:
            raise errors.UserMistake("this surface has no search; use search, full or code")
        answer = self.call("search_tools", {"query": query, "limit": limit})
        if answer.is_error:
            raise errors.UserMistake(f"the search failed: {safetext.for_terminal(answer.text)}")
        return [found for found in _HIT.findall(answer.text) if found in self._ids]


Calls = Sequence[str | Mapping[str, Any]]


def blocking_agent_run(
    specs: Sequence[catalog.ServerSpec],
    calls: Calls | None,
    surface: str,
    prompt: str,
    environ: Mapping[str, str],
    cwd: Path,
) -> Trace:
    """Each of `calls` is a turn, as in `script:` of a suite; without calls, the key-free model `lexical` picks.

    Servers are started for the run and stop with it. A server's fault is recorded in the trace, as in a suite.
    """
    name, model, turns = _model(calls)
    task = loop.AgentTask(Trace(prompt, "", name, surface), max_turns=turns)

    async def run() -> Trace:
        async with open_toolbox(specs, surface, environ, cwd) as toolbox:
            return await loop.run_agent(model, toolbox, task, costs.Budget())

    with start_blocking_portal() as portal:
        return portal.call(run)


def _model(calls: Calls | None) -> tuple[str, conversation.Model, int]:
    if calls is None:
        return "lexical", models.LexicalModel(), 2
    script = list(calls)
    SCRIPT.check(Document(Path("calls"), "python", script), script, ("calls",))
    return "scripted", models.ScriptedModel(read_script(script)), len(script) + 1
