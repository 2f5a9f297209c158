"""What clients see: short menus of our own, pinned tools, or every tool as it is."""

from dataclasses import replace
from typing import Any

import mcp_types
import orjson
import pytest
from tests.unit.gateway.sample_registry import FORECAST, sample_registry

from toolbooth.catalog import ServerTools, Tool
from toolbooth.catalog.config import OFFERED_SURFACES, AnswerCaps, GatewaySettings
from toolbooth.contracts import Contracts, Lock, ServerContract, ToolContract
from toolbooth.errors import UserMistake
from toolbooth.gateway.contract_gate import ContractGate
from toolbooth.gateway.normalized_tool import slim_ahead
from toolbooth.gateway.surfaces import BUILDERS, Surface, build, pin_problems
from toolbooth.gateway.tool_registry import ToolRegistry

SETTINGS = GatewaySettings()
WORDY: dict[str, Any] = {
    "name": "do",
    "title": "Do",
    "inputSchema": {
        "type": "object",
        "title": "doArguments",
        "properties": {"a": {"title": "A", "type": "string"}},
    },
    "annotations": {"readOnlyHint": True},
    "_meta": {"x": 1},
}


def names(surface: Surface) -> list[str]:
    return [each["name"] for each in surface.menu()]


def test_every_surface_of_the_settings_has_a_builder() -> None:
    assert set(BUILDERS) == set(OFFERED_SURFACES)


def test_the_menus_hold_their_builtin_tools_in_order() -> None:
    assert names(build("search", sample_registry(), SETTINGS)) == ["search_tools", "call_tool", "read_result"]
    assert names(build("code", sample_registry(), SETTINGS)) == [
        "search_tools",
        "call_tool_chain",
        "read_result",
    ]
    assert names(build("full", sample_registry(), SETTINGS)) == [
        "search_tools",
        "list_tools",
        "tool_info",
        "call_tool",
        "call_tool_chain",
        "read_result",
        "manage_servers",
    ]


def test_a_surface_that_is_not_there_is_the_users_mistake() -> None:
    with pytest.raises(UserMistake, match="choose search, full, code, direct or auto"):
        build("x\x1b", sample_registry(), SETTINGS)


@pytest.mark.parametrize("name", OFFERED_SURFACES)
def test_a_menu_is_the_same_bytes_every_time_and_no_sdk_refuses_it(name: str) -> None:
    one, other = (list(build(name, sample_registry(), SETTINGS).menu()) for _ in range(2))
    assert orjson.dumps(one) == orjson.dumps(other)
    for entry in one:
        mcp_types.Tool.model_validate(entry)


def test_the_order_in_which_servers_come_up_does_not_change_the_direct_menu() -> None:
    registry = ToolRegistry(["a", "b"])
    for server in ("b", "a"):
        registry.put(ServerTools(server, (Tool.from_raw(server, {"name": "t"}),)))
    assert names(build("direct", registry, SETTINGS)) == ["read_result", "a__t", "b__t"]


def test_direct_serves_every_tool_by_its_public_name_and_slim() -> None:
    registry = ToolRegistry(["s", "other"])
    registry.put(ServerTools("s", (Tool.from_raw("s", WORDY),)))
    _, entry = build("direct", registry, SETTINGS).menu()
    schema = {"type": "object", "properties": {"a": {"type": "string"}}}
    assert {**entry, "_meta": WORDY["_meta"]} == {**WORDY, "name": "s__do", "inputSchema": schema}
    assert build("direct", registry, SETTINGS).tools["s__do"].name == "do"


def test_tools_that_were_slimmed_ahead_are_served_the_same() -> None:
    registry = ToolRegistry(["s", "other"])
    registry.put(ServerTools("s", (Tool.from_raw("s", WORDY),)))
    slim_ahead(registry.catalog.tools)
    _, entry = build("direct", registry, SETTINGS).menu()
    assert "title" not in entry["inputSchema"]


def test_without_slimming_only_the_name_differs_from_what_the_server_sent() -> None:
    registry = ToolRegistry(["s", "other"])
    registry.put(ServerTools("s", (Tool.from_raw("s", WORDY),)))
    _, entry = build("direct", registry, replace(SETTINGS, slim=False)).menu()
    assert entry == {**WORDY, "name": "s__do"}


@pytest.mark.promise("surface:names")
def test_the_tools_of_a_single_server_carry_its_name() -> None:
    registry = ToolRegistry(["s"])
    registry.put(ServerTools("s", (Tool.from_raw("s", WORDY), Tool.from_raw("s", {"name": "search_tools"}))))
    assert names(build("direct", registry, SETTINGS)) == ["read_result", "s__do", "s__search_tools"]


def test_output_schemas_that_old_clients_refuse_are_kept_from_them() -> None:
    raw = {"name": "t", "inputSchema": {"type": "object"}, "outputSchema": {"type": "array"}}
    registry = ToolRegistry(["s"])
    registry.put(ServerTools("s", (Tool.from_raw("s", raw),)))
    surface = build("direct", registry, SETTINGS)
    assert [entry.get("outputSchema") for entry in surface.menu()] == [None, {"type": "array"}]
    assert [entry.get("outputSchema") for entry in surface.menu(legacy=True)] == [None, None]


