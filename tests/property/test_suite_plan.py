"""Shards of any plan cover each of its cells once, and take much the same number."""

from pathlib import Path

from hypothesis import given, strategies as st

from toolbooth.errors import NothingSelected
from toolbooth.suite.gates.no_calls import NoCalls
from toolbooth.suite.planning import Cell, CellFilter, plan
from toolbooth.suite.report import CellKey
from toolbooth.suite.spec.suite import AgentSettings, Suite, TestCase

words = st.lists(st.text("abc*", min_size=1, max_size=3), max_size=2).map(tuple)
models = st.lists(st.sampled_from(["lexical", "gpt-5", "replay"]), min_size=1, unique=True).map(tuple)
surfaces = st.lists(st.sampled_from(["direct", "search", "code"]), min_size=1, unique=True).map(tuple)
tests = st.builds(
    TestCase,
    name=st.text("abc", min_size=1, max_size=4),
    prompt=st.just("p"),
    models=models,
    surfaces=surfaces,
    runs=st.integers(1, 3),
    agent=st.just(AgentSettings()),
    gates=st.just((NoCalls(),)),
)
suites = st.lists(tests, min_size=1, max_size=6, unique_by=lambda test: test.name).map(
    lambda made: Suite(Path("a.toolbooth.yaml"), "a", tuple(made))
)


def planned(suite: Suite, choice: CellFilter) -> tuple[Cell, ...]:
    try:
        return plan([suite], choice)
    except NothingSelected:
        return ()


def keys(cells: tuple[Cell, ...]) -> list[CellKey]:
    return [cell.key for cell in cells]


@given(suites, words, st.integers(1, 12))
def test_shards_cover_every_cell_once(suite: Suite, wanted: tuple[str, ...], parts: int) -> None:
    whole = planned(suite, CellFilter(tests=wanted))
    shards = [
        planned(suite, CellFilter(tests=wanted, shard=f"{number}/{parts}")) for number in range(1, parts + 1)
    ]
    assert sorted(key for shard in shards for key in keys(shard)) == sorted(keys(whole))
    assert len(set(keys(whole))) == len(whole)
    assert max(map(len, shards)) - min(map(len, shards)) <= 1


@given(suites, words)
def test_a_filter_only_takes_away_and_keeps_the_order(suite: Suite, wanted: tuple[str, ...]) -> None:
    every, some = keys(planned(suite, CellFilter())), keys(planned(suite, CellFilter(tests=wanted)))
    assert [key for key in every if key in set(some)] == some
