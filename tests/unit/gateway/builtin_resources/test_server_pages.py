"""How the servers are, from what is known: none is started or waited for."""

import json
from pathlib import Path

import pytest
from tests.unit.gateway.builtin_resources.idle_gateway import GONE, IdleGateway, called, open_idle_gateway

from toolbooth.catalog import ServerTools, Tool
from toolbooth.errors import BackendCrashed, WrongArguments
from toolbooth.gateway.builtin_resources.server_pages import about
from toolbooth.gateway.ledger import Ledger
from toolbooth.limits import LISTED_NAMES, OVERVIEW_SERVERS
from toolbooth.tokens import count

pytestmark = pytest.mark.anyio


async def test_each_server_has_its_state_and_less_obvious_states_are_explained(
    idle_gateway: IdleGateway,
) -> None:
    lines = (await idle_gateway.read("servers")).split("\n")
    assert lines[0] == "github: idle, 4 tools"
    assert f"{GONE}: idle, tools not known yet; environment: TOKEN" in lines
    assert lines[-1] == "idle: starts on its next call"


async def test_values_of_the_environment_are_nowhere(idle_gateway: IdleGateway) -> None:
    for path in ("servers", f"server/{GONE}", "health", "overview"):
        assert "canary" not in await idle_gateway.read(path)


@pytest.mark.promise("builtin:read")
async def test_nobody_is_started_by_being_read_of(idle_gateway: IdleGateway) -> None:
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
        assert await idle_gateway.read(path)
    assert [each.pool.starts for each in idle_gateway.view.gateway.upstreams.values()] == [0] * 6


async def test_latency_is_shown_beside_the_server(idle_gateway: IdleGateway, ledger: Ledger) -> None:
    for _call in range(20):
        called(ledger, "files", "read_file", ms=12)
    lines = (await idle_gateway.read("servers")).split("\n")
    assert "files: idle, 3 tools; 20 calls in 24 h, p50 12 ms, p95 12 ms, p99 12 ms" in lines
    assert (await idle_gateway.read("server/files")).startswith(lines[1])


async def test_the_last_fault_is_shown_without_control_characters(idle_gateway: IdleGateway) -> None:
    idle_gateway.view.gateway.upstreams["mail"].fault = BackendCrashed(
        "ended \x1b[31mwith\u202e\nstatus 3", "mail"
    )
    line = next(each for each in (await idle_gateway.read("servers")).split("\n") if each.startswith("mail"))
    assert line.endswith("; last fault: ended with\\u{202e} status 3")
    assert "\\u{202e}" in (await idle_gateway.read("health")).encode().decode("unicode_escape")


async def test_one_server_is_shown_with_its_tools(idle_gateway: IdleGateway) -> None:
    text = await idle_gateway.read("server/weather")
    assert text.split("\n") == [
        "weather: idle, 2 tools",
        "for: get_forecast, get_alerts",
        "weather: get_forecast, get_alerts",
    ]


async def test_a_server_of_which_nothing_is_known_is_shown_without_tools(idle_gateway: IdleGateway) -> None:
    assert (await idle_gateway.read(f"server/{GONE}")).startswith(f"{GONE}: idle, tools not known yet")


async def test_an_unknown_server_is_refused_with_the_nearest(idle_gateway: IdleGateway) -> None:
    with pytest.raises(WrongArguments, match=r'no server "wether"\. Nearest: weather'):
        await idle_gateway.read("server/wether")


READ = (Tool("s", "read_file"), Tool("s", "write_file"))


@pytest.mark.anyio
async def test_every_server_has_a_line_and_every_tool_of_the_menu_its_use(idle_gateway: IdleGateway) -> None:
    text = await idle_gateway.read("overview")
    lines = text.split("\n")
    assert lines[0] == "6 servers, 12 tools:"
    assert "mail: 2 tools — send_email, search_inbox" in lines
    assert f"{GONE}: not up (idle)" in lines
    for call_builtin in idle_gateway.view.surface.builtin_tools:
        assert f"{call_builtin}(" in text
    assert count(text) < 300


@pytest.mark.anyio
async def test_if_tools_are_in_the_menu_themselves_no_search_is_mentioned(
    tmp_path: Path, ledger: Ledger
) -> None:
    async with open_idle_gateway(tmp_path, ledger, surface="direct") as idle_gateway:
        text = await idle_gateway.read("overview")
        assert "named server__tool" in text
        assert "search_tools" not in text
    async with open_idle_gateway(
        tmp_path, ledger, [ServerTools("s", READ)], surface="direct"
    ) as idle_gateway:
        assert "named server__tool" in await idle_gateway.read("overview")


