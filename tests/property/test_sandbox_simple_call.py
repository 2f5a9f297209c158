"""One call in a line means the same as the line would as code; no text is too strange to be looked at."""

import json
import keyword
from typing import Any

from hypothesis import example, given, strategies as st

from toolbooth.sandbox import SimpleCall, simple_call
from toolbooth.sandbox.values import whole

NAMES = st.from_regex(r"[a-z_][a-z0-9_]{0,8}", fullmatch=True).filter(
    lambda name: not keyword.iskeyword(name)
)
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
LEAVES = (
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXTS
)
LITERALS = st.recursive(
    LEAVES,
    lambda inner: (
        st.lists(inner, max_size=4) | st.tuples(inner, inner) | st.dictionaries(TEXTS, inner, max_size=4)
    ),
    max_leaves=10,
)
ARGUMENTS = st.dictionaries(NAMES, LITERALS, max_size=4)
PIECES = st.lists(
    st.sampled_from(
        [
            "await ",
            "a.b",
            "tools[",
            "'x.y'",
            "]",
            "(",
            ")",
            "x=",
            "1",
            "'",
            '"',
            "\\",
            "{",
            "}",
            "[",
            ",",
            "*",
            ":",
        ]
    )
    | st.text(max_size=3),
    max_size=25,
).map("".join)


def written(arguments: dict[str, Any]) -> str:
    return ", ".join(f"{name}={value!r}" for name, value in arguments.items())


@given(NAMES, NAMES, ARGUMENTS)
def test_a_line_means_what_stands_in_it(server: str, name: str, arguments: dict[str, Any]) -> None:
    call = simple_call(f"await {server}.{name}({written(arguments)})")
    assert call == SimpleCall(f"{server}.{name}", whole(arguments))


@given(st.from_regex(r"[^\"'\\\n]+", fullmatch=True), ARGUMENTS)
def test_a_choice_by_text_means_what_stands_in_it(name: str, arguments: dict[str, Any]) -> None:
    call = simple_call(f'await tools["{name}"]({written(arguments)})')
    assert call == SimpleCall(name, whole(arguments))


@given(TEXTS, st.dictionaries(TEXTS, LITERALS, max_size=4))
def test_json_means_what_stands_in_it(name: str, arguments: dict[str, Any]) -> None:
    call = simple_call(json.dumps({"tool": name, "arguments": arguments}))
    assert call == SimpleCall(name, whole(arguments))


@given(st.text() | PIECES)
@example("await a.b(" + "(" * 3_000)
@example("await a.b(x=" + "[" * 300 + "]" * 300 + ")")
@example('{"tool": ' + "[" * 100_000)
def test_no_text_is_too_strange(text: str) -> None:
    for code in (text, f"await a.b({text})", f"await a.b(x={text})", f'{{"tool": {text}}}'):
        call = simple_call(code)
        assert call is None or json.dumps(call.arguments, allow_nan=False).encode()
