"""Digests of what servers list: the same as a lock's, whichever way they are had."""

from typing import Any

import pytest

from toolbooth.contracts import ToolContract, digest_of, wire_without
from toolbooth.gateway.live_digests import LiveDigests, known_digests

SECRETS = ('quo"ted\\secret', "schlüssel-4711", "half\udcffcharacter", "plain-4711")
WIRES: list[dict[str, Any]] = [
    {"name": "a", "description": "plain"},
    {"name": "a", "inputSchema": {"default": 2**80}},
    {"name": "a", "description": "half \ud800 a character"},
    {"name": "a", "default": 1.0},
    {"name": "a", "default": True},
    *({"name": "a", "description": f"with {secret} in it"} for secret in SECRETS),
    {"name": "plain-4711", "plain-4711": "as a key"},
]


@pytest.mark.parametrize("wire", WIRES, ids=repr)
def test_a_live_tool_has_the_digest_that_its_lock_would_have(wire: dict[str, Any]) -> None:
    locked = ToolContract("s", "a", wire_without(wire, SECRETS))
    others = [ToolContract("s", str(at), each) for at, each in enumerate(WIRES)]
    digests = LiveDigests(SECRETS)
    for _look in range(2):
        assert digests.of({"a": wire}, known_digests([locked, *others])) == {"a": locked.digest}
    assert digests.of({"a": wire}, {}) == {"a": locked.digest}


def test_key_order_shows_in_no_digest() -> None:
    one, other = {"name": "a", "title": "b"}, {"title": "b", "name": "a"}
    known = known_digests([ToolContract("s", "a", one)])
    assert LiveDigests(()).of({"a": other}, known) == {"a": digest_of(one)}


def test_only_the_last_look_is_remembered() -> None:
    digests = LiveDigests(())
    for number in range(5):
        digests.of({"a": {"name": "a", "description": str(number)}}, {})
    assert len(digests._last) == 1
