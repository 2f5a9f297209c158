"""What a path leads to in a kept text, and what is said where it leads nowhere."""

import json
from typing import Any

import pytest

from toolbooth.errors import WrongArguments
from toolbooth.gateway.results.by_path import NothingThere, at_path
from toolbooth.limits import MAX_PATH

DOCUMENT: dict[str, Any] = {
    "orders": [{"id": number, "name": f"order {number}", "note": None, "tags": []} for number in range(200)],
    "text": 'two\nlines and a "quote"',
    "big": 123456789012345678901234567890,
    "my-key": {"a": 1.5},
    "many": {f"k{number}": number for number in range(30)},
}
TEXT = json.dumps(DOCUMENT)


def text_at(path: str, text: str = TEXT) -> str:
    return at_path(text, path).text


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        ("text", 'two\nlines and a "quote"'),
        ("big", "123456789012345678901234567890"),
        ("orders[7]", '{"id":7,"name":"order 7","note":null,"tags":[]}'),
        ("orders[:3].id", "[0,1,2]"),
        ("orders[0].note", "null"),
        ("orders[0].tags", "[]"),
        ('"my-key".a', "1.5"),
        ("$.orders[7].id", "7"),
        ("$", None),
        (" orders[7].id ", "7"),
        ("length(orders)", "200"),
        ("max(orders[].missing)", "null"),
    ],
)
def test_a_string_is_itself_and_all_else_is_compact_json(path: str, shown: str | None) -> None:
    assert text_at(path) == (shown or json.dumps(DOCUMENT, separators=(",", ":")))


def test_the_items_of_a_long_list_are_on_lines_of_their_own() -> None:
    shown = text_at("orders[3:]")
    assert json.loads(shown) == DOCUMENT["orders"][3:]
    assert shown.count("\n") == 196
    assert text_at("orders[].name").splitlines()[5] == '"order 5",'


def test_json_lines_are_a_list() -> None:
    assert text_at("[1].a", '{"a": 1}\n{"a": 2}\n') == "2"


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("orders[250].id", "orders is a list of 200 items, the first with the keys id, name, note, tags"),
        ("orders[-201]", "orders is a list of 200 items"),
        ("orders[3].nme", "orders[3] is an object with the keys id, name, note, tags"),
        ("orders[].nme", "orders[0] is an object with the keys"),
        ("orders[*].nme", "orders[0] is an object with the keys"),
        ("orders[5:9].nme", "orders[5] is an object with the keys"),
        ("orders[300:]", "orders is a list of 200 items"),
        ("orders[0].tags[0]", "orders[0].tags is a list of 0 items"),
        ("orders[?id > `900`].name", "nothing matches the filter; orders is a list of 200 items"),
        ("orders[?id > `9`].nme", "orders[?…] is an object with the keys"),
        ("orders | [0].nme", "…[0] is an object with the keys"),
        ("order", "the whole is an object with the keys orders, text, big, my-key, many"),
        ("text.x", "text is text of 23 characters"),
        ("big.x", "big is a number"),
        ("orders[0].note.x", "orders[0].note is null"),
        ("*.x", "orders is a list of 200 items"),
        ("many.x", "k18, k19 and 10 more"),
    ],
)
def test_where_nothing_is_the_deepest_place_is_described(path: str, said: str) -> None:
    with pytest.raises(NothingThere) as caught:
        at_path(TEXT, path)
    assert str(caught.value).startswith('nothing at path="')
    assert said in str(caught.value)


def test_foreign_keys_are_cleaned() -> None:
    with pytest.raises(NothingThere) as caught:
        at_path(json.dumps({"a\x1b[31mb\n": 1}), "c")
    assert "\x1b" not in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("a..b", 'unexpected "." at character 3'),
        ("orders[0", "it is incomplete"),
        ("my-key", "Unknown token '-' at character 3"),
        ("'abc", "Unclosed ' delimiter"),
        ("foo(@)", "Unknown function: foo()"),
        ("length(`5`)", "length() takes string or array or object, not number"),
        ("length()", "Expected 1 argument for function length(), received 0"),
        ("orders[::0]", "slice step cannot be zero"),
        ("&a", "an expression with & is not a value by itself"),
        ("[@,@] | " * 30 + "@", "builds too much"),
        ("!" * 900 + "a", "nested too deep"),
        ("a" * (MAX_PATH + 1), "at most 1000 characters"),
    ],
)
def test_a_wrong_path_is_one_line(path: str, said: str) -> None:
    with pytest.raises(WrongArguments) as caught:
        at_path(TEXT, path)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize("text", ["plain text", "", "[1, 2", "7"])
def test_a_text_that_is_no_json_offers_the_other_ways(text: str) -> None:
    with pytest.raises(WrongArguments, match=r"not JSON.*start and lines, or by query"):
        at_path(text, "a")
