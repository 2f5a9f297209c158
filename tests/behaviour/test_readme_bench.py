"""The README's figures are those that its command prints."""

import re
from pathlib import Path

import pytest

from tests.behaviour.command_line import toolbooth

README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")


@pytest.mark.promise("bench:readme")
def test_the_table_of_the_readme_is_what_its_command_prints(tmp_path: Path) -> None:
    shown = re.search(r"<!-- bench -->\n(.*?)<!-- /bench -->", README, re.DOTALL)
    assert shown is not None
    said = toolbooth("bench", "--only", "tokens,retrieval", "--markdown", home=tmp_path)
    assert (said.code, said.out) == (0, shown[1])
