"""The greeting of a client."""

from collections.abc import Mapping
from typing import Any

import pytest
from tests.unit.gateway.builtin_resources.idle_gateway import open_idle_gateway

from toolbooth.catalog import ServerTools
from toolbooth.gateway.handlers.session import capabilities
from toolbooth.gateway.ledger import Ledger

pytestmark = pytest.mark.anyio
EVERYTHING = {"resources": {"subscribe": True, "listChanged": True}, "prompts": {"listChanged": True}}


@pytest.mark.promise("builtin:listed")
@pytest.mark.parametrize(
    ("declared", "expected"),
    [
        ({"tools": {}}, {"resources": {}, "prompts": {}, "completions": {}}),
        (
            {"resources": {"subscribe": True}},
            {"resources": {"subscribe": True}, "prompts": {}, "completions": {}},
        ),
        ({"logging": {}}, {"resources": {}, "prompts": {}, "completions": {}, "logging": {}}),
        (None, {**EVERYTHING, "completions": {}, "logging": {}}),
    ],
)
async def test_ours_are_always_declared_with_what_servers_add(
    tmp_path: Any, declared: Mapping[str, Any] | None, expected: dict[str, Any]
) -> None:
    async with open_idle_gateway(tmp_path, Ledger(None), [ServerTools("a", ())]) as idle_gateway:
        idle_gateway.view.gateway.capabilities["a"] = declared
        assert capabilities(idle_gateway.view) == {"tools": {}, **expected}


async def test_without_any_server_ours_are_there(tmp_path: Any) -> None:
    async with open_idle_gateway(tmp_path, Ledger(None), []) as idle_gateway:
        assert capabilities(idle_gateway.view) == {
            "tools": {},
            "resources": {},
            "prompts": {},
            "completions": {},
        }
