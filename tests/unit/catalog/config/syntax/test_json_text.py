"""JSON with comments keeps every position."""

import pytest

from toolbooth.catalog.config.syntax import SyntaxFault
from toolbooth.catalog.config.syntax.json_text import blank, parse_json


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
    with pytest.raises(SyntaxFault, match="never closed") as caught:
        parse_json('{"a": 1}\n  /* oops')
    assert (caught.value.line, caught.value.column) == (2, 3)


@pytest.mark.parametrize("text", ['{"a": NaN}', '{"a": -Infinity}', '{"a": ' + "9" * 5000 + "}"])
def test_numbers_that_are_none_are_refused(text: str) -> None:
    with pytest.raises(SyntaxFault):
        parse_json(text)
