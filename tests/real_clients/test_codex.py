"""The real Codex on every surface, with its config as `toolbooth wrap` writes it, and with the three ways in which it
offers tools to a model: by code, behind its tool search, and whole.
"""

from collections.abc import Iterator
from typing import NamedTuple

import pytest

from tests.real_clients.client_home import ClientHome, Session
from tests.real_clients.clients import BY_CODE, CODEX, SEARCHING, WHOLE
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
    *((surface, BY_CODE) for surface in MENUS),
    ("search", SEARCHING),
    ("direct", SEARCHING),
    ("direct", WHOLE),
]
CUT = "tokens truncated"  # what Codex writes into the middle of an answer that it cuts


class Run(NamedTuple):
    """A session on one surface with one model."""

    surface: str
    model: str
    session: Session


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ClientHome]:
    print(f"Codex runs {isolation()}")
    with home_with_servers(tmp_path_factory.mktemp("codex"), CODEX) as made:
        yield made


@pytest.fixture(scope="module", params=CASES, ids="-".join)
def run(home: ClientHome, request: pytest.FixtureRequest) -> Run:
    surface, model = request.param
    warm_up(home, wrap(home, "--surface", surface))
    return Run(surface, model, home.run(task(surface), "-m", model))


@pytest.mark.promise("clients:menu-loaded")
def test_the_whole_menu_is_in_the_first_request(run: Run) -> None:
    sent = run.session.sent[0]
    if run.surface == "direct" and run.model != WHOLE:
        assert sent.loaded or sent.deferred == ("mcp__toolbooth",)
    else:
        assert MENUS[run.surface] <= {name.removeprefix(PREFIX) for name in sent.loaded}


@pytest.mark.promise("clients:first-call")
def test_a_call_at_the_first_turn_succeeds(run: Run) -> None:
    first = run.session.results[0]
    assert "search_tickets" in first or "LF-" in first


@pytest.mark.promise("clients:instructions")
def test_the_instructions_are_shown(run: Run) -> None:
    assert "Servers: tickets" in run.session.sent[0].instructions


@pytest.mark.promise("clients:no-file")
def test_a_long_answer_is_not_cut_in_its_middle_and_is_read_by_its_ref(run: Run) -> None:
    profile = profile_named("codex")
    assert profile is not None
    _, long, more = run.session.results
    assert CUT not in long
    assert count(long) <= (profile.result_tokens or 0)
    assert LARGEST in more


@pytest.mark.promise("clients:wrapped")
def test_unwrapping_gives_its_file_back(home: ClientHome) -> None:
    wrap(home)
    assert "[mcp_servers.toolbooth]" in home.config.read_text()
    home.toolbooth("unwrap", "codex")
    assert home.config.read_text() == config_text(CODEX)
