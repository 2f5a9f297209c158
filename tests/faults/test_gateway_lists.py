"""What a server says of its tools may be wrong, endless, ugly, or different a moment later."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.faults.gateway_driver import DrivenGateway, HostileServer, gateway, until
from toolbooth.limits import MAX_PAGES

TOOLS = 37  # of a hostile server
HARMFUL = ("\x1b", "\u202e", "\u200b")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("lists")


@pytest.fixture(scope="module")
def booth(folder: Path) -> Iterator[DrivenGateway]:
    with gateway(
        folder,
        HostileServer("partly", folder, ("bad-tools",)),
        HostileServer("endless", folder, ("endless-cursor",)),
        HostileServer("stormy", folder, ("slow-list",)),
        HostileServer("clock", folder, settings={"call_timeout": 2}),
        HostileServer("changing", folder),
        HostileServer("ugly", folder, ("ugly-names",)),
        HostileServer("odd", folder, ("odd-capabilities",)),
        HostileServer("good", folder),
    ) as made:
        made.builtin("search_tools", {"query": "ok"})
        yield made


@pytest.mark.promise("gateway:list")
def test_one_bad_tool_and_a_second_of_the_same_name_leave_the_rest(booth: DrivenGateway) -> None:
    assert booth.call("partly.ok").text == "ok"
    assert "The tool ok." in booth.builtin("tool_info", {"name": "partly.ok"}).text
    assert "There is no tool" in booth.call("partly.broken").text


@pytest.mark.promise("gateway:list")
def test_an_endless_list_ends_and_its_tools_can_be_called(booth: DrivenGateway, folder: Path) -> None:
    assert booth.call("endless.ok").text == "ok"
    until(lambda: len(HostileServer("endless", folder).seen("listing")) == MAX_PAGES)


@pytest.mark.promise("gateway:list")
def test_a_server_that_refuses_to_list_is_named_and_hides_nobody(tmp_path: Path) -> None:
    with gateway(
        tmp_path, HostileServer("unlisted", tmp_path, ("refuse-list",)), HostileServer("good", tmp_path)
    ) as booth:
        until(lambda: "no list today" in booth.builtin("manage_servers", {"server": "unlisted"}).text)
        until(lambda: f"{TOOLS} tools" in booth.builtin("manage_servers", {"server": "good"}).text)
        assert booth.call("good.ok").text == "ok"


@pytest.mark.promise("gateway:siblings")
def test_a_server_that_refuses_to_list_delays_no_search(tmp_path: Path) -> None:
    clock = HostileServer("clock", tmp_path, settings={"call_timeout": 12})
    with gateway(tmp_path, HostileServer("unlisted", tmp_path, ("refuse-list",)), clock) as booth:
        until(lambda: "no list today" in booth.builtin("manage_servers", {"server": "unlisted"}).text)
        until(lambda: f"{TOOLS} tools" in booth.builtin("manage_servers", {"server": "clock"}).text)
        hanging = booth.begin_call("clock.hang")
        search = booth.begin("tools/call", {"name": "search_tools", "arguments": {"query": "ok"}})
        assert booth.said(search).text
        assert booth.said(hanging).error
        assert booth.answered_before(search, hanging)


@pytest.mark.promise("gateway:list")
def test_capabilities_of_any_shape_harm_nobody(booth: DrivenGateway) -> None:
    assert booth.call("odd.ok").text == "ok"
    assert booth.call("good.ok").text == "ok"


@pytest.mark.promise("gateway:list-storm")
def test_a_storm_of_changes_costs_one_list_at_a_time_and_about_one_a_second(
    booth: DrivenGateway, folder: Path
) -> None:
    stormy = HostileServer("stormy", folder)
    assert booth.call("stormy.ok").text == "ok"
    storms, before = 0, len(stormy.seen("listing"))
    while len(stormy.seen("listing")) < before + 3:
        assert booth.call("stormy.storm").text == "ok"  # 500 notices
        storms += 1
    assert set(stormy.seen("listing")) == {"listing 1"}, "never two at once"
    assert storms > 6, "without a pause each storm would have a list of its own"
    assert booth.call("good.ok").text == "ok"


@pytest.mark.promise("gateway:changed-definition")
def test_a_definition_that_changes_counts_from_its_notice_on(booth: DrivenGateway, folder: Path) -> None:
    assert booth.call("changing.shape", field1="a").text == '{"field1": "a"}'
    assert booth.call("changing.change").text == "ok"
    until(lambda: "field2" in booth.builtin("tool_info", {"name": "changing.shape"}).text)
    said = booth.call("changing.shape", field1="a")
    assert said.error
    assert "field2" in said.text
    assert booth.call("changing.shape", field2="b").text == '{"field2": "b"}'
    assert len(HostileServer("changing", folder).seen("call", "shape")) == 2


@pytest.mark.promise("gateway:clean-texts")
@pytest.mark.parametrize(
    ("tool", "given"),
    [
        ("search_tools", {"query": "red tool", "server": "ugly"}),
        ("search_tools", {"query": "ugly", "brief": False}),
        ("list_tools", {"server": "ugly"}),
        ("tool_info", {"name": "ugly.ugly"}),
        ("manage_servers", {}),
        ("call_tool", {"name": "ugly.\x1b[31m"}),
    ],
)
def test_escape_codes_and_bidi_of_names_and_descriptions_reach_no_text(
    booth: DrivenGateway, tool: str, given: dict[str, object]
) -> None:
    text = booth.builtin(tool, given).text
    assert "ugly" in text
    assert [each for each in HARMFUL if each in text] == []


@pytest.mark.promise("gateway:clean-texts")
def test_the_result_of_a_tool_is_passed_on_as_it_is(booth: DrivenGateway) -> None:
    assert booth.call("ugly.ugly").text == "\x1b[31mred\u202egnp.exe\u200b<b>[/x]"
