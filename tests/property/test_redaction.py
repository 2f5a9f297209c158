"""Redacting twice is as redacting once, nothing known is left, and the work grows with the text and no faster."""

import re
from typing import Any

import pytest
from hypothesis import given, strategies as st

from toolbooth.catalog import ServerSpec
from toolbooth.suite.redaction import REDACTED, Redactor
from toolbooth.suite.redaction.secrets import SuitePattern, known_secrets

PIECES = st.sampled_from(
    [
        *(
            "password",
            "token",
            "api_key",
            "secret",
            "cookie",
            "authorization",
            "--token",
            "max_tokens",
            "session",
            "auth",
            "type",
            "value",
        ),
        *(
            "=",
            ":",
            ": ",
            '"',
            "'",
            '\\"',
            "\\",
            " ",
            "\n",
            ",",
            "{",
            "[",
            "]",
            "}",
            "<",
            ">",
            "</",
            "@",
            "://",
            ".",
            " is ",
            '{"',
            '": "',
            '": {"',
            '\\\\\\"',
        ),
        *(
            "Bearer ",
            "Basic ",
            "sk-",
            "sk-ant-",
            "ghp_",
            "eyJ",
            "AKIA",
            "-----BEGIN PRIVATE KEY-----",
            "-----END",
        ),
        *(
            "hunter2",
            "A1b2C3d4" * 3,
            "envcanary",
            "a b",
            "12",
            "[redacted]",
            "[redac",
            "ted]",
            "\ue000",
            "é",
            "x",
        ),
    ]
)
TEXTS = st.lists(PIECES, max_size=25).map("".join) | st.text(max_size=60)
SECRETS = st.dictionaries(
    st.sampled_from(["API_KEY", "DB_PASSWORD", "TOKEN", "AUTH"]),
    st.text(min_size=4, max_size=12)
    | st.sampled_from(["redacted", "[redacted]", "acte", "envcanary", "x[re"]),
)
KEYS = st.sampled_from(
    ["auth", "credentials", "session", "value", "type", "description", "$ref", "page", "key"]
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS | TEXTS, inner, max_size=4),
    max_leaves=12,
)
PATTERNS = st.lists(st.sampled_from([r"A\d+", ".", "..", r"\bx", "^a", "[a-z]+$", "x+", r"\w\W"]), max_size=2)


@given(SECRETS, PATTERNS, TEXTS)
def test_twice_is_as_once(environ: dict[str, str], patterns: list[str], text: str) -> None:
    redactor = Redactor(environ, [], patterns)
    once = redactor.text(text)
    assert redactor.text(once) == once


@given(SECRETS, VALUES)
def test_twice_is_as_once_for_json(environ: dict[str, str], value: Any) -> None:
    redactor = Redactor(environ, [])
    once = redactor.value(value)
    assert redactor.value(once) == once


@given(st.text(min_size=8, max_size=30), TEXTS, TEXTS)
def test_no_known_secret_is_left_in_any_text(secret: str, before: str, after: str) -> None:
    spec = ServerSpec("s", "stdio", "x", env={"CANARY": secret})
    redactor = Redactor({}, [spec])
    found = redactor.text(f"{before}{secret}{after}")
    for known in known_secrets({}, [spec]).everywhere:
        assert not any(known in piece for piece in found.split(REDACTED))


@given(
    st.text("ab-1 \n", max_size=12),
    st.sampled_from(["a+b", "(a|b)+1", "a.?b", "[^a]1|b", "(ab){1,2}", "-?1"]),
)
def test_what_a_pattern_leaves_does_not_fit_it_and_lines_without_a_hit_stay(text: str, pattern: str) -> None:
    left = SuitePattern(pattern).without(text, "#")
    assert not any(re.search(pattern, piece) for piece in re.split(r"[#\n]", left))
    for before, after in zip(text.splitlines(), left.splitlines(), strict=True):
        assert before == after or re.search(pattern, before)


HOSTILE = [
    *(
        "eyJ",
        "password ",
        "password=",
        'password:"',
        'password:\\"',
        "secret:[",
        "--token ",
        "<secret>",
        "cookie: a=b",
    ),
    *(
        "-----BEGIN PRIVATE KEY-----",
        "://a:",
        "bearer ",
        "basic ",
        "sk-",
        "a",
        " ",
        "\\",
        "-",
        "a.",
        "ghp_",
        "\n",
    ),
    *(
        "auth:{",
        'auth:{"a":"x y',
        '"auth":[{',
        "password is ",
        'password is "',
        'password:\\\\\\"',
        "password:'\\\n",
    ),
    *('token:"a b\\', "is ", 'auth:{"type' + "\\" * 31),
]


@pytest.mark.parametrize("unit", HOSTILE)
def test_a_megabyte_built_to_be_slow_is_read_to_its_end(unit: str) -> None:
    """Anything quadratic would take hours here; no clock is asked."""
    text = "password" + unit * (1_000_000 // len(unit)) + " sk-" + "Ab1" * 9
    cleaned = Redactor({}, []).text(text)
    assert "Ab1Ab1" not in cleaned
