"""Digests of what servers list: the same as a lock's, whichever way they are had."""

from typing import Any

import pytest

from toolbooth.contracts import digest_of, wire_without
from toolbooth.gateway.live_digests import LiveDigests

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
    assert LiveDigests(SECRETS).of(wire) == digest_of(wire_without(wire, SECRETS))


def test_what_is_equal_to_python_alone_is_not_the_same() -> None:
    one, true, same = ({"name": "a", "default": value} for value in (1, True, 1.0))
    digests = LiveDigests(SECRETS)
    assert digests.of(one) == digests.of(same) != digests.of(true)
