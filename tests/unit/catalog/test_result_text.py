"""The blocks of a result: their texts, and one line for what has none."""

from typing import Any

import pytest

from toolbooth.catalog import block_line, block_text, blocks_in, texts_in

PICTURE = {"type": "image", "data": "x" * 16_384, "mimeType": "image/png"}
NOTE = {"type": "resource", "resource": {"uri": "a:b", "text": "note"}}


@pytest.mark.parametrize(
    ("block", "text"),
    [
        ({"type": "text", "text": "a"}, "a"),
        ({"type": "text", "text": ""}, ""),
        (NOTE, "note"),
        ({"type": "hologram", "text": "seen"}, "seen"),
        ({"type": "text", "text": 5}, None),
        ({"type": "resource", "resource": "a:b"}, None),
        (PICTURE, None),
        ("text", None),
    ],
)
def test_a_text_is_the_blocks_own_or_that_of_its_resource(block: Any, text: str | None) -> None:
    assert block_text(block) == text


@pytest.mark.parametrize(
    ("block", "line"),
    [
        ({"type": "text", "text": "a\nb"}, "a\nb"),
        (PICTURE, "[image image/png, 12 KB]"),
        ({"type": "audio", "data": "xxxx"}, "[audio of an unknown kind, 3 bytes]"),
        ({"type": "resource", "resource": {"uri": "a:b", "blob": "xxxx"}}, "[resource a:b, 3 bytes]"),
        ({"type": "resource_link", "uri": "a:\x1b[31mb"}, "[link a:b]"),
        ({}, "[of an unknown kind]"),
    ],
)
def test_a_block_without_text_is_described(block: dict[str, Any], line: str) -> None:
    assert block_line(block) == line


@pytest.mark.parametrize("content", [None, "text", {"type": "text"}, [1, "x"]])
def test_content_that_is_not_a_list_of_blocks_has_no_text(content: Any) -> None:
    assert list(blocks_in({"content": content})) == []
    assert texts_in({"content": content}) == []


def test_texts_come_in_order_and_descriptions_are_not_among_them() -> None:
    assert texts_in({"content": [NOTE, PICTURE, {"type": "text", "text": "b"}]}) == ["note", "b"]
