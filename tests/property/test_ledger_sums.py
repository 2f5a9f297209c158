"""Random rows: the summary of any choice of them is the sum over the rows themselves."""

from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import closing

import pytest
from hypothesis import given, settings, strategies as st

from toolbooth.store import Row, RowFilter, Stats
from toolbooth.store.rows import REJECTED
from toolbooth.store.sqlite.ledger_file import LedgerFile, quantised
from toolbooth.store.sqlite.ledger_summary import NOT_ASKED, summarize

SIZES = st.integers(0, 2**40)
ROWS = st.lists(
    st.builds(
        Row,
        at=st.floats(0, 100, allow_nan=False).map(lambda at: round(at, 3)),
        server=st.sampled_from(["github", "files", "toolbooth"]),
        tool=st.sampled_from(["read", "list"]),
        session=st.sampled_from(["0" * 12, "f" * 12, "0123456789ab"]),
        kind=st.sampled_from(["call", "code_call", "code", "discovery", "read", "menu", "list", "servers"]),
        ms=st.floats(0, 1e7, allow_nan=False),
        outcome=st.sampled_from(["ok", "timeout", "bad_arguments", "tool_error"]),
        bytes_before=SIZES,
        bytes_after=SIZES,
        tokens_before=SIZES,
        tokens_after=SIZES,
        estimated=st.booleans(),
        risk=st.sampled_from([None, "low", "medium", "high", "critical"]),
        advisory=st.sampled_from([None, "overload", "density", "overhead"]),
        principal=st.sampled_from(["local", "key:a", "key:b"]),
        steps=st.lists(st.sampled_from(["collapse", "chunk", "truncate"]), unique=True).map(tuple),
    ),
    max_size=40,
)
SINCE = st.none() | st.floats(0, 100, allow_nan=False)
SESSION = st.none() | st.sampled_from(["0" * 12, "0123456789ab", "9" * 12])
PRINCIPAL = st.none() | st.sampled_from(["local", "key:a", "key:c"])


def total(rows: Sequence[Row], size: Callable[[Row], int]) -> int:
    return sum(map(size, rows))


def check_totals(stats: Stats, rows: Sequence[Row]) -> None:
    totals, calls = stats.totals, [row for row in rows if on_server(row)]
    assert (totals.rows, totals.calls) == (len(rows), len(calls))
    made, rejected = counted(rows)
    assert totals.code_runs == sum(row.kind == "code" for row in made)
    assert totals.calls + totals.code_runs + totals.builtin_calls == len(made)
    assert totals.errors == sum(row.outcome != "ok" for row in made)
    assert totals.outcomes == Counter(row.outcome for row in made)
    assert totals.rejected == Counter(row.outcome for row in rejected)
    assert totals.steps == Counter(step for row in rows for step in row.steps)
    assert totals.estimated_rows == sum(row.estimated for row in rows)
    answers = [row for row in rows if row.kind in ("call", "code")]
    menus = [row for row in rows if row.kind == "menu"]
    for name in ("bytes_before", "bytes_after", "tokens_before", "tokens_after"):
        assert getattr(totals.sizes, name) == sum(getattr(row, name) for row in answers)
        assert getattr(totals.menus, name) == sum(getattr(row, name) for row in menus)
    ours = total(
        [row for row in rows if row.kind in ("discovery", "read", "servers")], lambda row: row.tokens_after
    )
    assert totals.discovery_tokens == ours
    assert totals.net_saved_tokens == total([*answers, *menus], saved) - ours
    in_code = [row for row in rows if row.kind == "code_call"]
    assert (totals.code.calls, totals.code.tokens_read) == (
        sum(map(on_server, in_code)),
        total(in_code, lambda row: row.tokens_before),
    )


def counted(rows: Sequence[Row]) -> tuple[list[Row], list[Row]]:
    """Calls that were made, and calls that we ended before any server or code saw them."""
    calls = [row for row in rows if row.kind not in ("menu", "list", "question")]
    made = [row for row in calls if row.outcome not in REJECTED]
    return made, [row for row in calls if row.outcome in REJECTED]


