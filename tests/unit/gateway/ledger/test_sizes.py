"""How large the answers of a tool were, as the ledger knows it."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from tests.unit.gateway.ledger.rows import row

from toolbooth.gateway.ledger.chosen import Chosen
from toolbooth.gateway.ledger.file import NAME, LedgerFile
from toolbooth.gateway.ledger.reader import LedgerReader
from toolbooth.gateway.ledger.sizes import tool_answers

EVER = Chosen.of(None, None)


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
    found = tool_answers(file.connection, EVER)["github.list_issues"]
    assert sorted(found.pairs) == [(10, 2), (900, 1)]
    assert (found.worst_after, found.exact) == (50, True)


def test_errors_our_own_tools_and_calls_without_an_answer_are_not_among_them(file: LedgerFile) -> None:
    file.insert([row(outcome="tool_error"), row(kind="discovery", server="toolbooth"), row(risk=None)])
    assert tool_answers(file.connection, EVER) == {}


def test_one_estimated_size_makes_all_of_them_inexact(file: LedgerFile) -> None:
    file.insert([row(), row(estimated=True)])
    assert not tool_answers(file.connection, EVER)["github.list_issues"].exact


def test_a_reader_looks_only_at_the_time_that_is_asked_for(tmp_path: Path) -> None:
    assert LedgerReader(tmp_path).answers() == {}
    with closing(LedgerFile.open(tmp_path / NAME)) as kept:
        kept.insert([row(at=1000.0), row(at=2000.0, tokens_before=7)])
    assert LedgerReader(tmp_path).answers(1500.0)["github.list_issues"].pairs == [(7, 1)]
