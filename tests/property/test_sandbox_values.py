"""What leaves the sandbox is JSON: JSON itself unchanged, anything else as something that JSON can say."""

import ast
import datetime
import json
from decimal import Decimal
from pathlib import PurePosixPath
from typing import Any

from hypothesis import given, strategies as st
from tests.property.test_signature_never_fails import ANYTHING

from toolbooth.catalog import Tool
from toolbooth.sandbox.stubs import chooser_stub, module_stub, type_of
from toolbooth.sandbox.values import whole

TEXTS = st.text(st.characters(exclude_categories=["Cs"]))
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(TEXTS, inner, max_size=5),
    max_leaves=30,
)
KEYS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text()
    | st.binary()
    | st.tuples(st.integers(), st.text())
)
LEAVES = (
    KEYS
    | st.complex_numbers()
    | st.dates()
    | st.datetimes()
    | st.times()
    | st.timedeltas()
    | st.decimals()
    | st.frozensets(KEYS, max_size=4)
    | st.sampled_from([..., range(3), ValueError("x\ud800"), PurePosixPath("/a"), Decimal("NaN"), int])
)
PYTHON = st.recursive(
    LEAVES,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.tuples(inner, inner)
        | st.dictionaries(KEYS, inner, max_size=4)
        | st.sets(KEYS, max_size=4)
    ),
    max_leaves=20,
)


@given(JSON)
def test_json_passes_unchanged(value: Any) -> None:
    assert whole(value) == value
    assert repr(whole(value)) == repr(value)  # `1`, `1.0` and `True` are equal to Python


@given(PYTHON)
def test_whatever_python_has_becomes_json(value: Any) -> None:
    written = json.dumps(whole(value), allow_nan=False)
    written.encode()
    assert whole(whole(value)) == whole(value)


def test_a_moment_keeps_its_zone() -> None:
    moment = datetime.datetime(2026, 1, 2, tzinfo=datetime.UTC)
    assert whole([moment]) == ["2026-01-02T00:00:00+00:00"]


@given(ANYTHING, ANYTHING)
def test_every_schema_has_a_type_that_is_python(schema: Any, root: Any) -> None:
    ast.parse(type_of(schema, root), mode="eval")


@given(ANYTHING, st.text())
def test_every_tool_has_a_stub_that_is_python(schema: Any, name: str) -> None:
    tool = Tool("s", "t", "", schema)
    ast.parse(module_stub({"t": tool}))
    ast.parse(chooser_stub({name: tool}, any_tool=True))
