"""What the demo servers offer: both protocol versions, exact definitions, and the noise that is there on purpose."""

import json
from collections.abc import Iterator
from importlib import import_module
from typing import Any

import pytest
from jsonschema.validators import validator_for  # type: ignore[import-untyped]
from tests.unit.demo.fleet import Fleet, Json

from toolbooth.demo import DEMO_SERVERS
from toolbooth.demo.toolkit import DemoServer

pytestmark = pytest.mark.anyio


def _server(name: str) -> DemoServer[Any]:
    server: DemoServer[Any] = import_module(f"toolbooth.demo.{name}").server
    return server


def _written(name: str) -> list[Json]:
    return [tool.raw for tool in _server(name).tools.values()]


ALL = {f"{name}.{raw['name']}": raw for name in DEMO_SERVERS for raw in _written(name)}


def _nodes(value: Any) -> Iterator[Json]:
    if isinstance(value, dict):
        yield value
    children = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    for child in children:
        yield from _nodes(child)


async def test_both_protocol_versions_are_spoken(legacy: Fleet, modern: Fleet) -> None:
    assert {client.protocol_version for client in legacy.clients.values()} == {"2025-11-25"}
    assert {client.protocol_version for client in modern.clients.values()} == {"2026-07-28"}


async def test_every_definition_arrives_exactly_as_written(legacy: Fleet, modern: Fleet) -> None:
    for name in DEMO_SERVERS:
        assert legacy.listed[name] == _written(name)
        assert modern.listed[name] == _written(name)


async def test_every_server_has_a_name_and_instructions(legacy: Fleet, modern: Fleet) -> None:
    for fleet in (legacy, modern):
        for name, client in fleet.clients.items():
            assert client.server_info is not None
            assert client.server_info.name == f"demo-{name}"
            assert len(client.instructions or "") > 80


async def test_one_server_lists_in_pages(modern: Fleet) -> None:
    first = await modern.clients["tickets"].list_tools()
    assert len(first.tools) == 6
    assert first.next_cursor == "6"


def test_there_are_between_60_and_70_tools() -> None:
    assert 60 <= len(ALL) <= 70


def test_listing_makes_no_data() -> None:
    server = _server("history")
    fresh = DemoServer(server.name, "", "", seed=lambda: pytest.fail("data was made"), tools=server.tools)
    assert len(fresh.page()["tools"]) == len(server.tools)


@pytest.mark.parametrize("tool", ALL.values(), ids=list(ALL))
def test_schemas_are_valid(tool: Json) -> None:
    for schema in (tool["inputSchema"], tool.get("outputSchema", {})):
        validator_for(schema).check_schema(schema)
    assert tool["inputSchema"]["type"] == "object"
    assert tool["description"]


def test_most_tools_carry_annotations_and_some_do_not() -> None:
    bare = [name for name, tool in ALL.items() if "annotations" not in tool]
    assert 2 <= len(bare) <= 6


def test_some_tools_have_an_output_schema() -> None:
    assert 12 <= sum("outputSchema" in tool for tool in ALL.values()) <= 40


def test_a_few_descriptions_are_overlong() -> None:
    long = {name for name, tool in ALL.items() if len(tool["description"]) > 800}
    assert long == {
        "files.edit_file",
        "calendar.schedule_meeting",
        "tickets.search_tickets",
        "history.get_diff",
        "database.run_query",
    }


def test_generator_noise_is_there() -> None:
    nodes = [node for tool in ALL.values() for node in _nodes(tool["inputSchema"])]
    assert sum("$schema" in node for node in nodes) >= 10
    assert sum("default" in node and node["default"] is None for node in nodes) >= 5
    assert sum(node.get("description") == "" for node in nodes) >= 20
    enums = [node["enum"] for node in nodes if isinstance(node.get("enum"), list)]
    assert sum(len(values) > len(set(values)) for values in enums) >= 5
    assert sum({"type": "null"} in node.get("anyOf", []) for node in nodes) >= 5
    assert sum(node.get("title") == "Query" for node in nodes) >= 2


def test_page_sizes_have_a_maximum_on_some_tools_only() -> None:
    words = ("limit", "per_page", "maxResults")
    sizes = [tool["inputSchema"]["properties"].get(word) for tool in ALL.values() for word in words]
    bounded = ["maximum" in size for size in sizes if size]
    assert bounded.count(True) >= 5
    assert bounded.count(False) >= 4


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("notes.search_notes", "tickets.search_tickets"),
        ("files.search_files", "files.search_file_contents"),
        ("calendar.create_event", "calendar.schedule_meeting"),
        ("files.read_file", "history.get_file_contents"),
        ("notes.list_tags", "history.list_tags"),
        ("database.run_query", "database.preview_query"),
        ("tickets.update_ticket", "tickets.close_ticket"),
    ],
)
def test_near_duplicates_are_offered(one: str, other: str) -> None:
    assert {one, other} <= ALL.keys()


def test_definitions_together_weigh_what_a_full_config_weighs() -> None:
    assert 40_000 < len(json.dumps(list(ALL.values()))) < 80_000
