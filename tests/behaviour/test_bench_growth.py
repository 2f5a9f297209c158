"""The growth benchmark as a user runs it, on small sizes."""

import json
from pathlib import Path

import pytest

from tests.behaviour.command_line import toolbooth

VERB = ("bench", "growth")


@pytest.mark.promise("bench:growth")
def test_the_built_in_tools_are_the_beginning_of_any_size(tmp_path: Path) -> None:
    out = tmp_path / "out"
    done = toolbooth(*VERB, "--sizes", "20,80", "--rounds", "5", "--out", out, home=tmp_path)
    assert done.code == 0
    assert "80*" in done.out
    assert "* generated: 11 of 80 tools" in done.out
    report = json.loads((out / "report.json").read_text())
    small, large = report["growth"]["points"]
    assert (small["tools"], small["made_up"], large["tools"], large["made_up"]) == (20, 0, 80, 11)
    assert small["menu_tokens"] == large["menu_tokens"]
    assert (out / "report.html").exists()
    assert {path.name for path in tmp_path.iterdir()} == {"out"}


@pytest.mark.promise("bench:growth-bad-input")
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--sizes", "50,0"), "is not a whole number above zero"),
        (("--sizes", "many"), "is not a whole number"),
        (("--sizes", "1_000_000"), "1,000,000 tools are too many; the limit is 500,000"),
        (("--sizes", ",".join(map(str, range(1, 20)))), "19 sizes are too many; the limit is 12"),
        (("--sizes", "50", "--quick"), "choose one of --quick and --sizes"),
        (("--catalog", "nowhere.json"), "nowhere.json: there is no such file"),
    ],
)
def test_a_mistake_is_one_line_and_exit_2(tmp_path: Path, words: tuple[str, ...], said: str) -> None:
    done = toolbooth(*VERB, *words, home=tmp_path)
    assert done.code == 2
    assert said in done.err
    assert len(done.err.splitlines()) == 1
