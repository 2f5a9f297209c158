"""Documents follow anchors, nodes survive what is malformed, and nothing nests without end."""

from typing import Any

import pytest

from toolbooth.schema import (
    Dialect,
    NodeReader,
    Ref,
    SchemaDocument,
    SchemaTooDeep,
    TargetGone,
    properties_of,
    required_by,
    types_of,
    walk,
    write_in_place,
    write_with_definitions,
)


def nested(levels: int) -> Any:
    schema: Any = {}
    for _ in range(levels):
        schema = {"items": schema}
    return schema


def test_an_anchor_is_followed_unless_it_stands_twice() -> None:
    schema = {"$defs": {"a": {"$anchor": "one"}, "b": {"$anchor": "two"}, "c": {"$anchor": "two"}}}
    whole = SchemaDocument(schema, "/inputSchema").whole
    found = whole.follow("#one")
    assert found is not None
    assert found.pointer == "/inputSchema/$defs/a"
    assert whole.follow("#two") is None


def test_no_reference_is_followed_where_a_part_has_an_address_of_its_own() -> None:
    schema = {"$id": "https://example.org/a", "$defs": {"a": {}}}
    assert SchemaDocument(schema).whole.follow("#/$defs/a") is not None
    schema["$defs"]["a"] = {"$id": "b"}  # type: ignore[index]
    assert SchemaDocument(schema).whole.follow("#/$defs/a") is None


@pytest.mark.parametrize(
    "malformed", [{"properties": []}, {"anyOf": {}}, {"items": [5]}, {"not": "x"}, {"$ref": 5}]
)
def test_what_is_malformed_stays_as_it_was_and_holds_nothing(malformed: Any) -> None:
    root = NodeReader(malformed, Dialect.D2020).read()
    assert list(root.linked()) == []
    assert write_in_place(root) == malformed
    assert [located.path for located in walk(malformed)] == [()]


def test_a_forgiving_look_finds_nothing_in_what_has_another_shape() -> None:
    shapes: tuple[Any, ...] = (None, True, [], {"properties": [], "required": "a", "type": {}})
    for schema in shapes:
        assert not properties_of(schema)
        assert required_by(schema) == types_of(schema) == []
    assert required_by({"required": ["a", 5, "b"]}) == ["a", "b"]
    assert types_of({"type": "string"}) == ["string"]


def test_schemas_that_nest_too_deep_are_refused_as_nodes_and_walked_all_the_same() -> None:
    assert NodeReader(nested(63), Dialect.D2020).read().path == ()
    with pytest.raises(SchemaTooDeep):
        NodeReader(nested(64), Dialect.D2020).read()
    assert len(list(walk(nested(5_000)))) == 5_001


def test_a_schema_that_refers_to_itself_is_a_cycle_of_nodes_and_written_as_one() -> None:
    schema = {"properties": {"next": {"$ref": "#"}, "tags": {"items": {"$ref": "#/properties/tags"}}}}
    root = NodeReader(schema, Dialect.D2020).read()
    ref = root.keywords["properties"]["next"].keywords["$ref"]
    assert isinstance(ref, Ref)
    assert ref.target is root
    assert write_in_place(root) == schema
    assert write_with_definitions(root, Dialect.D2020) == {
        "properties": {"next": {"$ref": "#"}, "tags": {"$ref": "#/$defs/0"}},
        "$defs": {"0": {"items": {"$ref": "#/$defs/0"}}},
    }


def test_a_target_that_is_gone_is_not_written() -> None:
    root = NodeReader({"$ref": "#/$defs/a", "$defs": {"a": {}}}, Dialect.D2020).read()
    del root.keywords["$defs"]
    with pytest.raises(TargetGone):
        write_in_place(root)
