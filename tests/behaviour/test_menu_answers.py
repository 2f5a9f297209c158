"""Long answers of tools that are in the menu themselves: on `direct`, and pinned to another surface."""

import json
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from mcp import ClientSession, StdioServerParameters, stdio_client
from mcp_types import CallToolResult, Implementation

from tests.behaviour.fat_server import LINK, LOG, ORDERS, PAGE, PICTURE, RESULTS, SCHEMAS
from tests.behaviour.gateway_client import isolated_environ
from tests.behaviour.gateway_process import gateway_process
from tests.behaviour.test_reduction import REF, Agent, agent, ref_in, write
from toolbooth import catalog, limits

TYPED = [name for name in RESULTS if name in SCHEMAS]


@pytest.fixture(scope="module", params=["old", "new"])
def one(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Agent]:
    with agent(tmp_path_factory.mktemp("home"), request.param, surface="direct") as found:
        yield found


def shown(result: dict[str, Any]) -> str:
    return "\n".join(item["text"] for item in result["content"] if item["type"] == "text")


def menu(one: Agent) -> dict[str, dict[str, Any]]:
    """Its entries by the server's own names."""
    listed = one.client.result("tools/list")["tools"]
    return {each["name"].removeprefix("fat__"): each for each in listed}


def called(one: Agent, tool: str) -> dict[str, Any]:
    """What a tool of the menu answers."""
    return one.client.bare(one.client.result("tools/call", {"name": f"fat__{tool}", "arguments": {}}))


@pytest.mark.promise("reduce:menu")
def test_a_long_answer_is_cut_and_the_tool_beside_it_reads_the_rest(one: Agent) -> None:
    text = shown(called(one, "orders"))
    assert len(text) < len(json.dumps(PAGE)) / 5
    assert json.loads(one.reads(ref_in(text), path="orders[137]")) == ORDERS[137]
    assert one.reads(ref_in(shown(called(one, "log"))), start=778, lines=1).startswith(LOG.splitlines()[777])
    assert next(iter(menu(one))) == "read_result"


@pytest.mark.promise("reduce:menu")
def test_what_is_short_or_no_text_passes(one: Agent) -> None:
    assert called(one, "small") == RESULTS["small"]
    mixed, failed = called(one, "mixed"), called(one, "failed")
    assert (mixed["content"][0], mixed["content"][2], mixed["ownField"]) == (PICTURE, LINK, {"a": 1})
    assert (failed["isError"], failed["_meta"]) == (True, RESULTS["failed"]["_meta"])
    assert len(shown(failed)) <= limits.SHOWN_ANSWER + 500


@pytest.mark.promise("reduce:menu")
def test_a_tool_that_is_not_cut_is_whole_and_says_so_to_the_client(tmp_path: Path) -> None:
    tools = {"fat.log": {"reduce": False}, "fat.orders": {"reduce": False, "max_bytes": 2_000}}
    with agent(tmp_path, surface="direct", tools=tools) as one:
        assert called(one, "log") == RESULTS["log"]
        assert len(called(one, "orders")["content"][0]["text"]) <= 2_000
        said = {
            name: each.get("_meta", {}).get("anthropic/maxResultSizeChars")
            for name, each in menu(one).items()
        }
        assert {name for name, chars in said.items() if chars == 500_000} == {"log"}
        assert {name for name, chars in said.items() if chars is not None} == {"log"}


@pytest.mark.promise("reduce:menu")
def test_with_reduction_off_all_comes_as_it_was_and_nothing_is_offered_to_read_it(tmp_path: Path) -> None:
    with agent(tmp_path, surface="direct", reduce=False) as one:
        for tool in RESULTS:
            assert called(one, tool) == RESULTS[tool]
        listed = menu(one)
        assert "read_result" not in listed
        assert {name: listed[name]["outputSchema"] for name in TYPED} == SCHEMAS
    with agent(tmp_path, surface="direct", reduce=False, tools={"fat.log": {"max_bytes": 2_000}}) as one:
        text = called(one, "log")["content"][0]["text"]
        assert len(text) <= 2_000
        assert "read_result" in menu(one)


@pytest.mark.promise("reduce:menu")
def test_a_pinned_tool_is_cut_like_one_behind_the_menu(tmp_path: Path) -> None:
    with agent(tmp_path, surface="search", always_visible=["fat.log"], reduce={"max_bytes": 8_000}) as one:
        params = {"name": "log", "arguments": {}}
        text = shown(one.client.bare(one.client.result("tools/call", params)))
        assert REF.sub("", text)[:7_500] == REF.sub("", one.text("log"))[:7_500]
        assert LOG.startswith(text[:1_000])


