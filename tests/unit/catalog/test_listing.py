"""What is set aside says what kind of trouble it is."""

import pytest

from toolbooth.catalog import sort_entries


def test_malformed_twice_and_cut_are_three_kinds() -> None:
    found = sort_entries("s", [{"name": "a"}, {"nome": "b"}, {"name": "a"}], cut="its cursor never ends")
    assert [tool.name for tool in found.tools] == ["a"]
    assert [entry.kind for entry in found.set_aside] == ["malformed", "duplicate", "cut"]
    assert found.set_aside[-1].reason == "its cursor never ends"


def test_a_list_over_the_ceiling_is_cut_and_says_so_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("toolbooth.catalog.listing.MAX_TOOLS", 1)
    found = sort_entries("s", [{"name": "a"}, {"name": "b"}])
    assert [(entry.kind, entry.reason) for entry in found.set_aside] == [
        ("cut", "only the first 1 of its tools are read")
    ]
