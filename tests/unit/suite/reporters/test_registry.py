"""What holds for every reporter."""

from dataclasses import replace
from pathlib import Path

import pytest
from tests.unit.suite.reports import all_passed, compared, hostile, sample

from toolbooth.errors import UserMistake
from toolbooth.suite.report import SuiteReport
from toolbooth.suite.reporters import REPORTERS, render
from toolbooth.suite.run_json import read_run, run_bytes

REPORTS = {
    "sample": sample(),
    "all passed": all_passed(),
    "compared": compared(),
    "hostile": hostile(),
    "empty": SuiteReport(()),
    "partial": replace(sample(), partial=True, shard="1/3"),
}
NAMES = ("agent", "github", "html", "json", "junit", "markdown", "tap", "terminal")


def test_these_reporters_are_there_and_say_what_they_are_for() -> None:
    assert tuple(sorted(REPORTERS)) == NAMES
    assert all(entry.says and entry.name == name for name, entry in REPORTERS.items())


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("which", REPORTS)
def test_a_report_gives_the_same_text_twice_and_after_it_was_stored(
    name: str, which: str, tmp_path: Path
) -> None:
    path = tmp_path / "run.json"
    path.write_bytes(run_bytes(REPORTS[which]))
    text = render(REPORTS[which], name)
    assert text == render(REPORTS[which], name) == render(read_run(path), name)
    assert text.endswith("\n")
    assert not text.endswith("\n\n")


@pytest.mark.parametrize("name", NAMES)
def test_nothing_of_a_hostile_report_acts_on_a_terminal(name: str) -> None:
    text = render(hostile(), name)
    assert not [character for character in text if character < " " and character != "\n"]
    assert "\u202e" not in text


@pytest.mark.parametrize("name", sorted(set(NAMES) - {"json"}))
def test_what_failed_is_named_in_every_format_for_people(name: str) -> None:
    text = render(sample(), name).replace("\\", "")
    for words in ("find the latest invoice mail", "files.search", "wanted", "the budget of"):
        assert words in text.replace("&gt;", ">")


def test_an_unknown_name_is_a_mistake_that_lists_the_known_ones() -> None:
    with pytest.raises(UserMistake, match=r"unknown reporter 'xml'; choose one of agent, github"):
        render(sample(), "xml")
