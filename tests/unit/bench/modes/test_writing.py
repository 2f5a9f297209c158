"""What a model writes for a call, and whether a line told it enough."""

import pytest

from toolbooth.bench.modes.writing import blank_arguments, call_tokens, tells_enough
from toolbooth.tokens import count

SCHEMA = {
    "type": "object",
    "properties": {"path": {"type": "string"}, "depth": {"type": "integer"}},
    "required": ["path"],
}


def test_a_call_is_counted_as_compact_json_with_every_sign_as_it_is() -> None:
    call = {"name": "files.read", "arguments": {"path": "größe"}}
    written = '{"name":"files.read","arguments":{"path":"größe"}}'
    assert call_tokens(call, "cl100k_base") == count(written, "cl100k_base")


def test_only_what_is_required_is_written_and_it_is_empty() -> None:
    assert blank_arguments(SCHEMA) == {"path": ""}
    assert blank_arguments(None) == {}


@pytest.mark.parametrize(
    ("line", "enough"),
    [
        ("files.read(path*, depth:int)", True),
        ("files.read(path*)", True),
        ("files.read(depth:int)", False),
        ("", False),
    ],
)
def test_a_line_tells_enough_with_all_that_is_required(line: str, enough: bool) -> None:
    assert tells_enough(line, SCHEMA) is enough
    assert tells_enough(line, {"type": "object", "properties": {}})
