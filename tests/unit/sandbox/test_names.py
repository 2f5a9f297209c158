"""Names of servers and tools become names that Python takes, or none."""

import pytest
from tests.unit.sandbox.sample_tools import names, tool

from toolbooth.sandbox.names import Mentions, identifier, mentions


@pytest.mark.parametrize(
    ("name", "python"),
    [
        ("github", "github"),
        ("my-server", "my_server"),
        ("a.b/c d", "a_b_c_d"),
        ("7zip", "_7zip"),
        ("import", "import_"),
        ("None", "None_"),
        ("größe", "gr__e"),
        ("", None),
        ("___", None),
        ("搜索", None),
    ],
)
def test_a_name_is_written_as_python_wants_it(name: str, python: str | None) -> None:
    assert identifier(name) == python


def test_who_is_called_so_keeps_the_name() -> None:
    found = names(tool("a-b", "x"), tool("a_b", "y"))
    assert found.servers["a_b"].server == "a_b"


def test_of_several_that_only_come_to_a_name_nobody_gets_it() -> None:
    found = names(tool("a-b", "x"), tool("a.b", "y"))
    assert "a_b" not in found.servers
    assert found.by_id("a-b.x") is not None


@pytest.mark.parametrize("name", ["print", "filter", "tools", "search_tools", "read_result"])
def test_a_name_that_code_needs_for_something_else_is_no_server(name: str) -> None:
    found = names(tool(name, "x"))
    assert name not in found.servers
    assert found.by_id(f"{name}.x") is not None


def test_a_tool_is_found_by_its_id_and_by_its_python_name() -> None:
    found = names()
    by_id, by_name = found.by_id("my-server.get-x"), found.by_id("my_server.get_x")
    assert by_id is not None
    assert by_id is by_name
    assert found.by_id("my-server.nothing") is None
    assert found.by_id("nobody.get-x") is None


def test_every_tool_stands_under_its_id() -> None:
    assert "my-server.get-x" in names().every_tool()


def seen(code: str) -> Mentions:
    return mentions(code, names())


def test_tools_are_found_by_server_and_name() -> None:
    found = seen("a = await shop.get(key='a')\nb = await my_server . get_x(key=a)")
    assert {server: list(tools) for server, tools in found.tools.items()} == {
        "shop": ["get"],
        "my_server": ["get_x"],
    }


def test_a_server_that_is_handed_on_means_all_of_its_tools() -> None:
    assert list(seen("from shop import get").tools["shop"]) == ["get", "sort", "take", "fail"]


def test_a_name_that_no_tool_has_is_missing() -> None:
    assert seen("await shop.gett()\nawait tools['my-server.gone']()").missing == (
        "shop.gett",
        "my-server.gone",
    )


def test_a_tool_of_something_else_is_not_meant() -> None:
    assert seen("self.shop.get(1)\nworkshop.get(1)\nprint('x')").tools == {}


@pytest.mark.parametrize(
    ("code", "chosen", "any_tool"),
    [
        ("tools['my-server.get-x']", ["my-server.get-x"], False),
        ('tools [ "shop.get" ]', ["shop.get"], False),
        ("tools[name]", [], True),
        ("tools['shop.get'], tools[name]", ["shop.get"], True),
        ("list(tools)", [], True),
        ("my.tools['shop.get']", [], False),
    ],
)
def test_choices_by_text_are_found_and_others_may_be_any(
    code: str, chosen: list[str], any_tool: bool
) -> None:
    found = seen(code)
    assert (list(found.chosen), found.any_tool) == (chosen, any_tool)


def test_functions_of_ours_are_found() -> None:
    assert seen("await search_tools(query='x')").functions == {"search_tools"}


@pytest.mark.parametrize(
    ("code", "modules"),
    [
        ("json.dumps(1)", ("json",)),
        ("import json\njson.dumps(1)", ()),
        ("    from re import match\nmath.pi + re.x", ("math",)),
        ("time.time()", ()),  # a server is called so
        ("x.json()", ()),
    ],
)
def test_modules_that_code_forgot_to_import_are_found(code: str, modules: tuple[str, ...]) -> None:
    assert seen(code).modules == modules


@pytest.mark.parametrize("part", ["\n", " \n", "tools['", "shop.", "import ", "a ", "from\t"])
def test_sixty_thousand_characters_of_anything_are_looked_through_at_once(part: str) -> None:
    """Without a bound on the time: a quadratic pattern takes half a minute for each, and would be noticed."""
    assert seen(part * (60_000 // len(part))).chosen == {}
