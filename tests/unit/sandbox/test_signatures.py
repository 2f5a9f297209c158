"""Below a wrong line stands how its tools are called."""

from collections.abc import Sequence

import pytest
from tests.unit.sandbox.sample_tools import STR, names, tool

from toolbooth.sandbox.names import mentions
from toolbooth.sandbox.signatures import help_with, signature_in_code


def helped(line: str) -> Sequence[str]:
    known = names()
    return [each.strip() for each in help_with(known, mentions(line, known))(line)]


def test_the_tools_of_a_line_are_shown() -> None:
    assert helped("await shop.get(kee='a')") == ["shop.get(key*)"]


def test_for_a_name_that_no_tool_has_the_nearest_are_shown() -> None:
    assert helped("await shop.gett(key='a')")[0] == "shop.get(key*)"


def test_for_a_name_that_resembles_nothing_a_few_of_the_server_are_shown() -> None:
    assert helped("await shop.zzzzzzzz()") == [
        "shop.get(key*)",
        "shop.sort(order:asc|desc, limit:int)",
        "shop.take(value:any)",
    ]


def test_for_a_choice_by_a_wrong_text_the_nearest_of_all_are_shown() -> None:
    assert helped("await tools['my-server.get-y']()")[0] == "my_server.get_x(key*)"


@pytest.mark.parametrize(
    "line", ["await shops.get(key=1)", "await get(key=1)", "x = await my-server.get-x(key=1)"]
)
def test_for_a_server_that_does_not_exist_the_nearest_tools_are_shown(line: str) -> None:
    assert {"shop.get(key*)", "my_server.get_x(key*)"} & set(helped(line))


def test_where_nothing_is_near_nothing_is_shown() -> None:
    assert helped("await nobody.whatever_it_may_be_called()") == []


def test_a_tool_is_shown_by_the_name_that_code_calls_it_by() -> None:
    made = tool("my-server", "get-x", "key", key=STR)
    assert signature_in_code(made, names(made)) == "my_server.get_x(key*)"


def test_a_tool_that_has_no_such_name_is_shown_as_it_is_chosen() -> None:
    first, second = tool("shop", "get-x", "key", key=STR), tool("shop", "get.x")
    assert signature_in_code(first, names(first, second)) == 'tools["shop.get-x"](key*)'
    builtin = tool("print", "get")
    assert signature_in_code(builtin, names(builtin)) == 'tools["print.get"]()'


def test_a_line_that_hands_on_a_whole_server_does_not_list_it() -> None:
    many = names(*(tool("big", f"t{n}") for n in range(9)))
    assert list(help_with(many, mentions("x = big", many))("x = big")) == []
