"""YAML is built from events, so bombs end before they grow."""

import pytest
import yaml

from toolbooth.catalog.config import syntax
from toolbooth.catalog.config.syntax import (
    SyntaxFault,
    TextPosition,
    blank,
    parse_json,
    parse_toml,
    parse_yaml,
)
from toolbooth.limits import MAX_YAML_BYTES


def test_keys_and_values_keep_their_marks() -> None:
    parsed = parse_yaml("servers:\n  github:\n    args:\n      - a\n      - b\n")
    assert parsed.value == {"servers": {"github": {"args": ["a", "b"]}}}
    assert parsed.keys["servers", "github", "args"] == TextPosition(3, 5)
    assert parsed.values["servers", "github", "args", 1] == TextPosition(5, 9)


def test_plain_words_stay_the_text_that_was_written() -> None:
    parsed = parse_yaml("[no, on, 08, 1_000, 12:30, 2026-01-02, 0x1F, '7', true, 7, -7, 1.5, ~, null]")
    words = ["no", "on", "08", "1_000", "12:30", "2026-01-02", "0x1F", "7"]
    assert parsed.value == [*words, True, 7, -7, 1.5, None, None]


@pytest.mark.parametrize(
    ("text", "line", "column", "says"),
    [
        ("a: &x 1\n", 1, 4, "anchors"),
        ("a: 1\nb: *x\n", 2, 4, "anchors"),
        ("&x a: 1\n", 1, 1, "key"),
        ("a: !!python/object:os.system 1\n", 1, 4, "tags"),
        ("a: 1\n---\nb: 2\n", 2, 1, "second document"),
        ("a: 1\na: 2\n", 2, 1, "duplicate key"),
        ("? [x]\n: 1\n", 1, 3, "key"),
        ("a: 'open\n", 2, 1, "broken YAML"),
        ("a: b: c\n", 1, 5, "broken YAML"),
        ("a:\n\t- b\n", 2, 1, "broken YAML"),
        ("a: \x01\n", 1, 4, "control character"),
    ],
)
def test_what_is_not_allowed_is_named_with_its_place(text: str, line: int, column: int, says: str) -> None:
    with pytest.raises(SyntaxFault, match=says) as caught:
        parse_yaml(text)
    assert (caught.value.line, caught.value.column) == (line, column)


@pytest.mark.parametrize("text", ["[" * 5000, "{a: " * 5000, "\n".join(" " * i + "a:" for i in range(40))])
def test_deep_nesting_is_refused_early(text: str) -> None:
    with pytest.raises(SyntaxFault, match="deeper than 32"):
        parse_yaml(text)


def test_without_the_c_parser_it_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(syntax, "_LOADER", yaml.SafeLoader)
    test_keys_and_values_keep_their_marks()
    test_deep_nesting_is_refused_early("[" * 5000)
    test_what_is_not_allowed_is_named_with_its_place("a: 1\nb: *x\n", 2, 4, "anchors")


def test_a_large_file_is_refused() -> None:
    with pytest.raises(SyntaxFault, match="1 MiB"):
        parse_yaml("a: " + "x" * MAX_YAML_BYTES)


def test_a_fault_never_quotes_the_text() -> None:
    with pytest.raises(SyntaxFault) as caught:
        parse_yaml("token: %hunter2\n  x: !hunter2! y\n")
    assert "hunter2" not in str(caught.value)


def test_comments_and_trailing_commas_are_accepted() -> None:
    text = '// top\n{ /* a */ "a": [1, 2, /* b */ ], // end\n "b": {"c": "x",},\n}\n'
    assert parse_json(text).value == {"a": [1, 2], "b": {"c": "x"}}


def test_what_looks_like_a_comment_in_a_string_stays() -> None:
    text = '{"url": "https://x/*y*/", "q": "a\\"//b,]", /* c */ "z": "/*",}'
    assert parse_json(text).value == {"url": "https://x/*y*/", "q": 'a"//b,]', "z": "/*"}


def test_blanking_keeps_length_and_line_breaks() -> None:
    text = '{\r\n/* one\r\ntwo */ "a": 1, // x\n}'
    blanked = blank(text)
    assert len(blanked) == len(text)
    assert [i for i, c in enumerate(text) if c in "\r\n"] == [i for i, c in enumerate(blanked) if c in "\r\n"]


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ('{\n  // why\n  "a": 1\n  "b": 2\n}', 4, 3),
        ('{"a": /* x */ }', 1, 15),
        ('/* a\n b */ {"a" 1}', 2, 12),
        ('{"a": "never closed\n}', 1, 20),
        ('{"a": 1}\n// fine\nx', 3, 1),
        ("[1,,]", 1, 4),
        ("[,]", 1, 2),
        ('{"a":,}', 1, 6),
    ],
)
def test_a_fault_is_where_it_is_despite_comments(text: str, line: int, column: int) -> None:
    with pytest.raises(SyntaxFault) as caught:
        parse_json(text)
    assert (caught.value.line, caught.value.column) == (line, column)


def test_an_unclosed_comment_is_named_where_it_opens() -> None:
    with pytest.raises(SyntaxFault, match="is not closed") as caught:
        parse_json('{"a": 1}\n  /* oops')
    assert (caught.value.line, caught.value.column) == (2, 3)


@pytest.mark.parametrize("text", ['{"a": NaN}', '{"a": -Infinity}', '{"a": ' + "9" * 5000 + "}"])
def test_numbers_that_are_none_are_refused(text: str) -> None:
    with pytest.raises(SyntaxFault):
        parse_json(text)


def test_a_broken_line_is_named() -> None:
    with pytest.raises(SyntaxFault, match="broken TOML") as caught:
        parse_toml('[mcp_servers.a]\ncommand = "npx"\nargs = [1 2]\n')
    assert (caught.value.line, caught.value.column) == (3, 11)
    assert "line" not in caught.value.reason


def test_an_unclosed_end_is_placed_at_the_end() -> None:
    with pytest.raises(SyntaxFault) as caught:
        parse_toml("a = 1\nb = [1,")
    assert caught.value.line == 2


def test_a_number_with_too_many_digits_is_refused() -> None:
    with pytest.raises(SyntaxFault):
        parse_toml("a = " + "9" * 5000)
