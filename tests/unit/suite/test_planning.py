"""Which cells run: every test with every model on every surface, less what is filtered out."""

import re
from pathlib import Path

import pytest
from tests.unit.suite.suite_texts import WHOLE, loaded

from toolbooth.errors import NothingSelected, ToolboothError, UserMistake
from toolbooth.suite.planning import Cell, CellFilter, plan
from toolbooth.suite.spec.suite import Suite


@pytest.fixture
def suite(tmp_path: Path) -> Suite:
    return loaded(tmp_path, WHOLE)


def keys(cells: tuple[Cell, ...]) -> list[tuple[str, ...]]:
    return [tuple(cell.key) for cell in cells]


def test_every_test_runs_with_every_model_on_every_surface(suite: Suite) -> None:
    assert keys(plan([suite], CellFilter())) == [
        ("writes a note", "lexical", "direct"),
        ("writes a note", "lexical", "search"),
        ("writes a note", "openai:gpt-5-mini", "direct"),
        ("writes a note", "openai:gpt-5-mini", "search"),
        ("says hello", "scripted", "code"),
        ("stays idle", "lexical", "direct"),
        ("stays idle", "lexical", "search"),
        ("stays idle", "openai:gpt-5-mini", "direct"),
        ("stays idle", "openai:gpt-5-mini", "search"),
    ]


@pytest.mark.parametrize(
    ("choice", "left"),
    [
        (CellFilter(tests=("NOTE",)), 4),
        (CellFilter(tests=("says*",)), 1),
        (CellFilter(tests=("*o",)), 1),
        (CellFilter(tests=("hello", "idle")), 5),
        (CellFilter(models=("gpt",)), 4),
        (CellFilter(models=("openai:*",)), 4),
        (CellFilter(surfaces=("search", "code")), 5),
        (CellFilter(tests=("note",), models=("lexical",), surfaces=("direct",)), 1),
    ],
)
def test_filters_are_parts_or_patterns_and_all_must_fit(suite: Suite, choice: CellFilter, left: int) -> None:
    assert len(plan([suite], choice)) == left


def test_runs_are_those_of_the_test_unless_the_call_says_otherwise(suite: Suite) -> None:
    assert {cell.runs for cell in plan([suite], CellFilter(tests=("hello",)))} == {2}
    assert {cell.runs for cell in plan([suite], CellFilter(runs=5))} == {5}


def test_a_cell_knows_its_budget_and_whether_it_is_padded(suite: Suite) -> None:
    note, hello = plan([suite], CellFilter(surfaces=("direct", "code"), models=("lexical", "scripted")))[:2]
    assert note.distractors is not None
    assert (note.budget, note.distractors.count, note.variants) == (0.5, 20, ("", "padded"))
    assert (hello.budget, hello.distractors, hello.variants) == (None, None, ("",))


def test_shards_share_the_cells(suite: Suite) -> None:
    parts = [keys(plan([suite], CellFilter(shard=f"{number}/4"))) for number in range(1, 5)]
    assert sorted(key for part in parts for key in part) == sorted(keys(plan([suite], CellFilter())))
    assert [len(part) for part in parts] == [3, 2, 2, 2]


@pytest.mark.parametrize("shard", ["0/2", "3/2", "1/0", "1", "a/b", "1/2/3", "-1/2", "1 / 2", "٣/٤"])
def test_a_shard_that_cannot_be_is_a_mistake(suite: Suite, shard: str) -> None:
    with pytest.raises(UserMistake, match="write 1/4"):
        plan([suite], CellFilter(shard=shard))


@pytest.mark.parametrize(
    ("choice", "says"),
    [
        (
            CellFilter(tests=("nothing",)),
            "no test matches --filter 'nothing'; the tests are writes a note, says hello, s",
        ),
        (CellFilter(tests=("stays idel",)), "did you mean 'stays idle'?"),
        (
            CellFilter(models=("lexcial",)),
            "no model matches --model 'lexcial'; did you mean 'lexical'? the models are lex",
        ),
        (CellFilter(models=("claude-x",)), "to run with claude-x instead, use --with-model"),
        (CellFilter(surfaces=("seach",)), "no surface matches --surface 'seach'; did you mean 'search'?"),
        (CellFilter(models=("lexical", "gtp")), "no model matches --model 'gtp'"),
        (
            CellFilter(tests=("hello",), models=("lexical",)),
            "--filter matches no cell that the other filters select",
        ),
        (CellFilter(tests=("hello",), surfaces=("direct",)), "they select writes a note, stays idle"),
    ],
)
def test_where_nothing_fits_it_is_said_which_of_test_model_and_surface(
    suite: Suite, choice: CellFilter, says: str
) -> None:
    with pytest.raises(NothingSelected, match=re.escape(says)):
        plan([suite], choice)


def test_another_model_takes_the_place_of_those_that_the_suite_names(suite: Suite) -> None:
    cells = plan([suite], CellFilter(tests=("note", "idle"), with_models=("claude-x", "lexical")))
    assert keys(cells)[:4] == [
        ("writes a note", "claude-x", "direct"),
        ("writes a note", "lexical", "direct"),
        ("writes a note", "claude-x", "search"),
        ("writes a note", "lexical", "search"),
    ]
    assert len(cells) == 8
    assert all(cell.overridden for cell in cells)


def test_another_model_has_neither_the_price_nor_the_address_of_the_suites_own(tmp_path: Path) -> None:
    own = WHOLE.replace("lexical, ", "").replace(
        "defaults:\n", "defaults:\n  base_url: http://127.0.0.1:1/v1\n"
    )
    suite = loaded(tmp_path, own)
    test = next(cell.test for cell in plan([suite], CellFilter(tests=("note",))))
    assert (bool(test.agent.base_url), test.agent.price is None) == (True, False)
    for model, kept in (("claude-x", False), ("openai:gpt-6", True)):
        (cell, *_) = plan([suite], CellFilter(tests=("note",), with_models=(model,)))
        assert (bool(cell.test.agent.base_url), cell.test.agent.price) == (kept, None)


@pytest.mark.parametrize(
    ("model", "says"),
    [("replay", "name another model"), ("scripted", "has no `script:`"), ("gtp-5", "did you mean")],
)
def test_a_model_that_cannot_run_is_a_mistake(suite: Suite, model: str, says: str) -> None:
    with pytest.raises(ToolboothError, match=says):
        plan([suite], CellFilter(with_models=(model,)))


def test_a_shard_without_cells_says_so(suite: Suite) -> None:
    with pytest.raises(NothingSelected, match="this shard has no cells"):
        plan([suite], CellFilter(tests=("hello",), shard="2/2"))
