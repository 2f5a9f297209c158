"""JSON without blanks."""

import json

from hypothesis import given
from hypothesis import strategies as st

from toolbooth.gateway.reduce.compact import compact


def test_digits_and_repeated_keys_stay_as_they_were_written() -> None:
    text = '{ "a" : 1.10 ,\n\t"a" : 12345678901234567890123 , "b c" : " x \\" y " }'
    assert compact(text) == '{"a":1.10,"a":12345678901234567890123,"b c":" x \\" y "}'


@given(
    st.recursive(
        st.none() | st.text() | st.floats(allow_nan=False),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    )
)
def test_it_says_the_same(value: object) -> None:
    assert compact(json.dumps(value, indent=3)) == json.dumps(value, separators=(",", ":"))
