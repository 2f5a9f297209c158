"""Tables of the ledger: whatever stands in it, and however narrow the terminal."""

from collections.abc import Iterator
from contextlib import closing
from decimal import Decimal
from typing import Any

import pytest
from tests.unit.gateway.ledger.rows import row

from toolbooth.cli.stats import tables
from toolbooth.cli.stats.tables import print_recent, print_stats, signed_dollars
from toolbooth.cli.terminal import PlainConsole
from toolbooth.store import RowFilter
from toolbooth.store.sqlite.ledger_file import LedgerFile
from toolbooth.store.sqlite.ledger_summary import summarize


@pytest.fixture
def file() -> Iterator[LedgerFile]:
    with closing(LedgerFile.in_memory()) as opened:
        yield opened


def printed(file: LedgerFile, capsys: pytest.CaptureFixture[str], *rows: Any, top: int = 15) -> str:
    file.insert(rows)
    print_stats(summarize(file, RowFilter()), top)
    return capsys.readouterr().out


def test_the_sums_stand_first(file: LedgerFile, capsys: pytest.CaptureFixture[str]) -> None:
    said = printed(
        file,
        capsys,
        row(tokens_before=90_000, tokens_after=3_000, risk="critical", steps=("collapse",)),
        row(outcome="timeout", risk=None, tokens_before=0, tokens_after=10, estimated=True),
        row(server="toolbooth", tool="search_tools", kind="discovery", tokens_before=0, tokens_after=250),
        row(server="toolbooth", tool="tools/list", kind="menu", tokens_before=6_000, tokens_after=180),
    )
    lines = said.splitlines()
    assert lines[0].startswith("2 calls on 1 server · 1 call of built-in tools · 1 session")
    words = " ".join(said.split())
    assert "answers 90,000 3,010 96.7% less" in words
    assert "menus 6,000 180 97% less; all servers' menus and the gateway's, once per session" in words
    assert "built-in tools 250 searches 250" in words
    assert "saved, net 92,560 answers and menus, less built-in tools: $0.19" in words
    assert "read by code" not in said
    assert "errors: timeout 1" in said
    assert "cut by: collapse 1" in said
    assert "sizes of 25% of the rows are estimates" in said
    assert "answers of 1 tool flood the context; see `toolbooth stats --risk`" in said


@pytest.mark.promise("stats:one-count")
def test_the_head_the_tables_and_the_error_lines_count_alike(
    file: LedgerFile, capsys: pytest.CaptureFixture[str]
) -> None:
    """A session of five calls: what is apart in the head is apart below, and no error is in one place alone."""
    chain = {"server": "toolbooth", "tool": "call_tool_chain", "kind": "code", "risk": None}
    said = printed(
        file,
        capsys,
        row(outcome="tool_error"),
        row(server="toolbooth", tool="call_tool", outcome="unknown_tool", risk=None),
        row(**chain, outcome="code_failed"),
        row(**chain, outcome="code_failed"),
        row(**chain, outcome="bad_arguments"),
    )
    assert said.startswith("1 call on 1 server · 2 code runs · 2 rejected · 1 session")
    counts = {words[0]: words[1:] for line in said.splitlines() if (words := line.split())}
    assert counts["toolbooth.call_tool_chain"][:3] == ["2", "2", "1"]
    assert counts["github.list_issues"][:2] == ["1", "1"]
    assert counts["toolbooth.call_tool"][:2] == ["0", "1"]
    assert counts["toolbooth"][:3] == ["2", "2", "2"]
    assert counts["github"][:2] == ["1", "1"]
    joined = " ".join(said.split())
    assert "errors: code_failed 2 · tool_error 1" in joined
    assert "rejected before they reached a server: unknown_tool 1 · bad_arguments 1" in joined
    reported = summarize(file, RowFilter()).as_json()
    totals = reported["totals"]
    assert (totals["calls"], totals["code_runs"], totals["builtin_calls"]) == (1, 2, 0)
    assert (totals["errors"], totals["rejected"]) == (3, 2)
    for key in ("errors", "rejected"):
        assert totals[key] == sum(each[key] for each in reported["tools"])
        assert totals[key] == sum(each[key] for each in reported["servers"])


