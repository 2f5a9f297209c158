"""Digests: the same for the same value in any notation, another for any other value, and never an exception."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
import rfc8785
from hypothesis import given, strategies as st

from toolbooth.catalog import NotJson, decode
from toolbooth.contracts import canonical_bytes, digest_of

TEXT = st.text(st.characters(exclude_categories=()), max_size=8)  # lone surrogates, too
NUMBERS = st.one_of(st.integers(), st.integers(-(2**70), 2**70), st.floats(allow_nan=False))
LEAVES = st.one_of(st.none(), st.booleans(), NUMBERS, TEXT)
VALUES = st.recursive(
    LEAVES, lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(TEXT, inner, max_size=4))
)
Path = tuple[Any, ...]


def turned(value: Any) -> Any:
    """The same value with every object's keys the other way round, and whole numbers as floats where they can be."""
    if isinstance(value, dict):
        return {key: turned(value[key]) for key in reversed(value)}
    if isinstance(value, list):
        return [turned(each) for each in value]
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 2**53:
        return float(value)
    return value


def parts(value: Any) -> list[tuple[Any, Any]]:
    if isinstance(value, dict):
        return list(value.items())
    return list(enumerate(value)) if isinstance(value, list) else []


def leaves(value: Any, path: Path = ()) -> Iterator[Path]:
    if not parts(value):
        yield path
    for key, each in parts(value):
        yield from leaves(each, (*path, key))


def with_leaf(value: Any, path: Path, leaf: Any) -> Any:
    if not path:
        return leaf
    copy = value.copy()
    copy[path[0]] = with_leaf(copy[path[0]], path[1:], leaf)
    return copy


def same(one: Any, other: Any) -> bool:
    """As JSON has it: 1 is 1.0, but true is not 1."""
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    return bool(one == other)


@given(VALUES)
@pytest.mark.promise("contracts:digest")
def test_neither_the_order_of_keys_nor_the_notation_of_numbers_shows(value: Any) -> None:
    assert digest_of(value) == digest_of(turned(value))


@given(VALUES, LEAVES, st.data())
@pytest.mark.promise("contracts:digest")
def test_any_changed_leaf_changes_the_digest(value: Any, leaf: Any, data: st.DataObject) -> None:
    changed = with_leaf(value, data.draw(st.sampled_from(list(leaves(value)))), leaf)
    assert (digest_of(changed) == digest_of(value)) is same(changed, value)


@given(VALUES, VALUES)
def test_two_values_have_one_digest_only_where_they_are_the_same(one: Any, other: Any) -> None:
    assert (canonical_bytes(one) == canonical_bytes(other)) is same(one, other)


@given(VALUES)
def test_what_the_standard_can_write_is_written_as_it_does(value: Any) -> None:
    try:
        expected = rfc8785.dumps(value)
    except (rfc8785.CanonicalizationError, UnicodeError):
        return
    assert canonical_bytes(value) == expected


@given(st.one_of(st.binary(max_size=40), VALUES.map(lambda value: json.dumps(value).encode())))
@pytest.mark.promise("contracts:digest")
def test_whatever_our_reader_of_json_gives_has_a_digest(data: bytes) -> None:
    try:
        value = decode(data)
    except NotJson:
        return
    assert len(digest_of(value)) == 64
