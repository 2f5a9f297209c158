"""The real Gemini CLI and OpenCode on the surface `search`: the whole menu, and the short task of the other clients."""

import json
import sys
from collections.abc import Iterator

import pytest

from tests.real_clients.client_home import ClientHome, RealClient, Session
from tests.real_clients.clients import GEMINI_CLI, OPENCODE
from tests.real_clients.tasks import LARGEST, MENUS, home_with_servers, task, warm_up, wrap


@pytest.fixture(scope="module", params=[GEMINI_CLI, OPENCODE], ids=lambda client: client.key)
def session(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    client: RealClient = request.param
    with home_with_servers(tmp_path_factory.mktemp(client.key), client) as home:
        warm_up(home, by_hand(home) if client is OPENCODE else wrap(home, "--surface", "search"))
        yield home.run(task("search", client.prefix))


def by_hand(home: ClientHome) -> list[str]:
    """`wrap` does not know OpenCode's file: the gateway is written into it, and reads the servers from another."""
    servers = home.config.replace(home.folder / "servers.json")
    gateway = [sys.executable, "-m", "toolbooth", "serve", "--config", str(servers)]
    entry = {"type": "local", "command": gateway, "enabled": True}
    home.config.write_text(json.dumps({"mcp": {"toolbooth": entry}}), encoding="utf-8")
    return gateway


@pytest.mark.promise("clients:menu-loaded")
def test_the_whole_menu_is_in_the_first_request(session: Session) -> None:
    shown = {name.rpartition("toolbooth_")[2] for name in session.sent[0].loaded}
    assert shown == MENUS["search"]


@pytest.mark.promise("clients:instructions")
def test_the_instructions_are_shown(session: Session) -> None:
    assert "Servers: tickets" in session.sent[0].instructions


@pytest.mark.promise("clients:first-call")
def test_its_three_calls_succeed(session: Session) -> None:
    first, long, more = session.results
    assert "search_tickets" in first
    assert "read_result" in long
    assert LARGEST in more
