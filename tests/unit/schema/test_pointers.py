"""Pointers and local references lead to one place or nowhere."""

from typing import Any

import pytest

from toolbooth.schema import pointer, pointer_parts, reference, resolve_local, resolved

SCHEMA: dict[str, Any] = {
    "$defs": {"a/b": {"type": "string"}, "x~y z": {"$ref": "#/$defs/a~1b"}, "ring": {"$ref": "#/$defs/ring"}},
    "anyOf": [{"const": 1}, True],
    "title": "text",
}


@pytest.mark.parametrize(
    ("ref", "found"),
    [
        ("#", SCHEMA),
        ("#/$defs/a~1b", {"type": "string"}),
        ("#/%24defs/a~1b", {"type": "string"}),
        ("#/anyOf/1", True),
        ("#/anyOf/2", None),
        ("#/anyOf/-1", None),
        ("#/anyOf/²", None),
        ("#/title/0", None),
        ("#/nowhere", None),
        ("#anchor", None),
        ("https://example.org/x", None),
        (5, None),
    ],
)
def test_a_local_reference_is_resolved_and_any_other_leads_nowhere(ref: Any, found: Any) -> None:
    assert resolve_local(SCHEMA, ref) == found


def test_references_to_references_are_followed_and_a_ring_ends() -> None:
    assert resolved(SCHEMA, {"$ref": "#/$defs/x~0y%20z"}) == {"type": "string"}
    assert resolved(SCHEMA, {"$ref": "#/$defs/ring"}) is None
    assert resolved(SCHEMA, "no schema") == "no schema"


def test_steps_are_escaped_once_for_a_pointer_and_once_more_for_a_fragment() -> None:
    assert pointer(("a/b", "~", "50%", 0)) == "/a~1b/~0/50%/0"
    assert reference(("a/b", "~", "50%")) == "#/a~1b/~0/50%25"
    assert pointer(()) == ""
    assert pointer_parts("#/a//b") == ("a", "", "b")
