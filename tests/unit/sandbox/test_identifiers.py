"""Names of servers and tools become names that Python takes, or none."""

import pytest
from tests.unit.sandbox.sample_tools import names, tool

from toolbooth.sandbox.identifiers import identifier


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
