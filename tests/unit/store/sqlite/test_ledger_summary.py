"""What rows add up to."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from tests.unit.gateway.ledger.rows import row

from toolbooth.errors import NothingToWeigh
from toolbooth.store import Row, RowFilter, Stats
from toolbooth.store.sqlite.ledger import LedgerReader
from toolbooth.store.sqlite.ledger_file import NAME, LedgerFile
from toolbooth.store.sqlite.ledger_summary import summarize


@pytest.fixture
def file() -> Iterator[LedgerFile]:
    with closing(LedgerFile.in_memory()) as opened:
        yield opened


def of(file: LedgerFile, *rows: Row) -> Stats:
    file.insert(rows)
    return summarize(file, RowFilter(), medians=True)


OURS = {"server": "toolbooth", "kind": "discovery", "tool": "search_tools"}


@pytest.mark.promise("stats:truthful")
def test_what_built_in_tools_cost_is_taken_off_what_was_saved(file: LedgerFile) -> None:
    totals = of(
        file,
        row(tokens_before=1000, tokens_after=300),
        row(tokens_before=200, tokens_after=200),
        row(**OURS, tokens_before=150, tokens_after=150),
        row(server="toolbooth", tool="read_result", kind="read", tokens_before=90, tokens_after=90),
    ).totals
    assert (totals.calls, totals.rows) == (2, 4)
    assert (totals.sizes.tokens_before, totals.sizes.tokens_after) == (1200, 500)
    assert totals.sizes.percent == pytest.approx(58.3)
    assert totals.discovery == {"discovery": 150, "read": 90}
    assert totals.net_saved_tokens == 700 - 240


@pytest.mark.promise("stats:both-menus")
def test_a_menu_counts_beside_the_menus_that_it_replaces_and_once_a_session(file: LedgerFile) -> None:
    listing = {"server": "toolbooth", "tool": "tools/list"}
    stats = of(
        file,
        row(**listing, kind="menu", tokens_before=6000, tokens_after=200),
        row(**listing, kind="list", tokens_before=0, tokens_after=200),
    )
    assert stats.totals.menus.saved_tokens == stats.totals.net_saved_tokens == 5800
    assert stats.totals.discovery_tokens == 0
    (session,) = stats.sessions
    assert session.net_saved_tokens == 5800
    reported = stats.totals.as_json()
    assert reported["menus"] == {"tokens_replaced": 6000, "tokens_sent": 200, "saved_tokens": 5800}
    assert "Both menus are counted, each once per session" in reported["counted"]


@pytest.mark.promise("stats:code-apart")
def test_what_code_read_is_not_saved_and_what_it_returned_was_sent(file: LedgerFile) -> None:
    stats = of(
        file,
        row(kind="code_call", tokens_before=9000, tokens_after=0, bytes_after=0, risk="critical"),
        row(kind="code_call", tokens_before=1000, tokens_after=0, bytes_after=0),
        row(tokens_before=50, tokens_after=50),
        row(server="toolbooth", tool="call_tool_chain", kind="code", tokens_before=400, tokens_after=100),
    )
    totals = stats.totals
    assert (totals.calls, totals.sizes.tokens_before, totals.sizes.tokens_after) == (3, 450, 150)
    assert totals.net_saved_tokens == 300
    assert totals.code.as_json() == {
        "calls": 2,
        "tokens_read": 10_000,
        "tokens_returned": 400,  # what was cut of it is saved already
        "kept_out_tokens_at_most": 9_600,
    }
    tool = next(each for each in stats.tools if each.id == "github.list_issues")
    assert (tool.calls, tool.sizes.tokens_before, tool.code.calls, tool.code.tokens_read) == (
        3,
        50,
        2,
        10_000,
    )
    assert (tool.floods, tool.worst) == (0, 9000)  # what only code read floods no context


@pytest.mark.promise("stats:truthful")
def test_a_gateway_that_costs_more_than_it_saves_says_so(file: LedgerFile) -> None:
    stats = of(file, row(tokens_before=10, tokens_after=10), row(**OURS, tokens_after=5000))
    assert stats.totals.net_saved_tokens == -5000
    assert stats.price is not None
    assert stats.price.dollars_saved == -5000 * stats.price.dollars_per_million / 1_000_000


def test_outcomes_and_steps_are_counted(file: LedgerFile) -> None:
    totals = of(
        file,
        row(outcome="timeout"),
        row(steps=("collapse", "truncate")),
        row(steps=("truncate",), estimated=True),
        row(**OURS, outcome="bad_arguments"),
    ).totals
    assert totals.errors == 1
    assert totals.outcomes == {"ok": 2, "timeout": 1}
    assert totals.rejected == {"bad_arguments": 1}
    assert totals.steps == {"truncate": 2, "collapse": 1}
    assert totals.estimated_share == 0.25


def test_each_tool_has_its_statistics(file: LedgerFile) -> None:
    stats = of(
        file,
        row(tokens_before=9000, tokens_after=500, risk="critical", advisory="overload", at=5.0),
        row(tokens_before=5000, tokens_after=400, risk="high", advisory="density", at=9.0),
        row(tokens_before=100, tokens_after=100, at=7.0),
        row(tokens_before=0, tokens_after=20, risk=None, outcome="timeout", at=8.0),
        row(tool="get_issue"),
    )
    flooding, harmless = stats.tools
    assert (flooding.id, flooding.calls, flooding.errors, flooding.floods) == ("github.list_issues", 4, 1, 2)
    assert (flooding.worst, flooding.worst_after, flooding.median) == (9000, 500, 5000)
    assert flooding.risks == {"low": 1, "high": 1, "critical": 1}
    assert (flooding.advisory, flooding.last_used) == ("overload", 9.0)
    assert (harmless.id, harmless.median, harmless.advisory) == ("github.get_issue", None, None)


def test_a_servers_times_are_of_calls_that_reached_it(file: LedgerFile) -> None:
    (server,) = of(
        file,
        *(row(ms=10.0) for _ in range(98)),
        row(ms=500.0, outcome="tool_error"),
        row(ms=2000.0, outcome="timeout"),
        row(ms=0.1, outcome="bad_arguments"),
        row(ms=0.1, outcome="unknown_tool"),
    ).servers
    assert (server.server, server.calls, server.errors, server.rejected) == ("github", 100, 2, 2)
    times = (server.p50, server.p95, server.p99, server.max)
    assert times == pytest.approx((10.0, 10.0, 500.0, 2000.0), rel=0.01)


def test_each_session_has_its_statistics_the_latest_first(file: LedgerFile) -> None:
    stats = of(
        file,
        row(session="0" * 12, at=1.0),
        row(session="0" * 12, at=2.0, **OURS, tokens_after=7),
        row(session="f" * 12, at=3.0),
    )
    assert stats.session_count == 2
    late, early = stats.sessions
    assert (late.session, late.calls, late.discovery_tokens) == ("f" * 12, 1, 0)
    assert (early.session, early.calls, early.first, early.last) == ("0" * 12, 1, 1.0, 2.0)
    assert early.net_saved_tokens == 50 - 7


def test_a_model_without_a_price_is_said(file: LedgerFile) -> None:
    stats = summarize(file, RowFilter(), "no-such-model-at-all")
    assert stats.price is None
    assert "no price is known" in str(stats.price_note)


def test_a_reader_reports_what_it_cannot_read(tmp_path: Path) -> None:
    reader = LedgerReader(tmp_path)
    assert reader.statistics(RowFilter()) == Stats()
    assert reader.rows(RowFilter(limit=5)) == []
    (tmp_path / NAME).write_text("no ledger, but long enough to be taken for a database " * 20)
    with pytest.raises(NothingToWeigh, match="is damaged"):
        reader.statistics(RowFilter())
    (tmp_path / NAME).unlink()
    with closing(LedgerFile.open(tmp_path / NAME)) as file:
        file.connection.execute("PRAGMA user_version = 99")
    with pytest.raises(NothingToWeigh, match="update Toolbooth"):
        reader.statistics(RowFilter())


@pytest.mark.parametrize("kind", ["question", "measured"])
def test_questions_on_the_way_and_calls_that_only_measure_are_in_no_sum(file: LedgerFile, kind: str) -> None:
    stats = of(file, row(), row(kind=kind))
    assert (stats.totals.calls, stats.totals.errors, len(stats.tools)) == (1, 0, 1)
    assert [server.calls for server in stats.servers] == [1]


def test_a_file_in_the_folders_place_is_said(tmp_path: Path) -> None:
    (tmp_path / "data").touch()
    with pytest.raises(NothingToWeigh, match="is not a folder"):
        LedgerReader(tmp_path / "data").statistics(RowFilter())
