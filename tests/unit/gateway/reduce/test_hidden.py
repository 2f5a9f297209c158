"""Words in place of what is not shown."""

import json
from typing import Any

import pytest
from tests.property.reading_back import calls_in

from toolbooth.gateway.reduce.hidden import Hidden, Picked, encoded, in_kb, weight

REF = "r" * 22


def test_the_words_name_the_call() -> None:
    words = Hidden("247 of 250 items", "orders[3:]").words(REF)
    assert words == f"[247 of 250 items not shown: read_result(ref='{REF}', path='orders[3:]')]"
    assert (
        Hidden("9 lines,", start=4, lines=9)
        .words(REF)
        .endswith(f"read_result(ref='{REF}', start=4, lines=9)]")
    )


@pytest.mark.parametrize(
    "path", ['"two words"', '"it\'s"', '"back\\\\slash"', '"it\'s \\"both\\""', "`1`", '"🦜"']
)
def test_whatever_the_path_an_agent_reads_it_from_the_call(path: str) -> None:
    ((_, _, arguments),) = calls_in(Hidden("all", path).words(REF))
    assert arguments == {"ref": REF, "path": path}


@pytest.mark.parametrize("value", [{"a": 2**80}, ["\ud800"], {"ключ": [None, 1.5]}, Picked([1, 2], [4, 7])])
def test_a_working_value_is_written_as_json(value: Any) -> None:
    assert json.loads(encoded(value, REF)) == value
    assert weight(value) == len(encoded(value).encode())


def test_hidden_parts_are_written_as_their_words() -> None:
    hidden = Hidden("all", "a")
    assert json.loads(encoded({"a": hidden}, REF)) == {"a": hidden.words(REF)}


def test_sizes_are_short_words() -> None:
    assert [in_kb(each) for each in (12, 3_200, 2_000_000)] == ["12 bytes", "3.1 KB", "1,953 KB"]
