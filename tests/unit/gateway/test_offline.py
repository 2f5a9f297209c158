"""A gateway without servers shows and answers what the parts of the running one make of the same catalog."""

import sys
from dataclasses import replace
from pathlib import Path

import pytest
from tests.unit.bench.growth.samples import CATALOG
from tests.unit.gateway.sample_registry import FORECAST
from tests.unit.search.sample_catalog import TOOLS, catalog

from toolbooth import files
from toolbooth.catalog import Catalog, ServerSpec, Tool, ToolFilter
from toolbooth.catalog.config import OFFERED_SURFACES, GatewaySettings
from toolbooth.errors import UserMistake
from toolbooth.gateway.builtin_tools import read_call, read_code
from toolbooth.gateway.offline import OfflineGateway, keep_catalog, recalled_registry, remembered
from toolbooth.gateway.server_states import NO_SERVERS
from toolbooth.sandbox import simple_call
from toolbooth.search import SearchEngine

SAMPLE = catalog((*TOOLS, FORECAST))
GATEWAY = OfflineGateway(SAMPLE)
SEARCHING = ("search", "full", "code")


def test_the_menu_is_that_of_the_surface() -> None:
    assert [each["name"] for each in GATEWAY.menu("search")] == ["search_tools", "call_tool", "read_result"]
    assert [each["name"] for each in GATEWAY.menu("direct")][1:] == [
        f"{tool.server}__{tool.name}" for tool in SAMPLE
    ]


def test_settings_count() -> None:
    pinned = OfflineGateway(SAMPLE, GatewaySettings(always_visible=("sky.forecast",)))
    assert [each["name"] for each in pinned.menu("search")][-1] == "sky__forecast"


@pytest.mark.parametrize("surface", OFFERED_SURFACES)
def test_instructions_name_the_servers(surface: str) -> None:
    assert all(each.server in GATEWAY.instructions(surface) for each in SAMPLE.servers)


@pytest.mark.parametrize("surface", SEARCHING)
def test_ids_are_those_of_the_lines_in_their_order(surface: str) -> None:
    found = GATEWAY.search(surface, "open a new issue in a repository")
    assert found.ids[0] == "github.create_issue"
    lines = [line for line in found.text.splitlines() if " — " in line]
    assert [line.partition("(")[0] for line in lines] == [
        GATEWAY.shown_name(surface, each) for each in found.ids
    ]


def test_a_full_name_shows_its_tool_alone_and_is_the_definition() -> None:
    found = GATEWAY.search("search", "sky.forecast")
    assert found == (GATEWAY.definition("sky.forecast"), ("sky.forecast",))


def test_a_word_that_is_a_name_shows_its_tool_and_some_others() -> None:
    found = GATEWAY.search("search", "forecast")
    assert found.ids[0] == "sky.forecast"
    assert "weather.get_forecast" in found.ids
    definition, _, others = found.text.partition("\nalso:\n")
    assert definition == GATEWAY.definition("sky.forecast")
    assert len(others.splitlines()) == len(found.ids) - 1


def test_where_nothing_fits_no_tool_is_shown() -> None:
    found = GATEWAY.search("search", "xyzzy plugh")
    assert found.ids == ()
    assert "No tool here fits" in found.text


def test_a_call_that_cannot_be_is_answered_as_the_gateway_does() -> None:
    assert GATEWAY.search("search", " ").text.startswith("search_tools needs `query`")


def test_the_direct_surface_has_no_search() -> None:
    assert GATEWAY.search("direct", "read a file") == ("", ())


def test_without_servers_the_user_learns_what_to_do() -> None:
    empty = OfflineGateway(Catalog())
    assert empty.instructions("search") == NO_SERVERS
    assert empty.search("search", "read a file") == (NO_SERVERS, ())
    assert [each["name"] for each in empty.menu("direct")] == ["read_result"]