LOADED = "anthropic/alwaysLoad"
DROP: dict[str, Any] = {**WORDY, "name": "drop", "annotations": {"destructiveHint": True}}


def entry(settings: GatewaySettings, surface: str, caps: AnswerCaps, **raw: Any) -> dict[str, Any]:
    """The last one of a menu with a tool that is pinned, if it is not there anyway."""
    registry = ToolRegistry(["s"])
    registry.put(ServerTools("s", (Tool.from_raw("s", {**DROP, **raw}),)))
    *_, last = build(surface, registry, replace(settings, always_visible=("drop",)), caps).menu()
    return last


@pytest.mark.promise("approvals:pinned")
def test_a_pinned_tool_that_destroys_has_the_user_asked_whatever_its_server_says() -> None:
    said = {"anthropic/requiresUserInteraction": False, "x": 1}
    asks = {"anthropic/requiresUserInteraction": True, "x": 1}
    assert entry(SETTINGS, "search", AnswerCaps(), _meta=said)["_meta"] == {**asks, LOADED: True}
    on_direct = entry(SETTINGS, "direct", AnswerCaps(), _meta=said)["_meta"]
    assert said.items() <= on_direct.items()
    assert entry(SETTINGS, "search", AnswerCaps(), annotations={})["_meta"] == {
        **WORDY["_meta"],
        LOADED: True,
    }


@pytest.mark.promise("approvals:pinned")
def test_a_server_that_no_longer_says_that_its_tool_destroys_does_not_drop_the_question() -> None:
    was, now = ({**DROP, "annotations": {"destructiveHint": said}} for said in (True, False))
    registry = ToolRegistry(["s"])
    registry.gate = gate = ContractGate("warn", lambda _server: ())
    contract = ServerContract("s", {"drop": ToolContract("s", "drop", was)}, "")
    gate.take(Lock(Contracts({"s": contract})))
    registry.put(ServerTools("s", (Tool.from_raw("s", now),)))
    *_, last = build("search", registry, replace(SETTINGS, always_visible=("drop",))).menu()
    assert last["_meta"]["anthropic/requiresUserInteraction"] is True


@pytest.mark.parametrize(("reduce", "chars"), [(False, 500_000), ({"max_bytes": 9_000}, None)])
def test_a_tool_that_is_not_cut_has_its_client_not_cut_it_either(reduce: Any, chars: int | None) -> None:
    caps = AnswerCaps.of({"s.*": {"reduce": reduce}})
    listed = entry(SETTINGS, "direct", caps)
    assert listed["_meta"].get("anthropic/maxResultSizeChars") == chars
    own = {"anthropic/maxResultSizeChars": 7}
    assert entry(SETTINGS, "direct", caps, _meta=own)["_meta"].items() >= own.items()


def test_a_closed_output_schema_has_room_for_a_note_only_where_answers_are_cut() -> None:
    closed = {"type": "object", "properties": {"a": {}}, "additionalProperties": False}
    whole = AnswerCaps.of({"s.*": {"reduce": False}})
    roomy = {**closed, "properties": {"a": {}, "not_shown": {"type": "string"}}}
    settings = replace(SETTINGS, slim=False)
    assert entry(settings, "direct", whole, outputSchema=closed)["outputSchema"] == closed
    assert entry(settings, "direct", AnswerCaps(), outputSchema=closed)["outputSchema"] == roomy


@pytest.mark.parametrize("name", ["search", "full", "code"])
def test_pinned_tools_follow_the_menu_by_id_or_bare_name(name: str) -> None:
    registry = sample_registry()
    registry.put(ServerTools("jira", (Tool("jira", "create_issue"),)))
    wanted = ("sky.forecast", "read_file", "create_issue", "not_there")
    surface = build(name, registry, replace(SETTINGS, always_visible=wanted))
    assert names(surface)[-2:] == ["sky__forecast", "files__read_file"]
    assert surface.tools["sky__forecast"] is FORECAST
    assert [note.rsplit(":", 1)[0] for note in surface.notes] == [
        "always_visible: create_issue is not shown",
        "always_visible: not_there is not shown",
    ]


@pytest.mark.parametrize(
    ("wanted", "says"),
    [
        ("mail.send_email", None),
        ("mail.send_emial", "no server offers it so far; did you mean mail.send_email?"),
        ("post.send_email", "no server offers it so far; did you mean mail.send_email?"),
        ("late.anything", None),
        ("send_emial", None),
    ],
)
def test_a_pin_that_names_no_tool_is_said_unless_its_server_may_still_come(
    wanted: str, says: str | None
) -> None:
    registry = sample_registry()
    registry.configure([*registry.configured, "late"])
    found = pin_problems(registry, GatewaySettings(always_visible=(wanted,)))
    assert (found == []) if says is None else (says in found[0])
