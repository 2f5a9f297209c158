"""Our verdict on arguments is the reference library's; where a schema had to be loosened, only ever milder."""

import copy
import os
import random
from collections.abc import Iterator
from typing import Any

import jsonschema
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.unit.economics.random_schemas import SchemaMaker, instance, near

from toolbooth.catalog import Tool
from toolbooth.gateway.arguments import check_arguments, judged
from toolbooth.gateway.arguments.problem import item, member

EXAMPLES = int(os.environ.get("ARGUMENTS_EXAMPLES", "600"))
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


def reference(schema: Json) -> jsonschema.protocols.Validator:
    return jsonschema.validators.validator_for(schema, default=jsonschema.Draft202012Validator)(schema)


def is_sound(schema: Json) -> bool:
    cls = jsonschema.validators.validator_for(schema, default=jsonschema.Draft202012Validator)
    return bool(cls(cls.META_SCHEMA).is_valid(schema))


def verdict(schema: Json, value: Json) -> bool | None:
    try:
        return bool(reference(schema).is_valid(value))
    except Exception:  # a circle, a reference to nowhere: what the reference library cannot judge
        return None


def calls(seed: int, schema: Json, count: int = 20) -> Iterator[dict[str, Json]]:
    source = random.Random(seed)
    for index in range(count * 3):
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
    assume(is_sound(schema) and judged(tool) == "full")
    for value in calls(seed, schema):
        expected = verdict(schema, value)
        if expected is not None:
            assert (not check_arguments(tool, value)) == expected, (value, schema)


@thorough
@given(seeds, depths)
def test_a_loosened_schema_never_refuses_what_the_reference_library_accepts(seed: int, depth: int) -> None:
    schema = SchemaMaker(seed, depth).make()
    source = random.Random(seed)
    for part in source.sample(list(parts(schema)), k=1):
        part.update(copy.deepcopy(source.choice(WILD)))
    tool = Tool("", "t", input_schema=schema)
    readable = is_sound(schema)
    for value in calls(seed, schema):
        if readable and verdict(schema, value):
            assert check_arguments(tool, value) == (), (value, schema)
        else:
            check_arguments(tool, value)


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
    assume(is_sound(schema) and judged(tool) == "full")
    for value in calls(seed, schema, 8):
        if verdict(schema, value) is False:
            seen = places(reference(schema).iter_errors(value)) | {""}
            problems = check_arguments(tool, value)
            assert problems
            told = {each.path for each in problems if not each.message.endswith("must not be given")}
            assert told <= seen, (value, schema, problems)  # the library gives `false` the place above it
