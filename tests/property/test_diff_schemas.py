"""A diff of schemas: empty for one meaning, and what it calls safe is: no call and no reader meets a surprise."""

import os
import random
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import assume, given, settings, strategies as st
from tests.property.schema_pairs import keys_in, limited_pair, other_notation, pair
from tests.unit.contracts.diff.sample_contracts import changed, tool
from tests.unit.economics.random_schemas import instance, near

from toolbooth.contracts import Change, Severity
from toolbooth.contracts.diff.schemas import Relation, compare_schemas, relation

EXAMPLES = int(os.environ.get("DIFF_EXAMPLES", "250"))
TRIES = 25
seeds = st.integers(0, 2**32)
thorough = settings(max_examples=EXAMPLES, deadline=None)
OF_INPUTS = ("input-", "optional-input-", "required-input-", "limit-")


def _judge(schema: Any) -> jsonschema_rs.Validator | None:
    try:
        return jsonschema_rs.validator_for(schema, validate_formats=False)
    except (jsonschema_rs.ValidationError, jsonschema_rs.ReferencingError, ValueError):
        return None


def _judges(before: Any, after: Any) -> tuple[jsonschema_rs.Validator, jsonschema_rs.Validator]:
    """Of two schemas that validators understand: what one of them refuses as a schema accepts nothing."""
    old, new = _judge(before), _judge(after)
    assume(old is not None and new is not None)
    assert old is not None
    assert new is not None
    return old, new


def _values(seed: int, *schemas: Any) -> list[Any]:
    source = random.Random(seed)
    wanted = [source.choice(schemas) for _ in range(TRIES)]
    return [instance(source, 3) if source.random() < 0.25 else near(source, each, each) for each in wanted]


def _of_schemas(changes: tuple[Change, ...], *beginnings: str) -> list[Change]:
    return [change for change in changes if change.rule.startswith(beginnings)]


@pytest.mark.promise("diff:safe-inputs")
@thorough
@given(seeds)
def test_where_only_safe_changes_of_inputs_are_reported_every_call_that_was_right_still_is(seed: int) -> None:
    _assert_no_right_call_fails(seed, *pair(seed))


@pytest.mark.promise("diff:safe-inputs")
@thorough
@given(seeds)
def test_an_input_that_is_called_like_a_limit_is_an_input_all_the_same(seed: int) -> None:
    _assert_no_right_call_fails(seed, *limited_pair(seed))


def _assert_no_right_call_fails(seed: int, before: Any, after: Any) -> None:
    """Unless something that is reported is worse than safe."""
    old, new = _judges(before, after)
    reported = changed(tool(inputSchema=before), tool(inputSchema=after)).changes
    found = _of_schemas(reported, *OF_INPUTS)
    assume(all(change.severity <= Severity.SAFE for change in found))
    # An input that nobody had declared is nobody's: who sends it now is told by the schema what it has to be.
    undeclared = {_name(change.path) for change in found if change.rule == "optional-input-added"}
    for value in _values(seed, before, after):
        if isinstance(value, dict) and not undeclared & set(keys_in(value)) and old.is_valid(value):
            assert new.is_valid(value), (value, before, after, found)


@pytest.mark.promise("diff:safe-outputs")
@thorough
@given(seeds)
def test_where_only_safe_changes_of_answers_are_reported_every_answer_was_possible_before(seed: int) -> None:
    before, after = pair(seed)
    old, new = _judges(before, after)
    reported = changed(tool(outputSchema=before), tool(outputSchema=after)).changes
    found = [
        change for change in _of_schemas(reported, "output-") if change.rule != "output-description-changed"
    ]
    assume(all(change.severity <= Severity.SAFE for change in found))
    for value in _values(seed, before, after):
        if new.is_valid(value):
            assert old.is_valid(value), (value, before, after, found)


@thorough
@given(seeds)
def test_what_is_called_equal_wider_or_narrower_is(seed: int) -> None:
    before, after = pair(seed)
    old, new = _judges(before, after)
    stands = relation(before, after)
    fields = any(each.facet.startswith("field-") for each in compare_schemas(before, after, ""))
    assume(stands in (Relation.EQUAL, Relation.WIDER, Relation.NARROWER) and not fields)
    for value in _values(seed, before, after):
        was, is_now = old.is_valid(value), new.is_valid(value)
        assert is_now or not was or stands is Relation.NARROWER, (value, before, after)
        assert was or not is_now or stands is Relation.WIDER, (value, before, after)


@pytest.mark.promise("diff:notation")
@thorough
@given(seeds)
def test_a_schema_and_the_same_in_another_notation_do_not_differ(seed: int) -> None:
    schema, _ = pair(seed)
    written = other_notation(seed, schema)
    assume(_judge(schema) is not None and _judge(written) is not None)
    assert compare_schemas(schema, schema, "") == ()
    assert compare_schemas(schema, written, "") == (), (schema, written)
    assert compare_schemas(written, schema, "") == (), (schema, written)


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=12,
)
WORDS = """
type enum const minimum exclusiveMaximum multipleOf minLength pattern format items prefixItems contains uniqueItems
properties patternProperties additionalProperties required propertyNames dependentRequired dependencies $ref $defs
anyOf oneOf allOf not if then else $id $anchor $dynamicRef $schema unevaluatedProperties description default title
"""
KEYWORDS = WORDS.split()
nonsense = st.recursive(
    json_values,
    lambda inner: st.dictionaries(
        st.sampled_from(KEYWORDS), inner | st.just("#") | st.just({"$ref": "#"}), max_size=4
    ),
    max_leaves=16,
)


@pytest.mark.promise("diff:hostile")
@thorough
@given(nonsense, nonsense)
def test_no_nonsense_in_the_place_of_schemas_raises(before: Any, after: Any) -> None:
    reported = changed({**tool(), "inputSchema": _object(before)}, {**tool(), "inputSchema": _object(after)})
    assert all(change.message for change in reported.changes)
    assert compare_schemas(before, before, "") == ()
    assert isinstance(relation(before, after), Relation)


def _object(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {"properties": value}


def _name(pointer: str) -> str:
    return pointer.rpartition("/")[2].replace("~1", "/").replace("~0", "~")
