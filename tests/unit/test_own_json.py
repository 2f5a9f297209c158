"""Files of our own: one reader that says what is wrong and what to do, and one writer with stable bytes."""

import ast
import json
from dataclasses import dataclass
from pathlib import Path

import pytest

from toolbooth.errors import ConfigError
from toolbooth.own_json import OwnFormat, decode, encode

SOURCE = Path(__file__).parents[2] / "src" / "toolbooth"


@dataclass(frozen=True)
class Shelf:
    format: str
    version: int
    books: tuple[str, ...]
    place: Path


SHELF = Shelf("shelf", 1, ("ß",), Path("/x"))
FORMAT = OwnFormat(
    Shelf, "shelf", 1, "is no shelf; buy one", "is of version {version}", "damaged: {reason}; dust it"
)


def test_what_was_written_is_read_back() -> None:
    for data in (encode(SHELF), encode(SHELF, indent=1), encode(SHELF, sort=True, only_ascii=True)):
        assert FORMAT.read(data) == SHELF
        assert FORMAT.read_value(json.loads(data) | {"place": Path("/x")}) == SHELF


def test_the_bytes_are_those_of_json() -> None:
    document = {"b": [1, {}, [], "ß\x7f😀"], "a": {"c": None, "n": 2**80}}
    assert encode(document, indent=1, sort=True, only_ascii=True).decode() == (
        json.dumps(document, indent=1, sort_keys=True) + "\n"
    )


def test_a_file_name_that_is_not_utf_8_is_kept() -> None:
    odd = Shelf("shelf", 1, ("ß",), Path("/a\udcff"))
    for indent in (0, 1):
        assert FORMAT.read(encode(odd, indent=indent)) == odd


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "damaged: it is not JSON, or was cut off while being written; dust it"),
        ('{"format": "shelf", "version": 1, "boo', "damaged: it is not JSON"),
        ("[" * 100_000, "is no shelf; buy one"),
        ('{"a":' + "[" * 100_000, "damaged: it is not JSON"),
        ("[]", "is no shelf; buy one"),
        ("{}", "is no shelf; buy one"),
        ('{"format": "shelf", "version": 2}', "is of version 2"),
        ('{"format": "shelf", "version": true}', "is of version True"),
        ('{"format": "shelf", "version": 1}', "damaged: missing required field 'books'; dust it"),
        ('{"format": "shelf", "version": 1, "books": [1], "place": ""}', "damaged: books[0]: expected 'str'"),
    ],
)
def test_a_file_that_does_not_fit_is_one_line_that_names_it(text: str, said: str) -> None:
    with pytest.raises(ConfigError) as caught:
        FORMAT.read(text.encode(), Path("shelf.json"))
    assert str(caught.value).startswith(f"shelf.json: {said}")
    assert "\n" not in str(caught.value)


def test_what_json_does_not_have_is_not_written_as_something_else() -> None:
    with pytest.raises(TypeError, match="is not JSON"):
        encode({"a": Exception()})


def test_any_type_is_decoded() -> None:
    assert decode(b'{"a": 1}', dict[str, int]) == {"a": 1}


def test_no_module_with_a_file_of_our_own_parses_json_by_hand() -> None:
    """What one of them writes, msgspec checks: neither json nor orjson is imported beside `own_json`."""
    both = []
    for file in SOURCE.rglob("*.py"):
        tree = ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        names = {
            alias.name
            for node in tree
            if isinstance(node, ast.Import | ast.ImportFrom)
            for alias in node.names
        }
        if "own_json" in names and names & {"json", "orjson"}:
            both.append(str(file.relative_to(SOURCE)))
    assert not both
