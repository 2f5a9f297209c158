"""The real Claude Code on every surface, with its config as `toolbooth wrap` writes it: with its tool search, and
without.
"""

import json
from collections.abc import Iterator
from typing import NamedTuple

import pytest

from tests.provider_formats import Calls, Says
from tests.provider_server import Asked
from tests.real_clients.client_home import ClientHome, Session
from tests.real_clients.clients import CLAUDE_CODE, TOOL_SEARCH
from tests.real_clients.network import isolation
from tests.real_clients.tasks import (
    LARGEST,
    MENUS,
    PREFIX,
    config_text,
    home_with_servers,
    task,
    warm_up,
    wrap,
)
from toolbooth.catalog import profile_named
from toolbooth.tokens import count

CASES = [
    (surface, search)
    for surface in MENUS
    for search in (True, False)
    if search or surface in ("search", "direct")
]


class Run(NamedTuple):
    """A session on one surface, and whether the client's tool search was on."""

    surface: str
    searches: bool
    session: Session


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ClientHome]:
    print(f"Claude Code runs {isolation()}")
    with home_with_servers(tmp_path_factory.mktemp("claude"), CLAUDE_CODE) as made:
        yield made


@pytest.fixture(
    scope="module", params=CASES, ids=lambda case: f"{case[0]}-{'searching' if case[1] else 'plain'}"
)
def run(home: ClientHome, request: pytest.FixtureRequest) -> Run:
    surface, searches = request.param
    warm_up(home, wrap(home, "--surface", surface))
    # On direct, tools may be deferred; then a model loads them first.
    script = [loads_tools, *task(surface)] if surface == "direct" else task(surface)
    return Run(surface, searches, home.run(script, **{TOOL_SEARCH: str(searches).lower()}))


def loads_tools(asked: Asked) -> Says:
    """What a model does that wants two deferred tools; one that has them waits for nothing."""
    names = [tool["name"] for tool in asked.body["tools"]]
    wanted = ",".join(
        f"{PREFIX}{name}" for name in ("tickets__search_tickets", "database__run_query", "read_result")
    )
    if "ToolSearch" in names:
        return Says(calls=[Calls("ToolSearch", {"query": f"select:{wanted}", "max_results": 5})])
    return Says(calls=[Calls("WaitForMcpServers", {})] if "WaitForMcpServers" in names else [])


def results(run: Run) -> tuple[str, ...]:
    """The answers of the three calls."""
    return run.session.results[-3:]


@pytest.mark.promise("clients:menu-loaded")
def test_the_whole_menu_is_in_the_first_request(run: Run) -> None:
    """On direct, a client that searches tools may defer them, and name them as soon as it is connected."""
    first, last = run.session.sent[0], run.session.sent[-1]
    if run.surface == "direct":
        shown = {*first.loaded, *last.loaded, *last.deferred}
        assert MENUS["direct"] <= {name.removeprefix(PREFIX) for name in shown}
    else:
        assert {name.removeprefix(PREFIX) for name in first.loaded} == MENUS[run.surface]


@pytest.mark.promise("clients:first-call")
def test_a_call_at_the_first_turn_succeeds(run: Run) -> None:
    assert "search_tickets" in results(run)[0] or "LF-" in results(run)[0]


@pytest.mark.promise("clients:instructions")
def test_the_instructions_are_shown(run: Run) -> None:
    assert "Servers: tickets" in run.session.sent[-1].instructions


@pytest.mark.promise("clients:no-file")
def test_a_long_answer_stays_below_the_clients_cap_and_is_read_by_its_ref(run: Run) -> None:
    profile = profile_named("claude-code")
    assert profile is not None
    _, long, more = results(run)
    assert "<persisted-output>" not in long
    assert count(long) <= (profile.result_tokens or 0)
    assert LARGEST in more


@pytest.mark.promise("clients:wrapped")
def test_unwrapping_gives_its_servers_back(home: ClientHome) -> None:
    """The client has written other parts of its file meanwhile."""
    wrap(home)
    assert "toolbooth" in json.loads(home.config.read_text())["mcpServers"]
    home.toolbooth("unwrap", "claude-code")
    before = json.loads(config_text(CLAUDE_CODE))
    assert json.loads(home.config.read_text())["mcpServers"] == before["mcpServers"]
