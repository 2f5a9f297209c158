"""Tables in text have rows and columns."""

import json
from typing import Any

import pytest

from toolbooth.gateway.results.payload import as_text, compact, payload


@pytest.mark.parametrize("sign", [",", ";", "\t", " | "])
def test_rows_are_objects_and_numbers_are_numbers(sign: str) -> None:
    lines = [sign.join(("id", "name", "price"))]
    lines += [sign.join((str(number), f"thing {number}", f"{number}.50")) for number in range(1, 7)]
    assert payload("\n".join(lines)).value[2] == {"id": 3, "name": "thing 3", "price": 3.5}


def test_a_table_in_markdown_has_a_rule_and_perhaps_a_title() -> None:
    text = "Stock:\n| sku | left |\n|---|---:|\n" + "".join(f"| HF-{n} | {n} |\n" for n in range(5))
    found = payload(text)
    assert found.value[4] == {"sku": "HF-4", "left": 4}
    assert found.before == "Stock:\n"


def test_a_cell_in_quotes_may_hold_anything() -> None:
    text = 'id,note\n1,"a, b"\n2,"two\nlines"\n3,"say ""hi"""\n4,\n5,x\n'
    assert [row["note"] for row in payload(text).value] == ["a, b", "two\nlines", 'say "hi"', "", "x"]


@pytest.mark.parametrize("column", [["007", "010"], ["3.9", "3.10"], ["1e5", "2"], ["0x1", "1"], ["+1", "2"]])
def test_what_only_looks_like_a_number_is_text(column: list[str]) -> None:
    text = "id,version\n" + "".join(f"{n},{column[n % 2]}\n" for n in range(6))
    assert [row["version"] for row in payload(text).value] == [column[n % 2] for n in range(6)]


@pytest.mark.parametrize(
    "text",
    [
        "a,b\n1,2\n",
        "a,b\n1,2\n3\n4,5\n6,7\n8,9\n",
        "Dear all,\nthis is a letter, with commas,\nand more.\nYours,\nme\n",
        "a,a\n1,2\n3,4\n5,6\n7,8\n9,0\n",
        "1,2\n3,4\n5,6\n7,8\n9,0\n",
    ],
)
def test_what_is_no_table_is_text(text: str) -> None:
    assert not payload(text).has_value


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


@pytest.mark.parametrize(
    "value", [1, "é", [1, 2], {"a": [1, {"b": None}]}, 2**70, [2**70, "x" * 100], ["\ud800"], {"\udc00": "é"}]
)
def test_it_is_json_of_the_same_value(value: Any) -> None:
    assert json.loads(compact(value)) == value
    assert json.loads(as_text(value)) == value
    as_text(value).encode()


def test_only_long_lists_have_several_lines() -> None:
    assert as_text([1, 2, 3]) == "[1,2,3]"
    assert as_text({"a": ["x" * 100]}).count("\n") == 0
    assert as_text(["x" * 50, "y" * 50]) == f'["{"x" * 50}",\n"{"y" * 50}"]'
