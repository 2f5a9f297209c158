"""A message is one line of JSON, whatever numbers a server sent."""

import json
from typing import Any

from hypothesis import given, strategies as st

from toolbooth.catalog import encode_line

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@given(st.dictionaries(st.text(), VALUES))
def test_every_message_is_one_line_that_reads_back(message: dict[str, Any]) -> None:
    try:
        line = encode_line(message)
    except UnicodeEncodeError:
        return  # a lone surrogate: no decoder of ours lets one in
    assert line.endswith(b"\n")
    assert line.count(b"\n") == 1
    assert json.loads(line) == message


def test_an_integer_over_64_bits_keeps_every_digit() -> None:
    assert encode_line({"n": 2**80 + 1}) == b'{"n":1208925819614629174706177}\n'
