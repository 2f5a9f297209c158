"""Look-alikes as a real server: it lists them all, and nothing comes of calling one."""

from pathlib import Path

import pytest
from tests.unit.suite.agents.servers import ENVIRON, demo

from toolbooth.catalog import Catalog, ServerTools, Tool
from toolbooth.suite.agents.direct_toolbox import direct_toolbox
from toolbooth.suite.distractor_server import distractor_spec
from toolbooth.suite.distractors import look_alikes
from toolbooth.suite.trace import MadeCall


@pytest.mark.anyio
async def test_a_toolbox_is_padded_with_tools_that_do_nothing(tmp_path: Path) -> None:
    made = look_alikes(Catalog((ServerTools("notes", (Tool("notes", "get_note"),)),)), 1200, 1)
    (tmp_path / "mcp").mkdir()  # a folder of the user's must not stand for a package of ours
    spec = distractor_spec(made, tmp_path)
    async with direct_toolbox([demo("notes"), spec], ENVIRON) as box:
        assert box.catalog.servers[1].tools == made.tools
        name = made.tools[0].name
        called = await box.call(name, {})
        assert "not the tool for this task" in called.text
        assert not called.is_error
        assert called.made == (MadeCall(name, "workspace"),)


def test_the_file_is_the_same_for_the_same_tools(tmp_path: Path) -> None:
    made = look_alikes(Catalog(), 5, 1)
    specs = [distractor_spec(made, tmp_path), distractor_spec(made, tmp_path)]
    assert specs[0] == specs[1]
    assert len(list(tmp_path.iterdir())) == 1
