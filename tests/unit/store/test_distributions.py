"""How large the answers of a tool were, as the ledger knows it."""

import random
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from tests.unit.gateway.ledger.rows import row

from toolbooth.store.distributions import percentiles
from toolbooth.store.rows import RowFilter
from toolbooth.store.sqlite.ledger import LedgerReader
from toolbooth.store.sqlite.ledger_answers import tool_answers
from toolbooth.store.sqlite.ledger_file import NAME, LedgerFile, quantised

EVER = RowFilter()


@pytest.fixture
def file() -> Iterator[LedgerFile]:
    with closing(LedgerFile.in_memory()) as opened:
        yield opened


def test_each_size_is_counted_and_the_worst_that_a_client_got_is_kept(file: LedgerFile) -> None:
    small, large = (
        row(tokens_before=10, tokens_after=10),
        row(tokens_before=900, tokens_after=50, risk="medium"),
    )
    file.insert([small, small, large])
    found = tool_answers(file, EVER)["github.list_issues"]
    assert sorted(found.pairs) == [(10, 2), (900, 1)]
    assert (found.worst_after, found.exact) == (50, True)


def test_errors_built_in_tools_and_calls_without_an_answer_are_not_among_them(file: LedgerFile) -> None:
    file.insert([row(outcome="tool_error"), row(kind="discovery", server="toolbooth"), row(risk=None)])
    assert tool_answers(file, EVER) == {}


def test_one_estimated_size_makes_all_of_them_inexact(file: LedgerFile) -> None:
    file.insert([row(), row(estimated=True)])
    assert not tool_answers(file, EVER)["github.list_issues"].exact


def test_a_reader_looks_only_at_the_time_that_is_asked_for(tmp_path: Path) -> None:
    assert LedgerReader(tmp_path).answers(EVER) == {}
    with closing(LedgerFile.open(tmp_path / NAME)) as kept:
        kept.insert([row(at=1000.0), row(at=2000.0, tokens_before=7)])
    assert LedgerReader(tmp_path).answers(RowFilter(1500.0))["github.list_issues"].pairs == [(7, 1)]


def test_percentiles_are_those_of_the_sorted_times() -> None:
    rng = random.Random(3)
    times = [rng.lognormvariate(9, 1.5) for _ in range(5000)]
    found = percentiles((round(each), 1) for each in times)
    ordered = sorted(times)
    for percent, value in zip((50, 95, 99, 100), found, strict=True):
        true = ordered[min(len(ordered) - 1, int(len(ordered) * percent / 100))] / 1000
        assert value == pytest.approx(true, rel=0.01)


def test_counts_stand_for_as_many_times() -> None:
    found = percentiles([(1000, 98), (50_000, 1), (90_000, 1)])
    assert tuple(found) == pytest.approx((1.0, 1.0, 50.0, 90.0), rel=0.001)


@pytest.mark.parametrize("us", [0, 1, 10**15])
def test_no_time_is_too_short_or_too_long(us: int) -> None:
    assert percentiles([(us, 1)]).max == us / 1000


@pytest.mark.parametrize(
    ("ms", "us"), [(0, 0), (-3, 0), (0.0123, 12), (12.345, 12_300), (999.9, 1_000_000), (86_450, 86_500_000)]
)
def test_times_are_kept_with_three_digits(ms: float, us: int) -> None:
    assert quantised(ms) == us