@pytest.mark.promise("stats:code-apart")
def test_what_code_kept_out_has_its_own_line_and_is_not_in_the_net(
    file: LedgerFile, capsys: pytest.CaptureFixture[str]
) -> None:
    said = printed(
        file,
        capsys,
        row(kind="code_call", tokens_before=1_000, tokens_after=0, bytes_after=0),
        row(server="toolbooth", tool="call_tool_chain", kind="code", tokens_before=100, tokens_after=100),
        row(server="toolbooth", tool="search_tools", kind="discovery", tokens_before=0, tokens_after=50),
    )
    words = " ".join(said.split())
    assert "answers 100 100 unchanged built-in tools 50 searches 50 saved, net −50" in words
    assert "read by code 1,000 100 at most 900, not in the net" in words
    assert "100.0%" not in said


def test_what_grew_is_never_called_less(file: LedgerFile, capsys: pytest.CaptureFixture[str]) -> None:
    said = printed(file, capsys, row(tokens_before=100, tokens_after=103))
    assert "100    103  3% more" in said
    assert "less" not in said


def test_a_loss_is_said_as_one(file: LedgerFile, capsys: pytest.CaptureFixture[str]) -> None:
    said = printed(
        file, capsys, row(server="toolbooth", kind="discovery", tokens_before=0, tokens_after=5000)
    )
    assert "−5,000  answers; no menu is known, less built-in tools: −$0.01" in " ".join(said.split("\n"))
    assert said.startswith("0 calls on 0 servers")


def test_lighter_tools_are_counted(file: LedgerFile, capsys: pytest.CaptureFixture[str]) -> None:
    said = printed(file, capsys, *(row(tool=f"tool {number}") for number in range(9)), top=2)
    assert "… and 7 lighter ones" in said


def test_foreign_names_are_cleaned(file: LedgerFile, capsys: pytest.CaptureFixture[str]) -> None:
    evil = {
        "server": "\x1b[2Jbad",
        "tool": "[/bold]\u202ex",
        "outcome": "\x07bell",
        "steps": ("\x1b]0;t\x07",),
    }
    said = printed(file, capsys, row(**evil))
    print_recent([row(**evil)])
    said += capsys.readouterr().out
    assert not set(said) & set("\x1b\x07\u202e")
    assert "[/bold]" in said


@pytest.mark.parametrize("width", [30, 50, 80, 200])
def test_numbers_are_never_cut(
    file: LedgerFile, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, width: int
) -> None:
    monkeypatch.setattr(tables, "out", lambda: PlainConsole(width=width, markup=False, highlight=False))
    said = printed(file, capsys, *(row(tokens_before=1_234_567, tokens_after=1_234_567) for _ in range(3)))
    assert "3,703,701" in said
    assert all(len(line) <= width for line in said.splitlines())


def test_dollars_below_zero_have_a_minus_sign() -> None:
    assert (signed_dollars(Decimal("-1.5")), signed_dollars(Decimal("1.5"))) == ("−$1.50", "$1.50")


def test_principals_have_a_table_if_there_is_more_than_one(
    file: LedgerFile, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "principal" not in printed(file, capsys, row(), row())
    said = printed(file, capsys, row(principal="key:1a2b"), row(principal="key:\x1b[31m"))
    assert [line.split() for line in said.split("  principal")[1].splitlines()[:4]] == [
        ["calls", "before", "after", "saved,", "net"],
        ["local", "2", "200", "100", "100"],
        ["key:", "1", "100", "50", "50"],
        ["key:1a2b", "1", "100", "50", "50"],
    ]
