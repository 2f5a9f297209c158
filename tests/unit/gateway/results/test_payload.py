"""What a text holds: JSON among words, JSON lines, Python literals, tables; or nothing but words."""

import json

import pytest

from toolbooth.gateway.results.payload import payload

ROWS = [{"id": number, "name": f"n{number}"} for number in range(5)]
JSON = json.dumps(ROWS, indent=1)


@pytest.mark.parametrize("before", ["", "Found 5 rows:\n", "Here it is\n```json\n"])
@pytest.mark.parametrize("after", ["", "\n", "\nnext page: 2", "\n```\nThat is all [of it].\n"])
def test_json_may_have_words_around_it(before: str, after: str) -> None:
    found = payload(before + JSON + after)
    assert found.value == ROWS
    assert found.is_json
    assert (found.before, found.after.strip()) == (before, after.strip())


def test_json_lines_are_a_list() -> None:
    found = payload("\n".join(map(json.dumps, ROWS)) + "\n")
    assert found.value == ROWS
    assert not found.is_json


def test_what_python_prints_is_read() -> None:
    assert payload(str([{"id": 1, "note": None, "pair": (1, 2)}])).value == [
        {"id": 1, "note": None, "pair": [1, 2]}
    ]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "words",
        "[a log] of lines\n" * 5,
        '{"a": 1',
        "{}x",
        "[1, 2] and [3, 4]",
        "{1, 2}",
        "[b'x']",
        "12",
        '"a"',
    ],
)
def test_the_rest_is_text(text: str) -> None:
    assert not payload(text).has_value


def test_a_long_integer_keeps_its_digits() -> None:
    assert payload('{"n": 123456789012345678901234567890}').value == {"n": 123456789012345678901234567890}
