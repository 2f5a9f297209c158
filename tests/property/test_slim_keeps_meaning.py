"""A slimmed schema accepts and rejects the same instances, is never longer, and is at rest."""

import copy
import os
import random
from typing import Any

import jsonschema_rs
from hypothesis import assume, given, settings, strategies as st
from tests.unit.economics.random_schemas import SchemaMaker, instance, near, places

from toolbooth.catalog import canonical
from toolbooth.economics import noise, slim
from toolbooth.schema import resolve_local

EXAMPLES = int(os.environ.get("SLIM_EXAMPLES", "1500"))
seeds, depths = st.integers(0, 2**32), st.integers(1, 4)
thorough = settings(max_examples=EXAMPLES, deadline=None)
FAULTS: tuple[dict[str, Any], ...] = (
    {"type": "text"},
    {"minimum": "1"},
    {"minContains": -1},
    {"required": ["a", "a"]},
    {"title": 3},
    {"examples": {}},
    {"deprecated": "since 2.0"},
    {"readOnly": "always"},
    {"$comment": 3},
)


def _validator(schema: Any) -> jsonschema_rs.Validator | None:
    try:
        return jsonschema_rs.validator_for(schema)
    except (jsonschema_rs.ValidationError, jsonschema_rs.ReferencingError, ValueError):
        return None


@thorough
@given(seeds, depths)
def test_a_slimmed_schema_accepts_exactly_what_the_original_accepts(seed: int, depth: int) -> None:
    schema = SchemaMaker(seed, depth).make()
    before = _validator(schema)
    assume(before is not None)
    slimmed = slim(schema, "tool")
    after = _validator(slimmed)
    assert before is not None
    assert after is not None, (schema, slimmed)
    source = random.Random(seed)
    for index in range(20):
        value = instance(source, 3) if index % 4 == 0 else near(source, schema, schema)
        assert before.is_valid(value) == after.is_valid(value), (value, schema, slimmed)


@thorough
@given(seeds, depths)
def test_a_fault_that_refuses_nothing_where_it_stands_refuses_nothing_after(seed: int, depth: int) -> None:
    schema = SchemaMaker(seed, depth).make()
    source = random.Random(seed)
    part = resolve_local(schema, source.choice(list(places(schema, "#"))))
    part.update(copy.deepcopy(source.choice(FAULTS)))
    slimmed = slim(schema, "tool")
    assert _validator(schema) is None or _validator(slimmed) is not None, (schema, slimmed)


@thorough
@given(seeds, depths)
def test_slimming_is_at_rest_after_once_and_never_longer_and_leaves_its_input_alone(
    seed: int, depth: int
) -> None:
    schema = SchemaMaker(seed, depth).make()
    untouched = copy.deepcopy(schema)
    slimmed = slim(schema, "tool")
    assert schema == untouched
    assert slim(slimmed, "tool") == slimmed
    assert len(canonical(slimmed)) <= len(canonical(schema))


@thorough
@given(seeds, depths)
def test_noise_is_found_exactly_where_slimming_saves(seed: int, depth: int) -> None:
    schema = SchemaMaker(seed, depth).make()
    slimmed = slim(schema, "tool")
    assert bool(noise(schema, "tool")) == (canonical(slimmed) != canonical(schema))
    assert noise(slimmed, "tool") == ()
