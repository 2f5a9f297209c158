"""JSON taken apart, each element with the path that leads to it."""

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from toolbooth.gateway.results.lines import Lines
from toolbooth.gateway.results.reading.by_path import at_path
from toolbooth.gateway.results.reading.elements import elements

plain = st.none() | st.booleans() | st.integers() | st.text(max_size=200) | st.just("long\n" * 700)
values = st.recursive(
    plain,
    lambda inner: st.lists(inner, max_size=14) | st.dictionaries(st.text(max_size=6), inner, max_size=14),
    max_leaves=40,
)


def leaves(value: Any) -> list[Any]:
    members = value.values() if isinstance(value, dict) else value if isinstance(value, list) else None
    return [value] if not members else [leaf for member in members for leaf in leaves(member)]


@settings(deadline=None)
@given(
    st.lists(values, min_size=1, max_size=4)
    | st.dictionaries(st.text(max_size=4), values, min_size=1, max_size=12)
)
def test_every_element_is_where_it_says_and_together_they_are_all(document: Any) -> None:
    text = json.dumps(document)
    document = json.loads(text)
    whole, long = [], {}
    for path, start, lines, shown in elements(document, ""):
        there = at_path(text, path)
        if start:
            assert Lines(there.text).part(start, lines) == shown
            long[path] = there.value
            continue
        element = json.loads(shown)
        part = isinstance(there.value, dict) and element != there.value
        assert {**there.value, **element} == there.value if part else element == there.value
        whole.append(element)
    found = [json.dumps(leaf) for element in (*whole, *long.values()) for leaf in leaves(element)]
    assert sorted(found) == sorted(json.dumps(leaf) for leaf in leaves(document))


def test_paths_go_on_from_their_base() -> None:
    value = [{"a": 1}, {"a": 2}]
    assert [each.path for each in elements(value, "items")] == ["items[0]", "items[1]"]
    assert [each.path for each in elements(value, "items[3:]")] == ["items[3:] | [0]", "items[3:] | [1]"]
    assert [each.path for each in elements({"a": 1}, "x[0].y")] == ["x[0].y"]
