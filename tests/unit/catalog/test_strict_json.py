"""Counting objects, arrays and values without building them: exact where it matters, and never fooled by strings."""

import json
import tracemalloc
from typing import Any

import pytest
from hypothesis import given, strategies as st

from toolbooth.catalog import NotJson, canonical, decode
from toolbooth.catalog.strict_json import EventParts, PartCount, too_many_parts
from toolbooth.limits import KIB, MAX_JSON_ARRAYS, MAX_JSON_OBJECTS, MAX_JSON_VALUES, MIB

MANY = b'{"a":"\\"{[,"},' * (MAX_JSON_OBJECTS + 1)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b"[" + b'{"a":1},' * (MAX_JSON_OBJECTS + 1), "200,000 objects"),
        (b"[" + b"{ },\n" * (MAX_JSON_OBJECTS + 1), "200,000 objects"),
        (b"[" + b"[]," * MAX_JSON_ARRAYS, "500,000 arrays"),
        (b"[" + b"0," * (MAX_JSON_VALUES + 1), "2,000,000 values"),
        (b"[" + b'{"a":1},' * (MAX_JSON_OBJECTS - 1), ""),
        (b'["' + b"{[," * (MAX_JSON_VALUES + 1) + b'"]', ""),
        (b'["' + b'{\\"a\\":[]},' * (MAX_JSON_OBJECTS + 1) + b'"]', ""),
        (b'["' + b"\\\\" * 500_000 + b'",' + b"[]," * MAX_JSON_ARRAYS, "500,000 arrays"),
        (MANY, "200,000 objects"),
    ],
)
def test_what_there_is_too_much_of_is_said(text: bytes, said: str) -> None:
    assert too_many_parts(text) == said
    assert too_many_parts(bytearray(text)) == said


values = st.recursive(
    st.none() | st.integers() | st.text(alphabet='"\\{[,\n\r é'),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(alphabet='"\\{[,'), inner),
)


@given(values, st.lists(st.integers(1, 7), min_size=1))
def test_the_exact_count_is_that_of_the_values_however_the_bytes_are_cut(
    value: object, cuts: list[int]
) -> None:
    data = json.dumps(value).encode()
    count = PartCount()
    count._exact = True
    start, turn = 0, 0
    while start < len(data):
        width = cuts[turn % len(cuts)]
        count.add(data[start : start + width])
        start, turn = start + width, turn + 1
    assert (count._objects, count._arrays) == _containers(value)


def _containers(value: object) -> tuple[int, int]:
    inner = list(value.values()) if isinstance(value, dict) else value if isinstance(value, list) else []
    found = [_containers(each) for each in inner]
    objects, arrays = sum(each[0] for each in found), sum(each[1] for each in found)
    return objects + isinstance(value, dict), arrays + isinstance(value, list)


def chunks(data: bytes, width: int) -> list[bytes]:
    return [data[start : start + width] for start in range(0, len(data), width)]


@pytest.mark.parametrize("before", [b"", b': "\n', b': "\r', b': "\\\n', b'event: "\r\n', b'id: "\n'])
@pytest.mark.parametrize("width", [1_000, 65_536])
def test_a_quote_in_another_line_of_an_event_hides_nothing(before: bytes, width: int) -> None:
    parts = EventParts()
    assert "200,000 objects" in [parts.add(each) for each in chunks(before + b"data: [" + MANY, width)]


@pytest.mark.parametrize("end", [b"\n\n", b"\r\r", b"\r\n\r\n"])
@pytest.mark.parametrize("width", [999, 1_000, 1_001, 65_536])
def test_each_event_is_counted_for_itself(end: bytes, width: int) -> None:
    event = b"data: [" + b'{"a":1},' * (MAX_JSON_OBJECTS // 2) + b"1]" + end
    parts = EventParts()
    assert not any(parts.add(each) for each in chunks(event * 6, width))


def test_counting_takes_little_memory() -> None:
    text = b'{"type":"text","text":"a"},' * 500_000
    tracemalloc.start()
    try:
        assert too_many_parts(text)
        assert tracemalloc.get_traced_memory()[1] < len(text)
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("line", [b":aaaa\n", b': "a"\r\n', b":\n", b'data: "a"\n'])
def test_lines_of_a_stream_without_an_end_are_not_held(line: bytes) -> None:
    sent, parts = 0, EventParts()
    tracemalloc.start()
    try:
        while sent < 20 * MIB:
            chunk = line * (64 * KIB // len(line))
            assert not parts.add(chunk)
            sent += len(chunk)
        assert tracemalloc.get_traced_memory()[0] < MIB
    finally:
        tracemalloc.stop()


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
