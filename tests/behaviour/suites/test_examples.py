"""Every example suite holds: replayed from its recordings, and, where it needs no key, run for real."""

import shutil
from pathlib import Path

import pytest

from tests.behaviour.command_line import toolbooth
from tests.documents import fenced, guide

EXAMPLES = Path(__file__).parents[3] / "examples"
SUITES = sorted(EXAMPLES.glob("*/*.toolbooth.yaml"))
NEED_KEYS = {"budget", "token-efficiency"}
GATES = {"equal_function_sets", "token_efficiency", "expect", "budget", "distractors", "no_calls"}


def test_there_is_an_example_for_every_gate() -> None:
    from toolbooth.suite.gates import GATES as KNOWN

    assert set(KNOWN) == GATES
    texts = [path.read_text(encoding="utf-8") for path in SUITES]
    assert all(any(f"\n    {gate}:" in text for text in texts) for gate in GATES)


def test_the_suite_of_the_guide_runs(tmp_path: Path) -> None:
    (suite,) = fenced("yaml", guide("suites"))
    (tmp_path / "agents.toolbooth.yaml").write_text(suite, encoding="utf-8")
    said = toolbooth("test", "--live", "--model", "lexical", "--json", home=tmp_path)
    assert said.code == 0, said.out
    assert [cell["runs"] for cell in said.json["cells"]] == [3, 3]


@pytest.mark.promise("suite:examples")
@pytest.mark.parametrize("suite", SUITES, ids=lambda path: path.parent.name)
def test_an_example_is_replayed_and_its_catalog_has_not_drifted(suite: Path, tmp_path: Path) -> None:
    said = toolbooth("test", suite.name, "--json", home=tmp_path, cwd=suite.parent)
    assert said.code == 0, said.out
    assert {cell["source"] for cell in said.json["cells"]} == {"replayed"}
    assert "warnings" not in said.json


@pytest.mark.promise("suite:examples")
@pytest.mark.parametrize(
    "suite", [path for path in SUITES if path.parent.name not in NEED_KEYS], ids=lambda path: path.parent.name
)
def test_an_example_that_needs_no_key_runs_for_real(suite: Path, tmp_path: Path) -> None:
    shutil.copytree(EXAMPLES / "servers", tmp_path / "servers")
    folder = tmp_path / suite.parent.name
    folder.mkdir()
    shutil.copy(suite, folder)
    said = toolbooth("test", suite.name, "--live", home=tmp_path, cwd=folder)
    assert said.code == 0, said.out
