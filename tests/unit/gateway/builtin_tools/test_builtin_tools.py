"""`list_tools`, `tool_info` and the reading of `call_tool` and `manage_servers`."""

import json
import re
from typing import Any

import pytest
from tests.unit.gateway.sample_registry import FORECAST, sample_registry

from toolbooth.catalog import ServerTools, Tool
from toolbooth.errors import WrongArguments
from toolbooth.gateway.builtin_tools import (
    CALL_TOOL,
    LIST_TOOLS,
    READ_RESULT,
    SEARCH_TOOLS,
    TOOL_INFO,
    ManageRequest,
    RequestedCall,
    calling,
    find_tools,
    manage_servers_tool,
    read_call,
    read_manage_request,
)
from toolbooth.gateway.public_names import RESERVED
from toolbooth.gateway.tool_registry import ToolRegistry
from toolbooth.limits import LISTED_NAMES

REGISTRY = sample_registry()


def test_the_inventory_groups_names_by_server() -> None:
    lines = find_tools.list_answer(REGISTRY, {}).splitlines()
    assert "mail: send_email, search_inbox" in lines
    assert find_tools.list_answer(REGISTRY, {"server": "sky"}) == "sky: forecast"


def test_an_inventory_of_very_many_goes_on_where_its_cursor_says() -> None:
    registry = ToolRegistry(["big"])
    registry.put(
        ServerTools("big", tuple(Tool("big", f"tool_{number}") for number in range(2 * LISTED_NAMES + 5)))
    )
    seen: list[str] = []
    cursor: dict[str, Any] = {"server": "big"}
    for _ in range(3):
        *names, last = find_tools.list_answer(registry, cursor).splitlines()
        going_on = re.search(r'list_tools\(server="big", cursor="([^"]+)"\)', last)
        seen += (names or [last])[0].removeprefix("big: ").split(", ")
        cursor = {"server": "big", "cursor": going_on[1]} if going_on else {}
    assert cursor == {}
    assert seen == [tool.name for tool in registry.catalog.tools]


def test_a_stale_cursor_and_an_empty_registry_are_reported() -> None:
    with pytest.raises(WrongArguments, match="start again"):
        find_tools.list_answer(REGISTRY, {"cursor": "no.such"})
    assert "may still be starting" in find_tools.list_answer(ToolRegistry(["a"]), {})


def test_brief_information_is_the_definition_and_full_is_the_definition_as_sent() -> None:
    assert find_tools.info_answer(REGISTRY, {"name": "forecast"}).startswith("sky.forecast(city*, days:int")
    assert (
        json.loads(find_tools.info_answer(REGISTRY, {"name": "sky.forecast", "detail": "full"}))
        == FORECAST.raw
    )


def test_an_unknown_name_comes_with_the_three_nearest() -> None:
    with pytest.raises(WrongArguments, match=r'no tool "files\.red_file"\. Nearest: files\.read_file, '):
        find_tools.info_answer(REGISTRY, {"name": "files.red_file"})


@pytest.mark.parametrize(
    ("given", "call"),
    [
        ({"name": "a.b", "arguments": {"x": 1}}, RequestedCall("a.b", {"x": 1})),
        ({"name": "a.b", "arguments": '{"x": 1}'}, RequestedCall("a.b", {"x": 1})),
        ({"name": "a.b"}, RequestedCall("a.b")),
        ({"name": "a.b", "arguments": ""}, RequestedCall("a.b")),
        (
            {"name": "a.b", "intent": "find x", "fields": ["id", " n "]},
            RequestedCall("a.b", {}, "find x", ("id", "n")),
        ),
        ({"name": "a.b", "fields": "id, n"}, RequestedCall("a.b", fields=("id", "n"))),
    ],
)
def test_a_call_is_read_as_it_is_meant(given: Any, call: RequestedCall) -> None:
    assert read_call(given) == call


@pytest.mark.parametrize(
    ("given", "hint"),
    [
        ({"arguments": {}}, "call_tool needs `name`"),
        ({"name": "a.b", "arguments": "{x"}, "must be an object of the tool's own arguments, not text"),
        ({"name": "a.b", "arguments": [1]}, "must be an object"),
        ({"name": "a.b", "arguments": "[1]"}, "must be an object"),
        ({"name": "a.b", "x": 1}, "`x` belongs inside `arguments`"),
        ({"name": "a.b", "fields": [1]}, "must be a list of names"),
        ([], "takes an object with name, arguments"),
    ],
)
def test_a_call_that_cannot_be_meant_is_one_line(given: Any, hint: str) -> None:
    with pytest.raises(WrongArguments) as caught:
        read_call(given)
    assert hint in str(caught.value)


def test_looking_at_servers_is_always_allowed_and_changing_them_only_where_the_config_says_so() -> None:
    config = {"command": "x"}
    assert read_manage_request({}, may_change=False) == ManageRequest("status")
    assert read_manage_request({"action": "status", "server": "a"}, may_change=False) == ManageRequest(
        "status", "a"
    )
    with pytest.raises(WrongArguments, match="manage_servers: true"):
        read_manage_request({"action": "register", "server": "a", "config": config}, may_change=False)
    given = {"action": "register", "server": "a", "config": config}
    assert read_manage_request(given, may_change=True) == ManageRequest("register", "a", config)
    assert read_manage_request({"action": "deregister", "server": "a"}, may_change=True) == ManageRequest(
        "deregister", "a"
    )


@pytest.mark.parametrize(
    ("given", "hint"),
    [
        ({"action": "explode"}, '"status" or "register" or "deregister"'),
        ({"action": "deregister"}, "needs `server`"),
        ({"action": "register", "server": "a"}, '"command" or "url"'),
    ],
)
def test_a_wrong_order_is_one_line(given: Any, hint: str) -> None:
    with pytest.raises(WrongArguments) as caught:
        read_manage_request(given, may_change=True)
    assert hint in str(caught.value)


def test_what_is_not_allowed_is_not_offered() -> None:
    assert "action" not in manage_servers_tool(False).parameters
    assert manage_servers_tool(True).parameters["action"] == {"enum": ["status", "register", "deregister"]}


def test_every_name_of_the_menu_is_reserved() -> None:
    builtin_tools = (CALL_TOOL, LIST_TOOLS, READ_RESULT, SEARCH_TOOLS, TOOL_INFO, manage_servers_tool(True))
    split = calling(builtin_tools, split=True)
    assert {each.name for each in (*builtin_tools, *split)} == RESERVED - {"call_tool_chain"}


def test_builtin_tools_that_change_nothing_say_so() -> None:
    assert SEARCH_TOOLS.definition["annotations"] == {"readOnlyHint": True}
    assert "annotations" not in CALL_TOOL.definition
