"""Our verdict on arguments is the reference library's; where a schema had to be relaxed, only ever milder."""

import copy
import os
import random
from collections.abc import Iterator
from typing import Any

import jsonschema  # type: ignore[import-untyped]
from hypothesis import assume, given, settings, strategies as st
from tests.unit.economics.random_schemas import SchemaMaker, instance, near

from toolbooth.catalog import Tool
from toolbooth.gateway.arguments import check_arguments, judged
from toolbooth.gateway.arguments.bounding import Ways, cut_cycles, keep_plain_keywords
from toolbooth.gateway.arguments.inspection import item, member
from toolbooth.gateway.arguments.schema_reading import compiled, read_schema
from toolbooth.schema import Node

EXAMPLES = int(os.environ.get("ARGUMENTS_EXAMPLES", "300"))
seeds, depths = st.integers(0, 2**32), st.integers(1, 4)
thorough = settings(max_examples=EXAMPLES, deadline=None)

Json = Any
WILD: tuple[dict[str, Json], ...] = (
    {"pattern": "^(?!a)"},
    {"pattern": "(a|b)\\1"},
    {"patternProperties": {"^(?!a)": {"type": "string"}}, "additionalProperties": False},
    {"pattern": "a{900}{900}"},
    {"minContains": -1, "contains": {"type": "null"}},
    {"type": "text"},
    {"minimum": "1"},
)


def reference(schema: Json) -> Any | None:
    """The reference library's validator; None for what is no schema."""
    validator = jsonschema.validators.validator_for(schema, default=jsonschema.Draft202012Validator)
    return validator(schema) if validator(validator.META_SCHEMA).is_valid(schema) else None


def verdict(validator: Any, value: Json) -> bool | None:
    try:
        return bool(validator.is_valid(value))
    except Exception:  # a circle, a reference to nowhere: what the reference library cannot judge
        return None


def calls(seed: int, schema: Json, count: int = 20) -> Iterator[dict[str, Json]]:
    source = random.Random(seed)
    for index in range(count):
        value = instance(source, 3) if index % 4 == 0 else near(source, schema, schema)
        if isinstance(value, dict):
            yield value


def parts(schema: Json) -> Iterator[dict[str, Json]]:
    """Every object that could be a schema."""
    if isinstance(schema, dict):
        yield schema
        for word, inner in schema.items():
            if word not in ("enum", "const", "default", "examples"):
                yield from parts(inner)
    elif isinstance(schema, list):
        for inner in schema:
            yield from parts(inner)


@thorough
@given(seeds, depths)
def test_a_verdict_is_that_of_the_reference_library(seed: int, depth: int) -> None:
    schema = SchemaMaker(seed, depth).make()
    tool = Tool("", "t", input_schema=schema)
    validator = reference(schema)
    assume(validator is not None and judged(tool) == "full")
    for value in calls(seed, schema):
        expected = verdict(validator, value)
        if expected is not None:
            assert (not check_arguments(tool, value)) == expected, (value, schema)


@thorough
@given(seeds, depths)
def test_a_relaxed_schema_never_refuses_what_the_reference_library_accepts(seed: int, depth: int) -> None:
    schema = SchemaMaker(seed, depth).make()
    source = random.Random(seed)
    for part in source.sample(list(parts(schema)), k=1):
        part.update(copy.deepcopy(source.choice(WILD)))
    tool = Tool("", "t", input_schema=schema)
    validator = reference(schema)
    for value in calls(seed, schema):
        problems = check_arguments(tool, value)
        if validator is not None and verdict(validator, value):
            assert problems == (), (value, schema)


@thorough
@given(seeds, depths, st.sampled_from((Node.in_place, Node.linked)), st.booleans())
def test_each_step_of_relaxing_accepts_all_that_the_schema_accepts(
    seed: int, depth: int, ways: Ways, plain: bool
) -> None:
    schema = SchemaMaker(seed, depth).make()
    validator = reference(schema)
    graph = read_schema(schema)
    cut_cycles(graph, ways)
    if plain:
        keep_plain_keywords(graph)
    relaxed = compiled(graph.root, graph.dialect)
    assert relaxed is not None, schema
    for value in calls(seed, schema, 10):
        if validator is not None and verdict(validator, value):
            assert relaxed.is_valid(value), (value, schema)


def places(errors: Any) -> set[str]:
    found = set()
    for error in errors:
        path = ""
        for step in error.absolute_path:
            path = item(path, step) if isinstance(step, int) else member(path, step)
        found |= {path} | places(error.context)
    return found


@thorough
@given(seeds, depths)
def test_every_problem_stands_where_the_reference_library_sees_an_error(seed: int, depth: int) -> None:
    schema = SchemaMaker(seed, depth).make()
    tool = Tool("", "t", input_schema=schema)
    validator = reference(schema)
    assume(validator is not None and judged(tool) == "full")
    assert validator is not None
    for value in calls(seed, schema, 8):
        if verdict(validator, value) is False:
            problems = check_arguments(tool, value)
            assert problems
            reported = {each.path for each in problems if not each.message.endswith("must not be given")}
            seen = places(validator.iter_errors(value)) | {""}
            assert reported <= seen, (value, schema, problems)  # the library gives `false` the place above it
