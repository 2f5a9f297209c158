"""The schema model: paths resolve to what they name, walks visit each subschema once, what is written was read."""

import copy
import os
import random
from collections.abc import Iterator
from typing import Any

import jsonschema_rs
import pytest
import referencing.jsonschema
from hypothesis import assume, given, settings, strategies as st
from tests.unit.economics.random_schemas import KEYS, SchemaMaker, instance, near

from toolbooth.schema import (
    SUBSCHEMAS,
    Dialect,
    Node,
    NodeReader,
    Ref,
    SchemaDocument,
    dialect_of,
    path_of,
    pointer,
    pointer_parts,
    reachable,
    reference,
    resolve_local,
    resolve_path,
    walk,
    walk_nodes,
    write_in_place,
    write_with_definitions,
)

EXAMPLES = int(os.environ.get("SCHEMA_EXAMPLES", "300"))
thorough = settings(max_examples=EXAMPLES, deadline=None)
schemas = st.builds(
    lambda seed, depth: SchemaMaker(seed, depth).make(), st.integers(0, 2**32), st.integers(1, 4)
)
paths = st.lists(st.sampled_from(KEYS) | st.text(max_size=4), max_size=5).map(tuple)

SPECIFICATIONS = {
    Dialect.D6: referencing.jsonschema.DRAFT6,
    Dialect.D7: referencing.jsonschema.DRAFT7,
    Dialect.D2019: referencing.jsonschema.DRAFT201909,
    Dialect.D2020: referencing.jsonschema.DRAFT202012,
}


ANY = Ref("#", Node({}))


def dialect(schema: Any) -> Dialect:
    found = dialect_of(schema)
    assert found is not None
    return found


def by_reference_library(schema: Any, specification: Any) -> Iterator[int]:
    yield id(schema)
    if isinstance(schema, dict):
        needs = schema.get("dependencies", {})  # the library looks at the first of these alone
        named = {name: each for name, each in needs.items() if not isinstance(each, list)}
        for inner in specification.subresources_of({**schema, "dependencies": named}):
            yield from by_reference_library(inner, specification)


@thorough
@given(paths)
def test_a_reference_leads_back_to_the_path_it_was_written_for(path: tuple[str, ...]) -> None:
    assert pointer_parts(reference(path)) == path_of(pointer(path)) == path
    inside: Any = "here"
    for step in reversed(path):
        inside = {step: inside}
    assert resolve_path(inside, path) == resolve_local(inside, reference(path)) == "here"


@thorough
@given(schemas)
def test_every_path_of_a_walk_leads_to_its_subschema_and_none_comes_twice(schema: Any) -> None:
    visited = list(walk(schema))
    for path, inner in visited:
        assert resolve_path(schema, path) is inner
    assert len({path for path, _ in visited}) == len(visited)


@thorough
@given(schemas)
def test_a_walk_visits_the_subschemas_that_the_reference_library_knows(schema: Any) -> None:
    known = dialect(schema)
    assume(
        known.since_2019 or not any("$defs" in inner for _, inner in walk(schema) if isinstance(inner, dict))
    )
    objects = [id(inner) for _, inner in walk(schema, SUBSCHEMAS[known]) if isinstance(inner, dict)]
    expected = by_reference_library(schema, SPECIFICATIONS[known])
    dictionaries = {id(inner) for _, inner in walk(schema) if isinstance(inner, dict)}
    assert sorted(objects) == sorted(each for each in expected if each in dictionaries)


@thorough
@given(schemas)
def test_nodes_stand_where_a_walk_finds_objects(schema: Any) -> None:
    known = dialect(schema)
    root = NodeReader(schema, known).read()
    nodes = list(walk_nodes(root))
    walked = {path for path, inner in walk(schema, SUBSCHEMAS[known]) if isinstance(inner, dict)}
    assert len({node.path for node in nodes}) == len(nodes)
    assert {node.path for node in nodes} <= walked
    if not known.ref_hides_siblings:
        assert {node.path for node in nodes} == walked
    for node in nodes:
        assert list(node.keywords) == list(resolve_path(schema, node.path))


@thorough
@given(schemas)
def test_every_reference_of_a_node_is_a_link_to_its_target(schema: Any) -> None:
    known = dialect(schema)
    objects = {path for path, inner in walk(schema, SUBSCHEMAS[known]) if isinstance(inner, dict)}
    for node in walk_nodes(NodeReader(schema, known).read()):
        ref = node.keywords.get("$ref")
        if isinstance(ref, Ref):
            assert ref.target.path == pointer_parts(ref.text)
        elif ref is not None:  # what it leads to may be hidden beside another `$ref`
            assert known.ref_hides_siblings or pointer_parts(ref) not in objects


