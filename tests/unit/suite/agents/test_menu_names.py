"""Names under which a model is offered the tools of many servers."""

from toolbooth.catalog import Tool
from toolbooth.suite.agents.menu_names import menu_names, nearest_names


def names(*ids: tuple[str, str]) -> list[str]:
    return list(menu_names([Tool(server, name) for server, name in ids]))


def test_a_name_stays_where_no_other_tool_has_it() -> None:
    assert names(("a", "get"), ("b", "put"), ("a", "x-Y_9")) == ["get", "put", "x-Y_9"]


def test_a_name_that_two_have_gets_its_server_before_it() -> None:
    assert names(("a", "get"), ("b b", "get")) == ["a__get", "b_b__get"]


def test_a_name_that_providers_refuse_is_written_in_legal_letters() -> None:
    assert names(("a", "x.y"), ("a", "ü")) == ["a__x_y", "a___"]
    assert [len(name) for name in names(("a", "x" * 64), ("a", "y" * 65))] == [64, 64]


def test_names_that_come_out_alike_are_told_apart() -> None:
    found = names(("a", "x.y"), ("a", "x y"), ("b", "a__x_y"))
    assert found[2] == "a__x_y"
    assert len(set(found)) == 3
    assert all(name.startswith("a__x_y_") for name in found[:2])


def test_the_nearest_names_are_those_spelled_alike() -> None:
    assert nearest_names("creat_ticket", ["get_note", "create_ticket", "close_ticket"])[0] == "create_ticket"
    assert nearest_names("zzz", ["get_note"]) == ()