@pytest.mark.promise("reduce:menu")
def test_over_http_a_ref_is_one_sessions_own(tmp_path: Path) -> None:
    config = write(tmp_path, surface="direct")
    with gateway_process(tmp_path, "--no-key", "--config", config) as gateway:
        mine, other = gateway.client(), gateway.client()
        content = mine.ask("tools/call", {"name": "orders", "arguments": {}}).json["result"]["content"]
        reading = {"name": "read_result", "arguments": {"ref": ref_in(content[-1]["text"]), "path": "next"}}
        assert mine.ask("tools/call", reading).text == "null"
        assert other.ask("tools/call", reading).json["result"]["isError"] is True


# -- with the client of the SDK, which checks structures ---------------------------------------------------
@asynccontextmanager
async def sdk_client(
    home: Path, name: str = "sdk", surface: str = "direct", **settings: Any
) -> AsyncIterator[ClientSession]:
    words = ["-m", "toolbooth", "serve", "--no-daemon", "--surface", surface]
    command = StdioServerParameters(
        command=sys.executable,
        args=[*words, "--config", str(write(home, **settings))],
        env=isolated_environ(home),
    )
    async with (
        stdio_client(command) as (reading, writing),
        ClientSession(reading, writing, client_info=Implementation(name=name, version="1")) as session,
    ):
        await session.initialize()
        yield session


async def structure(session: ClientSession, tool: str) -> dict[str, Any]:
    """What the tool answers; the client has checked it against the schema in the list."""
    result = await session.call_tool(tool, {})
    assert isinstance(result, CallToolResult)
    assert isinstance(result.structured_content, dict)
    return result.structured_content


@pytest.mark.anyio
@pytest.mark.promise("reduce:menu-structure")
async def test_a_structure_that_is_cut_still_fits_the_schema_that_the_client_checks(tmp_path: Path) -> None:
    async with sdk_client(tmp_path) as session:
        typed = await structure(session, "typed")
        assert typed["orders"] == ORDERS[:3]
        assert typed["next"] is None
        assert "[247 of 250 items not shown: read_result(ref='" in typed["not_shown"]
        read = await session.call_tool(
            "read_result", {"ref": ref_in(typed["not_shown"]), "path": "orders[3:].id"}
        )
        assert isinstance(read, CallToolResult)
        assert json.loads(read.content[0].text) == [each["id"] for each in ORDERS[3:]]  # type: ignore[union-attr]
        assert len((await structure(session, "wrapped"))["result"]) <= limits.SHOWN_ANSWER


@pytest.mark.anyio
@pytest.mark.promise("reduce:menu-structure")
async def test_a_structure_that_no_cut_would_fit_stays_whole(tmp_path: Path) -> None:
    async with sdk_client(tmp_path) as session:
        assert await structure(session, "fixed") == PAGE


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("name", "most"), [("claude-code", 49_500), ("codex-mcp-client", 11_500), ("x", 11_500)]
)
@pytest.mark.promise("reduce:menu")
async def test_no_client_is_sent_more_than_it_shows_whatever_the_config_allows(
    tmp_path: Path, name: str, most: int
) -> None:
    assert catalog.result_bytes(name) == most
    async with sdk_client(tmp_path, name, reduce={"max_bytes": 1_000_000}) as session:
        result = await session.call_tool("log", {})
    assert isinstance(result, CallToolResult)
    (text, line) = (each.text for each in result.content)  # type: ignore[union-attr]
    assert most * 0.8 < len(text) <= most
    assert len(line) < 500


@pytest.mark.anyio
@pytest.mark.parametrize(("name", "most"), [("codex-mcp-client", 12_000), ("x", 17_000)])
@pytest.mark.promise("reduce:client-cap")
async def test_call_tool_shows_a_known_client_what_it_keeps_unless_the_call_asks_for_more(
    tmp_path: Path, name: str, most: int
) -> None:
    async def characters(**more: Any) -> int:
        return await shown_by("call_tool", {"name": "fat.log", "arguments": {}, **more})

    async def shown_by(builtin: str, arguments: dict[str, Any]) -> int:
        result = await session.call_tool(builtin, arguments)
        assert isinstance(result, CallToolResult)
        return len("".join(each.text for each in result.content))  # type: ignore[union-attr]

    async with sdk_client(tmp_path, name, "full") as session:
        assert await shown_by("call_tool_chain", {"code": "await fat.log()"}) <= most
        assert most * 0.8 < await characters() <= most
        assert await characters(reduce={"max_bytes": 18_000}) > 17_000
        assert await characters(reduce=False) >= len(LOG)
    async with sdk_client(tmp_path, name, "search", tools={"fat.log": {"max_bytes": 18_000}}) as session:
        assert await characters() > 17_000
