"""Shards of one run as one report."""

from dataclasses import replace

import pytest
from tests.unit.suite.reports import all_passed, sample

from toolbooth.errors import UserMistake
from toolbooth.suite.compare import with_baseline
from toolbooth.suite.report import SuiteReport, join_reports


def shards() -> list[SuiteReport]:
    whole = sample()
    return [
        replace(whole, cells=whole.cells[::2], shard="1/2"),
        replace(whole, cells=whole.cells[1::2], shard="2/2", partial=True),
    ]


def test_one_report_is_left_as_it_is() -> None:
    assert join_reports([sample()]) == sample()


def test_all_shards_make_a_whole() -> None:
    joined = join_reports(shards())
    assert joined.cells == sample().cells
    assert (joined.shard, joined.partial, joined.suites) == ("", True, sample().suites)
    assert joined.warnings == sample().warnings
    assert joined.exit_code == sample().exit_code


def test_some_shards_say_which_they_are() -> None:
    first = replace(shards()[0], shard="1/3")
    assert join_reports([first, replace(shards()[1], shard="3/3")]).shard == "1/3, 3/3"


def test_a_cell_in_two_files_is_refused() -> None:
    with pytest.raises(UserMistake, match="is in two of these runs"):
        join_reports([sample(), sample()])


def test_comparisons_are_joined_and_what_another_shard_has_is_not_gone() -> None:
    parts = [with_baseline(shard, all_passed(), "main.json") for shard in shards()]
    joined, whole = (
        join_reports(parts).comparison,
        with_baseline(sample(), all_passed(), "main.json").comparison,
    )
    assert joined is not None
    assert whole is not None
    assert set(joined.moved) == set(whole.moved)
    assert (joined.gone, joined.same) == (whole.gone, whole.same)
