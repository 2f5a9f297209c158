"""One raw object is one tool, or says why it is none."""

from dataclasses import FrozenInstanceError
from typing import Any

import pytest

from toolbooth.catalog import Catalog, MalformedTool, ServerTools, Tool, sort_entries


def server(name: str, *tools: dict[str, Any]) -> ServerTools:
    return ServerTools(name, tuple(Tool.from_raw(name, raw) for raw in tools))


def test_the_id_is_server_and_name() -> None:
    assert Tool.from_raw("github", {"name": "create.issue"}).id == "github.create.issue"
    assert Tool.from_raw("", {"name": "lonely"}).id == "lonely"


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        (None, "an entry is null"),
        ([], "an entry is a list"),
        ({}, "no name"),
        ({"name": 3}, "name is a number"),
        ({"name": "  "}, "name is empty text"),
        ({"name": "a", "description": {}}, "description is an object"),
        ({"name": "a", "inputSchema": "object"}, "inputSchema is text"),
        ({"name": "a", "outputSchema": [1]}, "outputSchema is a list"),
        ({"name": "a", "annotations": True}, "annotations is a boolean"),
    ],
)
def test_a_malformed_entry_says_what_is_wrong(raw: Any, reason: str) -> None:
    with pytest.raises(MalformedTool, match=reason):
        Tool.from_raw("s", raw)


def test_a_tool_cannot_be_changed_and_can_be_a_key() -> None:
    tool = Tool.from_raw("s", {"name": "a", "inputSchema": {"type": "object"}})
    with pytest.raises(FrozenInstanceError):
        tool.name = "b"  # type: ignore[misc]
    assert {tool: 1}[tool] == 1


def test_the_fingerprint_sees_content_and_not_order() -> None:
    a, b = {"name": "a", "description": "x"}, {"name": "b"}
    one = Catalog((server("s", a, b), server("t", a)))
    other = Catalog((server("t", a), server("s", b, a)))
    changed = Catalog((server("s", {"name": "a", "description": "y"}, b), server("t", a)))
    moved = Catalog((server("s", a, b), server("u", a)))
    assert one.fingerprint == other.fingerprint
    assert len({one.fingerprint, changed.fingerprint, moved.fingerprint}) == 3


def test_a_catalog_is_its_tools_in_order() -> None:
    catalog = Catalog((server("s", {"name": "b"}, {"name": "a"}), server("t", {"name": "c"})))
    assert [tool.id for tool in catalog] == ["s.b", "s.a", "t.c"]
    assert len(catalog) == 3


def test_malformed_twice_and_cut_are_three_kinds() -> None:
    found = sort_entries("s", [{"name": "a"}, {"nome": "b"}, {"name": "a"}], cut="its cursor never ends")
    assert [tool.name for tool in found.tools] == ["a"]
    assert [entry.kind for entry in found.set_aside] == ["malformed", "duplicate", "cut"]
    assert found.set_aside[-1].reason == "its cursor never ends"


def test_a_list_over_the_ceiling_is_cut_and_says_so_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("toolbooth.limits.MAX_TOOLS", 1)
    found = sort_entries("s", [{"name": "a"}, {"name": "b"}])
    assert [(entry.kind, entry.reason) for entry in found.set_aside] == [
        ("cut", "only the first 1 of its tools are read")
    ]