@thorough
@given(schemas)
def test_what_is_written_in_place_is_what_was_read(schema: Any) -> None:
    untouched = copy.deepcopy(schema)
    written = write_in_place(NodeReader(schema, dialect(schema)).read())
    assert repr(written) == repr(untouched)  # the order of keywords included, and 1 is not 1.0
    assert schema == untouched


class AssertionReader(NodeReader):
    """Leaves out what no validator reads: references in it would lead nowhere in the new layout."""

    def plain(self, node: Node, word: str, value: Any) -> None:
        if word not in ("default", "examples", "x-unknown"):
            assume(
                word != "dependencies" or "$ref" not in repr(value)
            )  # some validators read it in any dialect
            super().plain(node, word, value)

    def hidden(self, node: Node, word: str, value: Any) -> None:
        pass


@thorough
@given(schemas, st.integers(0, 2**32))
def test_a_graph_is_written_as_a_schema_that_accepts_the_same(schema: Any, seed: int) -> None:
    validator = validator_of(schema)
    assume(validator is not None)
    assert validator is not None
    root = AssertionReader(schema, dialect(schema)).read()
    assume(all(isinstance(node.keywords.get("$ref", ANY), Ref) for node in reachable(root)))
    written = validator_of(write_with_definitions(root, dialect(schema)))
    assert written is not None
    source = random.Random(seed)
    for index in range(10):
        value = instance(source, 3) if index % 4 == 0 else near(source, schema, schema)
        assert validator.is_valid(value) == written.is_valid(value), value


def validator_of(schema: Any) -> jsonschema_rs.Validator | None:
    try:
        return jsonschema_rs.validator_for(schema)
    except (jsonschema_rs.ValidationError, jsonschema_rs.ReferencingError, ValueError):
        return None


@thorough
@given(schemas)
def test_a_reference_follows_its_target_to_another_place(schema: Any) -> None:
    assume("$defs" in schema and "definitions" not in schema)
    root = NodeReader(schema, dialect(schema)).read()
    root.keywords = {
        "definitions" if word == "$defs" else word: value for word, value in root.keywords.items()
    }
    again = NodeReader(write_in_place(root), dialect(schema)).read()
    for old, new in zip(walk_nodes(root), walk_nodes(again), strict=True):
        if isinstance(old.keywords.get("$ref"), Ref):
            targets = [node.keywords["$ref"].target for node in (old, new)]
            moved = (
                ("definitions", *targets[0].path[1:])
                if targets[0].path[:1] == ("$defs",)
                else targets[0].path
            )
            assert targets[1].path == moved


@thorough
@given(schemas)
def test_a_document_follows_references_to_the_place_they_name(schema: Any) -> None:
    document = SchemaDocument(schema, "/inputSchema")
    for path, inner in walk(schema):
        followed = document.whole.follow(reference(path))
        assert followed is not None
        assert followed.schema is inner
        assert followed.pointer == "/inputSchema" + pointer(path)
        assert resolve_path({"inputSchema": schema}, pointer_parts("#" + followed.pointer) or ()) is not None


@thorough
@given(schemas)
def test_a_graph_is_reached_node_by_node_each_once_however_it_refers_to_itself(schema: Any) -> None:
    root = NodeReader(schema, dialect(schema)).read()
    found = reachable(root)
    assert found[0] is root
    assert len(set(map(id, found))) == len(found)
    assert set(map(id, walk_nodes(root))) <= set(map(id, found))


WORDS = sorted({word for table in SUBSCHEMAS.values() for word in table} | {"default", "const"})


@pytest.mark.parametrize("word", WORDS)
@pytest.mark.parametrize("known", SUBSCHEMAS)
def test_each_keyword_holds_what_the_reference_library_finds_in_it(known: Dialect, word: str) -> None:
    inner = {"title": "inner"}
    expected = known.since_2019 or word != "$defs"  # old schemas keep definitions there all the same
    for value in (inner, [inner], {"name": inner}):
        try:
            library = any(each is inner for each in SPECIFICATIONS[known].subresources_of({word: value}))
        except AttributeError:  # the library does not expect a list there
            library = False
        if expected:
            assert any(each is inner for _, each in walk({word: value}, SUBSCHEMAS[known])) == library
