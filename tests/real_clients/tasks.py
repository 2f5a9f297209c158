"""The same short task on every surface: find or call a tool at once, get a long answer, read more of it by its ref."""

import json
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from tests.real_clients.client_home import PATIENCE, ClientHome, RealClient, as_toml, servers_of
from tests.real_clients.clients import CODEX
from tests.real_clients.scripted_model import LAST_REF, Turn, calls
from toolbooth.catalog.config import read_config
from toolbooth.demo import demo_command

SERVERS: Final = ("tickets", "files", "database")
PREFIX: Final = "mcp__toolbooth__"  # what Claude Code and Codex put before the names of our tools
MENUS: Final = {
    "search": {"search_tools", "call_tool", "read_result"},
    "code": {"search_tools", "call_tool_chain", "read_result"},
    "full": {
        *("search_tools", "list_tools", "tool_info", "call_tool", "call_tool_chain", "read_result"),
        "manage_servers",
    },
    "direct": {"tickets__search_tickets", "database__run_query", "files__read_file"},
}
_SQL: Final = "SELECT * FROM bookings"  # 3,000 rows, 565 KB
LARGEST: Final = '"amount_cents":23500'  # of the row that is read from the long answer


def first_call(surface: str, prefix: str = PREFIX) -> Turn:
    """A call that needs nothing known before it; its answer names a ticket or a tool for tickets."""
    if surface == "direct":
        return calls(f"{prefix}tickets__search_tickets", query="login")
    if surface == "code":
        return calls(f"{prefix}call_tool_chain", code="await tickets.search_tickets(query='login')")
    return calls(f"{prefix}search_tools", query="search tickets by words")


def long_answer(surface: str, prefix: str = PREFIX) -> Turn:
    """A call whose answer has 565 KB."""
    if surface == "direct":
        return calls(f"{prefix}database__run_query", sql=_SQL)
    if surface == "code":
        return calls(f"{prefix}call_tool_chain", code=f"await database.run_query(sql={_SQL!r})")
    return calls(f"{prefix}call_tool", name="database.run_query", arguments={"sql": _SQL})


def task(surface: str, prefix: str = PREFIX) -> list[Turn]:
    """Three calls; the last one reads on in the answer of the second."""
    more = calls(f"{prefix}read_result", ref=LAST_REF, path="max_by(rows, &amount_cents)")
    return [first_call(surface, prefix), long_answer(surface, prefix), more]


def config_text(client: RealClient) -> str:
    """The client's own file with servers of the demo."""
    commands = {name: demo_command(name) for name in SERVERS}
    if client is CODEX:
        return as_toml(commands)
    return json.dumps({**client.settings, "mcpServers": servers_of(commands)}, indent=2)


@contextmanager
def home_with_servers(folder: Path, client: RealClient) -> Iterator[ClientHome]:
    """A home whose client has servers of the demo in its own file."""
    home = ClientHome(folder, client)
    home.config.parent.mkdir(parents=True, exist_ok=True)
    home.config.write_text(config_text(client), encoding="utf-8")
    try:
        yield home
    finally:
        home.close()
    assert not home.processes(), "a process outlived its client"


def wrap(home: ClientHome, *words: str) -> list[str]:
    """Wrap the client's file as a user does; the command of the gateway that it then has."""
    home.toolbooth("wrap", home.client.key, *words)
    (entry,) = read_config(home.config, {}).servers
    return [entry.command, *entry.args]


def warm_up(home: ClientHome, gateway: Sequence[str]) -> None:
    """Connect once as another session would, so that the daemon and its servers are up.

    Claude Code waits five seconds for servers whose tools are to be loaded, and a busy machine may take longer to start
    the first daemon.
    """
    client = {"name": "another-session", "version": "1"}
    asked: list[dict[str, Any]] = [
        {"id": 1, "method": "initialize", "params": _hello(client)},
        {"method": "notifications/initialized"},
        {"id": 2, "method": "tools/list", "params": {}},
    ]
    with subprocess.Popen(
        gateway,
        cwd=home.project,
        env=home.environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        encoding="utf-8",
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for each in asked:
            print(json.dumps({"jsonrpc": "2.0", **each}), file=process.stdin, flush=True)
        assert next(line for line in process.stdout if json.loads(line).get("id") == 2)
        process.stdin.close()
        process.wait(timeout=PATIENCE)


def _hello(client: dict[str, str]) -> dict[str, Any]:
    return {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client}
