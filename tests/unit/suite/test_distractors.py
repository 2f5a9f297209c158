"""Look-alikes: many, each with a unique name and another purpose than the real tool."""

import hashlib
from typing import Any

import jsonschema_rs
import pytest

from toolbooth.catalog import Catalog, ServerTools, Tool, canonical
from toolbooth.errors import InvalidBound
from toolbooth.limits import MAX_DISTRACTORS
from toolbooth.suite.distractors import look_alikes


def tool(server: str, name: str, description: str = "", **properties: Any) -> Tool:
    schema = {"type": "object", "properties": properties, "required": list(properties)[:1]}
    return Tool.from_raw(server, {"name": name, "description": description, "inputSchema": schema})


TEXT = {"type": "string"}
REAL = (
    tool("tickets", "get_ticket", "Gets one ticket. With all comments.", key=TEXT, verbose=TEXT),
    tool("tickets", "listOpenTickets", "List open tickets."),
    tool("mail", "send-mail", "Send a mail.", to=TEXT, body=TEXT),
    tool("mail", "ping", ""),
)
CATALOG = Catalog((ServerTools("tickets", REAL[:2]), ServerTools("mail", REAL[2:])))


def test_they_are_sound_tools_with_names_of_their_own() -> None:
    made = look_alikes(CATALOG, 300, 1).tools
    names = [each.name for each in made]
    assert len(set(names)) == 300
    assert not {each.name for each in REAL} & set(names)
    for each in made:
        assert each.server == "workspace"
        assert len(each.name) <= 64
        assert each.input_schema is not None
        assert jsonschema_rs.meta.is_valid({**each.input_schema})
        assert set(each.input_schema["required"]) <= each.input_schema["properties"].keys()


def test_each_says_that_its_job_is_another_one() -> None:
    real = {each.description.partition(".")[0].lower() for each in REAL}
    for each in look_alikes(CATALOG, 100, 1).tools:
        where, _, purpose = each.description.partition(": ")
        assert where
        assert purpose.count(".") == 2  # the purpose, and what it does not reach
        assert each.description.lower() not in real


def test_they_are_written_as_the_real_ones_are() -> None:
    names = [each.name for each in look_alikes(CATALOG, 200, 1).tools]
    assert any("-" in name and "_" not in name for name in names)
    assert any(name != name.lower() and name.isalnum() for name in names)
    assert any("_" in name for name in names)


def test_the_schema_is_slightly_another() -> None:
    only = Catalog((ServerTools("tickets", REAL[:1]),))
    for each in look_alikes(only, 20, 1).tools:
        assert each.input_schema is not None
        properties = each.input_schema["properties"]
        assert "key" in properties
        assert "verbose" not in properties
        assert len(properties) == 2


def test_the_same_catalog_and_seed_give_the_same_on_every_python() -> None:
    raw_tools = [each.raw for each in look_alikes(CATALOG, 500, 42).tools]
    said = hashlib.sha256(canonical(raw_tools).encode()).hexdigest()
    assert said[:16] == "eec80f5584230a34"


def test_fewer_are_the_beginning_of_more_and_another_seed_gives_others() -> None:
    many = look_alikes(CATALOG, 50, 1).tools
    assert look_alikes(CATALOG, 20, 1).tools == many[:20]
    assert look_alikes(CATALOG, 50, 2).tools != many
    assert look_alikes(CATALOG, 50, -1).tools != many


def test_names_that_are_taken_are_left_alone() -> None:
    first = [each.name for each in look_alikes(CATALOG, 50, 1).tools]
    others = {each.name for each in look_alikes(CATALOG, 50, 1, taken=first).tools}
    assert not others & set(first)


@pytest.mark.parametrize(
    "catalog", [Catalog(), CATALOG, Catalog((ServerTools("x", (Tool("x", "é" * 99),)),))]
)
def test_there_are_as_many_as_are_asked_for(catalog: Catalog) -> None:
    made = look_alikes(catalog, MAX_DISTRACTORS, 3).tools
    assert len({each.name for each in made}) == MAX_DISTRACTORS
    assert max(len(each.name) for each in made) <= 64


@pytest.mark.parametrize("count", [-1, MAX_DISTRACTORS + 1])
def test_a_number_that_cannot_be_is_refused(count: int) -> None:
    with pytest.raises(InvalidBound, match="from 0 to"):
        look_alikes(CATALOG, count, 1)


def test_the_server_takes_a_name_that_is_free() -> None:
    taken = Catalog((ServerTools("workspace", ()), ServerTools("workspace-2", ())))
    assert look_alikes(taken, 1, 1).server == "workspace-3"
