"""Which schemas count: a stub is none, and a few missing ones are forgiven."""

from typing import Any

import pytest

from toolbooth.bench.modes.schemas import count_schemas, savings
from toolbooth.bench.report import SchemaCount

REAL: dict[str, Any] = {"type": "object", "properties": {"path": {"type": "string"}}}
EMPTY: dict[str, Any] = {"type": "object", "properties": {}}
STUB: dict[str, Any] = {"type": "object"}


def test_real_ones_those_without_parameters_and_missing_ones_are_told_apart() -> None:
    counted = count_schemas([REAL, EMPTY, STUB, None, {}])
    assert counted == SchemaCount(real=1, without_parameters=1, missing=3, counted=False)


def test_parameters_behind_a_reference_or_a_union_are_real() -> None:
    referred = {"$ref": "#/$defs/a", "$defs": {"a": REAL}}
    assert count_schemas([referred, {"anyOf": [REAL, EMPTY]}]).real == 2


@pytest.mark.parametrize(("missing", "counted"), [(0, True), (1, True), (2, False)])
def test_one_of_twenty_may_be_missing(missing: int, counted: bool) -> None:
    assert count_schemas([REAL] * (20 - missing) + [STUB] * missing).counted is counted


@pytest.mark.parametrize("schemas", [[], [EMPTY], [None]])
def test_a_side_without_any_parameter_is_not_counted(schemas: list[Any]) -> None:
    assert not count_schemas(schemas).counted


@pytest.mark.parametrize(
    ("real", "empty", "counted"), [(1, 99, False), (49, 51, False), (1, 1, True), (9, 1, True)]
)
def test_half_of_those_with_a_schema_have_parameters(real: int, empty: int, counted: bool) -> None:
    assert count_schemas([REAL] * real + [EMPTY] * empty).counted is counted


def test_savings_may_be_negative_and_nothing_is_saved_of_nothing() -> None:
    assert savings(25, 100) == 0.75
    assert savings(150, 100) == -0.5
    assert savings(189, 0) == 0.0
