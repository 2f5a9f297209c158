"""JSON in is strict and exact; JSON out is canonical."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolbooth.catalog import NotJson, canonical, decode

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


@given(JSON)
def test_what_was_written_is_read_back_exactly(value: Any) -> None:
    assert decode(json.dumps(value, ensure_ascii=False).encode()) == value


@pytest.mark.parametrize(
    "bad",
    [b"", b"{", b"NaN", b"[Infinity]", b"-Infinity", b"1e999", b"9" * 400 + b".0", b'"\xff"', b'"\\ud800"',
     b"[" * 300 + b"]" * 300, b"9" * 100_000, b"{'a': 1}", b'{"a": 1,}', b"nul", b'"a" "b"'],
)  # fmt: skip
def test_what_is_not_json_is_refused_with_a_reason(bad: bytes) -> None:
    with pytest.raises(NotJson) as refusal:
        decode(bad)
    assert str(refusal.value)


def test_long_integers_keep_every_digit() -> None:
    assert decode(b"18446744073709551616") == 2**64
    assert decode(b"[1e100]") == [1e100]


def test_canonical_text_does_not_depend_on_key_order() -> None:
    assert canonical({"b": [1, 2.0], "a": "é"}) == '{"a":"é","b":[1,2.0]}'
    assert canonical({"a": "é", "b": [1, 2.0]}) == canonical({"b": [1, 2.0], "a": "é"})
