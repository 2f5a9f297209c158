"""The ways in which a real client is run, and a home with servers that are acted from what they offer."""

import json
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, NamedTuple

from tests.provider_formats import Calls, Says
from tests.provider_server import Asked
from tests.real_clients import acted_server
from tests.real_clients.client_home import ClientHome, RealClient, as_toml, servers_of
from tests.real_clients.clients import BY_CODE, CLAUDE_CODE, CODEX, SEARCHING, TOOL_SEARCH, WHOLE
from tests.real_clients.scripted_model import Turn
from tests.real_clients.what_was_sent import what_was_sent

_TURNS: Final = 90  # in which Claude Code may wait for its servers, a second each
_WAITS: Final = Says(calls=[Calls("Bash", {"command": "sleep 1"})])
LOADED: Final = 'omit_tools_from = ["deferred"]\n'  # of a server of Codex: its tools are not deferred


class Mode(NamedTuple):
    """One way to run a client; `label` is the head of its column."""

    label: str
    client: RealClient
    words: tuple[str, ...] = ()
    environ: Mapping[str, str] = {}


MODES: Final = (
    Mode("Claude Code", CLAUDE_CODE, environ={TOOL_SEARCH: "false"}),
    Mode("Claude Code, tool search on", CLAUDE_CODE, environ={TOOL_SEARCH: "true"}),
    Mode("Codex, GPT-6", CODEX, ("-m", BY_CODE)),
    Mode("Codex, GPT-5.5", CODEX, ("-m", SEARCHING)),
    Mode("Codex, unknown model", CODEX, ("-m", WHOLE)),
)
Parts = Mapping[str, Mapping[str, Any]]


@contextmanager
def home_of(folder: Path, client: RealClient, parts: Parts, more: str = "") -> Iterator[ClientHome]:
    """A home whose client has these servers in its file; `more` are lines of TOML for each.

    Codex is told that it needs them: then its first turn waits until they are connected.
    """
    home = ClientHome(folder, client)
    home.config.parent.mkdir(parents=True, exist_ok=True)
    commands: dict[str, Sequence[str]] = {}
    for name, part in parts.items():
        path = folder / f"{name}.json"
        path.write_text(json.dumps(part), encoding="utf-8")
        commands[name] = (sys.executable, "-I", "-S", str(acted_server.__file__), str(path))
    required = re.sub(r"^(\[.*\])$", rf"\1\nrequired = true\n{more}", as_toml(commands), flags=re.M)
    as_json = json.dumps({"mcpServers": servers_of(commands)})
    home.config.write_text(required if client is CODEX else as_json, encoding="utf-8")
    try:
        yield home
    finally:
        home.close()


def until_known(tools: int) -> list[Turn]:
    """Turns in which Claude Code waits until its model has been told of so many tools."""

    def turn(asked: Asked) -> Says:
        sent = what_was_sent(asked.body)
        offered = {tool.get("name") for tool in asked.body.get("tools", ())}
        known = len(sent.loaded) + len(sent.deferred) >= tools
        return Says("done") if known or "Bash" not in offered else _WAITS

    return [turn] * _TURNS
