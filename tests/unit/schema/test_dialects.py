"""A schema names its dialect, exactly or nearly."""

from typing import Any

import pytest

from toolbooth.gateway.arguments.schema_reading import READABLE
from toolbooth.schema import ASSERTIONS, SUBSCHEMAS, SUBSCHEMAS_IN_ANY, Dialect, dialect_of, nearest_dialect


@pytest.mark.parametrize(
    ("named", "exact", "near"),
    [
        ("http://json-schema.org/draft-07/schema#", Dialect.D7, Dialect.D7),
        ("https://json-schema.org/draft-07/schema", Dialect.D7, Dialect.D7),
        ("http://json-schema.org/draft/2019-09/schema", Dialect.D2019, Dialect.D2019),
        ("https://json-schema.org/draft/2020-12/schema#", Dialect.D2020, Dialect.D2020),
        ("http://json-schema.org/draft-04/schema#", None, Dialect.D4),
        ("http://json-schema.org/draft-06/hyper-schema", None, Dialect.D6),
        ("https://example.org/our-own", None, Dialect.D2020),
        (7, None, Dialect.D2020),
        (None, None, Dialect.D2020),
    ],
)
def test_a_dialect_is_known_by_its_address(named: Any, exact: Dialect | None, near: Dialect) -> None:
    assert dialect_of({"$schema": named}) is exact
    assert nearest_dialect({"$schema": named}) is near


def test_a_schema_without_a_name_is_read_as_2020_12() -> None:
    assert dialect_of({}) is nearest_dialect({}) is nearest_dialect(True) is Dialect.D2020


def test_readers_of_text_look_wherever_a_dialect_does() -> None:
    assert all(table.keys() <= SUBSCHEMAS_IN_ANY.keys() for table in SUBSCHEMAS.values())


def test_the_argument_check_knows_a_usable_value_of_every_assertion() -> None:
    assert READABLE.keys() == ASSERTIONS