@pytest.mark.anyio
async def test_of_many_servers_the_rest_is_counted(tmp_path: Path, ledger: Ledger) -> None:
    known = [ServerTools(f"s{number}", ()) for number in range(OVERVIEW_SERVERS + 3)]
    async with open_idle_gateway(tmp_path, ledger, known) as idle_gateway:
        text = await idle_gateway.read("overview")
        assert f"s{OVERVIEW_SERVERS - 1}: 0 tools" in text
        assert "and 3 more: toolbooth://servers" in text


@pytest.mark.parametrize(
    ("offered", "line"),
    [
        (ServerTools("s", READ, description="Files of a project. And more."), "Files of a project"),
        (ServerTools("s", READ, instructions="# Files\n\nReads files. Then writes."), "Reads files"),
        (ServerTools("s", READ, description="  ", instructions="Reads files"), "Reads files"),
        (ServerTools("s", READ), "read_file, write_file"),
        (ServerTools("s", tuple(Tool("s", f"t{number}") for number in range(9))), "t0, t1, t2, t3, …"),
        (ServerTools("s", ()), ""),
        (ServerTools("s", (), description="red \x1b[31m\u202eand\x00 quiet"), "red \\u{202e}and\\x00 quiet"),
    ],
)
def test_what_a_server_is_for_is_one_clean_line(offered: ServerTools, line: str) -> None:
    assert about(offered) == line


def test_a_long_sentence_is_cut_after_a_word() -> None:
    said = about(ServerTools("s", (), description="word " * 100))
    assert said.endswith("word…")
    assert len(said) <= 141


async def test_names_are_grouped_by_server_and_a_server_that_is_down_is_named(
    idle_gateway: IdleGateway,
) -> None:
    lines = (await idle_gateway.read("tools")).split("\n")
    assert lines[0] == "github: create_issue, list_issues, delete_branch, merge_pull_request"
    assert lines[1] == "files: read_file, write_file, searchFiles"
    assert lines[-1] == f"not up, tools unknown: {GONE} (idle)"


def many(server: str, count: int) -> ServerTools:
    return ServerTools(server, tuple(Tool(server, f"t{number}") for number in range(count)))


async def test_what_is_too_much_for_one_page_is_counted_with_where_to_find_it(
    tmp_path: Path, ledger: Ledger
) -> None:
    known = [many("big", LISTED_NAMES + 7), many("late", 3)]
    async with open_idle_gateway(tmp_path, ledger, known) as idle_gateway:
        whole = await idle_gateway.read("tools")
        assert whole.count(", ") >= LISTED_NAMES - 1
        assert whole.endswith(
            "and 10 more, of big (7), late (3); toolbooth://server/NAME names those of one server"
        )
        one = await idle_gateway.read("server/big")
        assert one.endswith("and 7 more: search_tools finds them by what they do")
        assert "cursor" not in whole + one, "a resource has no pages"


async def test_one_tool_is_shown_as_it_is_called(idle_gateway: IdleGateway) -> None:
    text = await idle_gateway.read("tool/github.create_issue")
    assert text.startswith("github.create_issue(owner, repo, title, body) — Create a new issue")
    assert await idle_gateway.read("tool/create_issue") == text, (
        "a bare name will do while one server owns it"
    )


async def test_an_unknown_tool_is_refused_with_the_nearest_names(idle_gateway: IdleGateway) -> None:
    with pytest.raises(WrongArguments, match=r'no tool "create_isue".*github\.create_issue'):
        await idle_gateway.read("tool/create_isue")


async def test_a_tool_of_a_server_that_is_down_is_refused_with_the_reason(idle_gateway: IdleGateway) -> None:
    with pytest.raises(WrongArguments, match=f"{GONE} is configured but not up: idle"):
        await idle_gateway.read(f"tool/{GONE}.run_query")


async def test_without_any_server_the_user_learns_what_to_do(tmp_path: Path, ledger: Ledger) -> None:
    async with open_idle_gateway(tmp_path, ledger, []) as idle_gateway:
        for path in ("tools", "overview", "servers"):
            assert "No MCP server is configured" in await idle_gateway.read(path)


async def test_health_has_the_rows_of_the_status(idle_gateway: IdleGateway) -> None:
    health = json.loads(await idle_gateway.read("health"))
    assert health["status"] == "ok"
    assert health["servers"] == idle_gateway.view.gateway.status()
    assert (health["sessions"], health["notes"]) == (0, [])