def test_calls_are_written_as_each_surface_reads_them() -> None:
    given = {"city": "Ulm"}
    plain = GATEWAY.tool_call("search", "sky.forecast", given)
    assert plain["name"] == "call_tool"
    assert read_call(plain["arguments"]).name == "sky.forecast"
    assert read_call(plain["arguments"]).arguments == given
    assert GATEWAY.tool_call("direct", "sky.forecast", given) == {"name": "sky__forecast", "arguments": given}
    code = GATEWAY.tool_call("code", "sky.forecast", given)
    assert code["name"] == "call_tool_chain"
    assert simple_call(read_code(code["arguments"]).code) == ("sky.forecast", given)
    assert GATEWAY.search_call("rain") == {"name": "search_tools", "arguments": {"query": "rain"}}


def test_names_that_are_not_identifiers_go_into_a_dictionary() -> None:
    code = GATEWAY.tool_call("code", "sky.forecast", {"city": "", "from": "", "x-y": ""})["arguments"]["code"]
    assert code == "await sky.forecast(city='', **{'from': '', 'x-y': ''})"
    compile(code, "code", "eval", flags=0x2000)  # top-level await: it is Python


def test_a_tool_that_is_not_there_is_said() -> None:
    with pytest.raises(KeyError):
        GATEWAY.definition("sky.rain")
    with pytest.raises(UserMistake, match="there is no surface"):
        GATEWAY.menu("nowhere")


def test_the_tools_of_a_single_server_carry_its_name() -> None:
    alone = OfflineGateway(catalog((FORECAST,)))
    assert [each["name"] for each in alone.menu("direct")] == ["read_result", "sky__forecast"]
    assert alone.shown_name("direct", "sky.forecast") == "sky__forecast"


def test_odd_names_have_one_name_in_code() -> None:
    odd = OfflineGateway(catalog((Tool("sky", "--"), Tool("sky", "2 days"))))
    assert odd.shown_name("code", "sky.--") == 'tools["sky.--"]'
    assert odd.shown_name("code", "sky.2 days") == "sky._2_days"


SERVERS = tuple(each.server for each in CATALOG.servers)


def test_a_recalled_registry_finds_what_an_engine_of_the_catalog_finds(tmp_path: Path) -> None:
    keep_catalog(CATALOG, tmp_path)
    found = recalled_registry(SERVERS, tmp_path).search("reads a thing tool 3")
    assert [hit.tool for hit in found.hits] == [
        hit.tool for hit in SearchEngine.of(CATALOG).search("reads a thing tool 3").hits
    ]
    assert found.hits


def test_the_index_of_the_tools_is_kept_too(tmp_path: Path) -> None:
    keep_catalog(CATALOG, tmp_path)
    registry = recalled_registry(SERVERS, tmp_path)
    registry.search("")
    assert registry.unsaved == ()
    kept = [path for path in tmp_path.iterdir() if path.suffix == ".server"]
    assert len(kept) == len(SERVERS)
    index = registry.stored_index("a")
    assert index
    assert any(path.read_bytes().endswith(index) for path in kept)


def test_a_server_that_is_not_in_the_cache_is_just_absent(tmp_path: Path) -> None:
    keep_catalog(CATALOG, tmp_path)
    assert len(recalled_registry(("a", "never-seen"), tmp_path).catalog) == 10


@pytest.mark.promise("filters:offline")
def test_what_is_remembered_is_what_the_filter_lets_through(tmp_path: Path) -> None:
    environ = {"XDG_CACHE_HOME": str(tmp_path)}
    keep_catalog(SAMPLE, files.cache_folder(tmp_path, environ, sys.platform))
    spec = ServerSpec("sky", "stdio", "sky")
    hiding = replace(spec, tools=ToolFilter(without=frozenset({"forecast"})))
    (whole,) = remembered((spec,), environ, tmp_path, tmp_path)
    (part,) = remembered((hiding,), environ, tmp_path, tmp_path)
    assert "forecast" in {tool.name for tool in whole.tools}
    assert {tool.name for tool in part.tools} == {tool.name for tool in whole.tools} - {"forecast"}
