"""Code is looked through for the tools, functions and modules that it names."""

import pytest
from tests.unit.sandbox.sample_tools import names

from toolbooth.sandbox.mentioned_names import Mentions, mentions


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