def on_server(row: Row) -> bool:
    is_call = row.kind in ("call", "code_call") and row.server != "toolbooth"
    return is_call and row.outcome not in REJECTED


def saved(row: Row) -> int:
    return row.tokens_before - row.tokens_after


def check_tools(stats: Stats, rows: Sequence[Row]) -> None:
    assert sum(tool.calls + tool.rejected for tool in stats.tools) == len(rows)
    for tool in stats.tools:
        own = [
            row for row in rows if (row.server, row.tool, kind_of(row)) == (tool.server, tool.tool, tool.kind)
        ]
        read = [row for row in own if row.kind != "code_call"]
        kept = [row for row in own if row.outcome not in REJECTED]
        assert (tool.calls, tool.errors) == (len(kept), sum(row.outcome != "ok" for row in kept))
        assert tool.sizes.saved_tokens == total(read, saved)
        assert tool.worst == max(row.tokens_before for row in own)
        assert tool.worst_after == max(row.tokens_after for row in own)
        assert tool.risks == Counter(row.risk for row in read if row.risk)
        assert tool.last_used == max(row.at for row in own)
        if tool.median is not None:
            answers = sorted(row.tokens_before for row in own if row.risk)
            assert tool.median == answers[(len(answers) - 1) // 2]
        assert (tool.median is not None) == (tool.floods > 0)


def kind_of(row: Row) -> str:
    return "call" if row.kind == "code_call" else row.kind


def check_servers(stats: Stats, rows: Sequence[Row]) -> None:
    asked = [row for row in rows if row.outcome not in NOT_ASKED and row.kind not in ("menu", "list")]
    made, rejected = counted(rows)
    assert Counter({each.server: each.calls for each in stats.servers}) == Counter(row.server for row in made)
    assert Counter({each.server: each.rejected for each in stats.servers}) == Counter(
        row.server for row in rejected
    )
    assert sum(each.errors for each in stats.servers) == stats.totals.errors
    for server in stats.servers:
        if not server.calls:
            assert server.p50 is None
            continue
        times = sorted(quantised(row.ms) / 1000 for row in asked if row.server == server.server)
        assert server.max == times[-1]
        assert server.p50 is not None
        assert server.p95 is not None
        assert server.p99 is not None
        assert server.p50 <= server.p95 <= server.p99 <= server.max


def check_sessions(stats: Stats, rows: Sequence[Row]) -> None:
    assert {each.session for each in stats.sessions} == {row.session for row in rows}
    assert sum(each.calls for each in stats.sessions) == stats.totals.calls
    assert sum(each.net_saved_tokens for each in stats.sessions) == stats.totals.net_saved_tokens
    assert stats.session_count == len(stats.sessions)


def check_principals(stats: Stats, rows: Sequence[Row]) -> None:
    assert {each.principal for each in stats.principals} == {row.principal for row in rows}
    assert sum(each.calls for each in stats.principals) == stats.totals.calls
    assert sum(each.net_saved_tokens for each in stats.principals) == stats.totals.net_saved_tokens


@pytest.mark.promise("stats:sums")
@given(ROWS, SINCE, SESSION, PRINCIPAL)
@settings(max_examples=150, deadline=None)
def test_a_summary_is_the_sum_of_its_rows(
    rows: list[Row], since: float | None, session: str | None, principal: str | None
) -> None:
    with closing(LedgerFile.in_memory()) as file:
        file.insert(rows)
        row_filter = RowFilter(since, session=session, principal=principal)
        stats = summarize(file, row_filter, medians=True)
        kept = [row._replace(ms=quantised(row.ms) / 1000) for row in rows]
        assert file.all_rows() == kept
        chosen = [
            row
            for row in kept
            if (since is None or row.at >= since)
            and session in (None, row.session)
            and principal in (None, row.principal)
        ]
        assert file.rows(row_filter) == chosen[::-1]
    check_totals(stats, chosen)
    check_tools(stats, chosen)
    check_servers(stats, chosen)
    check_sessions(stats, chosen)
    check_principals(stats, chosen)
    assert stats.as_json()["totals"]["calls"] == stats.totals.calls
