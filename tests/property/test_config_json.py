"""Blanking comments: no value changes, no character moves."""

import json
from typing import Any

import pytest
from hypothesis import given, strategies as st

from toolbooth.catalog.config.syntax import SyntaxFault, blank, parse_json

TEXT = st.text(st.sampled_from('ab/*,]}[{:"\\ \n\té')) | st.text(max_size=8)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=12,
)
BETWEEN = st.sampled_from(
    ["", " ", "\n", '// , ] } " x\n', '/* , ] " \n // */', "/***/", "\t//\r\n", "/*é*/"]
)


def _tokens(value: Any) -> list[str]:
    if isinstance(value, dict):
        inner = [[json.dumps(key), ":", *_tokens(entry)] for key, entry in value.items()]
        return ["{", *_joined(inner), "}"]
    if isinstance(value, list):
        return ["[", *_joined([_tokens(entry) for entry in value]), "]"]
    return [json.dumps(value)]


def _joined(parts: list[list[str]]) -> list[str]:
    """Commas between, and a mark where a trailing one may stand."""
    joined = [token for part in parts for token in (*part, ",")]
    return [*joined[:-1], "TRAILING"] if parts else []


def _same(one: Any, other: Any) -> bool:
    return json.dumps(one) == json.dumps(other)


@given(VALUES, st.sampled_from([None, 0, 2]))
def test_plain_json_keeps_its_value(value: Any, indent: int | None) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=False)
    assert blank(text) == text
    assert _same(parse_json(text).value, value)


@given(VALUES, st.data())
def test_comments_and_trailing_commas_anywhere_keep_the_value(value: Any, data: st.DataObject) -> None:
    written = []
    for token in _tokens(value):
        comma = "," if token == "TRAILING" and data.draw(st.booleans()) else ""
        written += [data.draw(BETWEEN), comma if token == "TRAILING" else token]
    text = "".join(written) + data.draw(BETWEEN)
    blanked = blank(text)
    assert len(blanked) == len(text)
    assert all(new in (old, " ") for old, new in zip(text, blanked, strict=True))
    assert _same(json.loads(blanked), value)
    assert _same(parse_json(text).value, value)


@given(VALUES, st.data())
def test_a_stray_sign_is_reported_where_it_stands(value: Any, data: st.DataObject) -> None:
    tokens = [token for token in _tokens(value) if token != "TRAILING"]
    at = data.draw(st.integers(0, len(tokens)))
    before = "".join(data.draw(BETWEEN) + token for token in tokens[:at]) + data.draw(BETWEEN)
    text = before + "§" + "".join(tokens[at:])
    with pytest.raises(SyntaxFault) as caught:
        parse_json(text)
    fault = caught.value
    assert (fault.line, fault.column) == (before.count("\n") + 1, len(before) - before.rfind("\n"))


@given(st.text(st.sampled_from('/*",[]{}:\\ \n1a')))
def test_no_text_breaks_the_blanker(text: str) -> None:
    fault = None
    try:
        assert len(blank(text)) == len(text)
    except SyntaxFault as error:
        fault = error
    opened = text.split("\n")[(fault.line or 1) - 1][(fault.column or 1) - 1 :] if fault else "/*"
    assert opened.startswith("/*")
