"""YAML is built from events, so bombs end before they grow."""

import pytest
import yaml

from toolbooth.catalog.config.syntax import Mark, SyntaxFault, yaml_text
from toolbooth.catalog.config.syntax.yaml_text import parse_yaml
from toolbooth.limits import MAX_YAML_BYTES


def test_keys_and_values_keep_their_marks() -> None:
    parsed = parse_yaml("servers:\n  github:\n    args:\n      - a\n      - b\n")
    assert parsed.value == {"servers": {"github": {"args": ["a", "b"]}}}
    assert parsed.keys["servers", "github", "args"] == Mark(3, 5)
    assert parsed.values["servers", "github", "args", 1] == Mark(5, 9)


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
        ("a: 1\na: 2\n", 2, 1, "second time"),
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
    monkeypatch.setattr(yaml_text, "_LOADER", yaml.SafeLoader)
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
