"""Whatever a server calls an input schema, the signature is one bounded line with every required name."""

import json
from typing import Any

from hypothesis import given, strategies as st
from tests.brief_lines import brief_line

from toolbooth.catalog import Tool
from toolbooth.safetext import for_terminal
from toolbooth.search.signatures import one_line, parameter_lines, parameters, signature

NAMES = (
    st.sampled_from(["a", "b", "user_id", "x-y", "größe", "with space", "", "*", "\x1b[2J", "a\u2028b"])
    | st.text()
)
LEAVES = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20)
REFS = st.sampled_from(
    ["#", "#/$defs/A", "#/$defs/B", "#/properties/a", "#/allOf/0", "#nowhere", "x.json", "#/%"]
)
TYPES = st.sampled_from(
    ["string", "integer", "number", "boolean", "null", "array", "object", "file", 7, None]
)


def schema_like(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    many = st.lists(inner, max_size=4)
    named = st.dictionaries(NAMES, inner, max_size=5)
    return st.fixed_dictionaries(
        {},
        optional={
            "type": TYPES | st.lists(TYPES, max_size=3) | inner,
            "properties": named | inner,
            "required": st.lists(NAMES, max_size=5) | inner,
            "items": inner | many,
            "prefixItems": many,
            "enum": st.lists(LEAVES, max_size=8) | inner,
            "const": inner,
            "anyOf": many | inner,
            "oneOf": many | inner,
            "allOf": many | inner,
            "$ref": REFS | inner,
            "$defs": st.fixed_dictionaries({"A": inner, "B": inner}),
            "additionalProperties": inner,
            "description": st.text() | inner,
            "default": inner,
        },
    )


ANYTHING = st.recursive(
    LEAVES | st.fixed_dictionaries({"$ref": REFS}),
    lambda inner: schema_like(inner) | st.lists(inner, max_size=3),
    max_leaves=25,
)


def as_shown(name: str) -> str:
    return for_terminal(name if name.isidentifier() else json.dumps(name, ensure_ascii=False))


def names_of(schema: Any) -> list[str]:
    required = schema.get("required") if isinstance(schema, dict) else None
    return [name for name in required if isinstance(name, str)] if isinstance(required, list) else []


@given(ANYTHING, st.integers(0, 15))
def test_no_schema_makes_it_fail_or_lose_a_required_name(schema: Any, most: int) -> None:
    text = signature(Tool("s", "t", "", schema), most)
    found = [parameter.name for parameter in parameters(schema) if parameter.required]
    for name in names_of(schema):
        assert as_shown(name) in found
        assert f"{as_shown(name)}*" in text


@given(ANYTHING, st.text(), NAMES, NAMES)
def test_every_line_is_one_line_of_visible_text(
    schema: Any, description: str, server: str, name: str
) -> None:
    tool = Tool(server, name, description, schema)
    for line in (brief_line(tool), *parameter_lines(tool)):
        assert len(line.splitlines()) <= 1
        assert for_terminal(line, limit=len(line) + 1) == " ".join(line.split())


@given(ANYTHING, st.integers(0, 15))
def test_the_length_is_bounded_by_what_is_shown(schema: Any, most: int) -> None:
    required = sum(parameter.required for parameter in parameters(schema))
    assert len(signature(Tool("s", "t", "", schema), most)) <= 20 + (required + most) * (300 + 600 + 4)


@given(ANYTHING)
def test_the_required_stand_first(schema: Any) -> None:
    found = parameters(schema)
    flags = [parameter.required for parameter in found]
    assert flags == sorted(flags, reverse=True)


@given(st.text(), st.integers(1, 200))
def test_one_line_is_clean_and_never_longer_than_its_limit(description: str, limit: int) -> None:
    line = one_line(description, limit)
    assert len(line) <= limit
    assert len(line.splitlines()) <= 1
