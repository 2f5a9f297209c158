"""How the servers are, from what is known: none is started or waited for."""

import pytest
from tests.unit.gateway.own.street import GONE, Street, called

from toolbooth.errors import BackendCrashed, WrongArguments
from toolbooth.gateway.ledger import Ledger

pytestmark = pytest.mark.anyio


async def test_each_server_has_its_state_and_words_that_are_not_plain_are_told(street: Street) -> None:
    lines = (await street.read("servers")).split("\n")
    assert lines[0] == "github: idle, 4 tools"
    assert f"{GONE}: idle, tools not known yet; environment: TOKEN" in lines
    assert lines[-1] == "idle: started by its next call"


async def test_values_of_the_environment_stand_nowhere(street: Street) -> None:
    for path in ("servers", f"server/{GONE}", "health", "overview"):
        assert "canary" not in await street.read(path)


@pytest.mark.promise("own:read")
async def test_nobody_is_started_by_being_read_of(street: Street) -> None:
    for path in (
        "overview",
        "servers",
        "tools",
        "recent",
        "stats",
        "health",
        "server/files",
        "tool/read_file",
    ):
        assert await street.read(path)
    assert [each.keeper.starts for each in street.view.gateway.backends.values()] == [0] * 6


async def test_latency_stands_beside_the_server(street: Street, ledger: Ledger) -> None:
    for _call in range(20):
        called(ledger, "files", "read_file", ms=12)
    lines = (await street.read("servers")).split("\n")
    assert "files: idle, 3 tools; 20 calls in 24 h, p50 12 ms, p95 12 ms, p99 12 ms" in lines
    assert (await street.read("server/files")).startswith(lines[1])


async def test_the_last_fault_is_told_clean(street: Street) -> None:
    street.view.gateway.backends["mail"].fault = BackendCrashed("ended \x1b[31mwith\u202e\nstatus 3", "mail")
    line = next(each for each in (await street.read("servers")).split("\n") if each.startswith("mail"))
    assert line.endswith("; last fault: ended with\\u{202e} status 3")
    assert "\\u{202e}" in (await street.read("health")).encode().decode("unicode_escape")


async def test_one_server_is_told_with_its_tools(street: Street) -> None:
    text = await street.read("server/weather")
    assert text.split("\n") == [
        "weather: idle, 2 tools",
        "for: get_forecast, get_alerts",
        "weather: get_forecast, get_alerts",
    ]


async def test_a_server_of_which_nothing_is_known_is_told_without_tools(street: Street) -> None:
    assert (await street.read(f"server/{GONE}")).startswith(f"{GONE}: idle, tools not known yet")


async def test_an_unknown_server_is_refused_with_the_nearest(street: Street) -> None:
    with pytest.raises(WrongArguments, match=r'no server "wether"\. Nearest: weather'):
        await street.read("server/wether")
