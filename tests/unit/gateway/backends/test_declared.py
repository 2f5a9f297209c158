"""Capabilities of any shape become objects."""

from typing import Any

import pytest

from toolbooth.catalog.connect import Era
from toolbooth.gateway.backends.declared import sound_era


@pytest.mark.parametrize(
    ("declared", "sound"),
    [
        ({"tools": {"listChanged": True}}, {"tools": {"listChanged": True}}),
        ({"tools": True, "prompts": "yes", "resources": [1]}, {"tools": {}, "prompts": {}, "resources": {}}),
        ({"tools": {}, "prompts": None, "logging": False}, {"tools": {}}),
    ],
)
def test_what_is_declared_is_offered_and_what_is_denied_is_not(declared: Any, sound: Any) -> None:
    era = sound_era(Era("2025-06-18", {"capabilities": declared, "instructions": "x"}))
    assert era.capabilities == sound
    assert era.hello["instructions"] == "x"


@pytest.mark.parametrize("hello", [{}, {"capabilities": [1]}])
def test_a_server_that_declares_nothing_readable_stays_so(hello: dict[str, Any]) -> None:
    assert sound_era(Era("2025-06-18", hello)).capabilities is None
