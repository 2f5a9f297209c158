"""A server that ends in the middle of a run is a fault of that run; the servers beside it work on."""

from pathlib import Path
from typing import Any

import pytest

from tests.unit.suite.agents.servers import ENVIRON, demo, hostile, none_alive
from toolbooth.errors import BackendCrashed
from toolbooth.suite.agents.toolbox import open_toolbox

pytestmark = pytest.mark.anyio
Wrapped = tuple[str, dict[str, Any]]
CALLS: dict[str, list[Wrapped]] = {
    "direct": [("crash", {}), ("half_a_line", {})],
    "search": [("call_tool", {"name": "h.crash"}), ("call_tool", {"name": "h.repeat_crash"})],
    "code": [("call_tool_chain", {"code": "await h.crash()"}), ("call_tool_chain", {"code": "1\nawait h.crash()"})],
}  # fmt: skip
WELL: dict[str, Wrapped] = {
    "direct": ("list_notes", {}),
    "search": ("call_tool", {"name": "notes.list_notes"}),
    "code": ("call_tool_chain", {"code": "await notes.list_notes()"}),
}


@pytest.mark.parametrize("which", [0, 1])
@pytest.mark.parametrize("surface", sorted(CALLS))
async def test_a_server_that_dies_in_mid_call_is_named_and_its_neighbour_works(
    tmp_path: Path, surface: str, which: int
) -> None:
    spec = hostile(tmp_path, CANARY="canary-1618")
    async with open_toolbox([spec, demo("notes")], surface, ENVIRON, tmp_path) as box:
        with pytest.raises(BackendCrashed) as caught:
            await box.call(*CALLS[surface][which])
        assert caught.value.server == "h"
        assert "canary-1618" not in str(caught.value)
        assert not (await box.call(*WELL[surface])).is_error
    assert none_alive(tmp_path)


@pytest.mark.parametrize("surface", sorted(CALLS))
async def test_the_fault_leaves_the_toolbox_alone(tmp_path: Path, surface: str) -> None:
    with pytest.raises(BackendCrashed):
        async with open_toolbox([hostile(tmp_path), demo("notes")], surface, ENVIRON, tmp_path) as box:
            await box.call(*CALLS[surface][0])
    assert none_alive(tmp_path)
