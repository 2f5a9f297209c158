"""Files written by every earlier version are opened, and nothing in them is lost."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from tests.unit.gateway.ledger.rows import answered

from toolbooth.gateway.ledger import Ledger
from toolbooth.store import (
    LEDGER_FILE,
    RESULTS_FILE,
    FoundResult,
    ResultEntry,
    Row,
    RowFilter,
    open_results,
    open_state,
    read_ledger,
)
from toolbooth.store.sqlite.ledger_migrations import SCHEMA

OLD = Path(__file__).parents[2] / "data" / "stores"
LEDGERS = ["ledger-1.sqlite3", "ledger-2.sqlite3"]
AT = 2e9
TEXTS = {"short": "a short text", "long": "the same again " * 500, "odd": "half \ud800 a pair, NUL \0"}


def check_rows(rows: list[Row]) -> None:
    """The seven rows of the old files, the oldest first."""
    assert [(each.tool, each.kind, each.tokens_before, each.tokens_after) for each in rows] == [
        ("tools/list", "list", 0, 215),
        ("list_issues", "call", 9000, 300),
        ("list_issues", "code_call", 9000, 0),
        ("list_issues", "call", 8000, 8000),
        ("call_tool_chain", "code", 10, 10),
        ("get_issue", "call", 0, 20),
        ("search_tools", "discovery", 0, 75),
    ]
    assert {each.principal for each in rows} == {"local"}
    assert [each.at for each in rows] == [AT + number for number in range(7)]
    assert (rows[1].risk, rows[1].advisory, rows[1].steps) == ("critical", "overload", ("collapse",))
    assert (rows[3].estimated, rows[5].outcome, rows[5].ms) == (True, "timeout", 12.5)


def test_every_format_of_the_ledger_is_among_them() -> None:
    """A migration without a file of the format before it is not tested."""
    assert len(LEDGERS) == len(SCHEMA.migrations) - 1


@pytest.mark.promise("ledger:older")
@pytest.mark.parametrize("name", LEDGERS)
def test_a_ledger_is_migrated_by_the_gateway_that_writes_it(tmp_path: Path, name: str) -> None:
    shutil.copy(OLD / name, tmp_path / LEDGER_FILE)
    ledger = Ledger(tmp_path)
    ledger.record(answered("x", principal="key:1a"))
    ledger.close()
    assert not ledger.notes
    latest, *older = read_ledger(tmp_path).rows(RowFilter())
    check_rows(older[::-1])
    assert latest.principal == "key:1a"
    with closing(sqlite3.connect(tmp_path / LEDGER_FILE)) as connection:
        applied = [name for (name,) in connection.execute("SELECT name FROM migrations ORDER BY name")]
    assert applied == [each.name for each in SCHEMA.migrations]


@pytest.mark.promise("ledger:older")
@pytest.mark.parametrize("name", LEDGERS)
def test_reading_a_ledger_migrates_a_copy_and_leaves_the_file_as_it_is(tmp_path: Path, name: str) -> None:
    shutil.copy(OLD / name, tmp_path / LEDGER_FILE)
    check_rows(read_ledger(tmp_path).rows(RowFilter())[::-1])
    totals = read_ledger(tmp_path).statistics(RowFilter(principal="local")).totals
    assert (totals.rows, totals.calls, totals.code.tokens_read) == (7, 4, 9000)
    assert (tmp_path / LEDGER_FILE).read_bytes() == (OLD / name).read_bytes()


def test_kept_results_are_found_and_the_file_goes_on(tmp_path: Path) -> None:
    shutil.copy(OLD / "results-1.sqlite3", tmp_path / RESULTS_FILE)
    notes: list[str] = []
    with closing(open_results(tmp_path, notes.append)) as results:
        assert {ref: results.get(ref, "session") for ref in TEXTS} == {
            ref: FoundResult(text, AT) for ref, text in TEXTS.items()
        }
        assert results.get("short", "another session") is None
        results.put([ResultEntry("new", "session", "a new text", AT)], AT)
        assert results.get("long", "session") == FoundResult(TEXTS["long"], AT)
    assert not notes
    with closing(sqlite3.connect(tmp_path / RESULTS_FILE)) as connection:
        assert connection.execute("SELECT name FROM migrations").fetchall() == [("0001_results",)]


@pytest.mark.promise("usage:older")
def test_call_counts_go_on_from_those_of_the_old_file(tmp_path: Path) -> None:
    shutil.copy(OLD / "usage.json", tmp_path / "usage.json")
    with closing(open_state(tmp_path / "data", tmp_path)) as state:
        state.usage.add({"files.read_file": 1})
        assert state.usage.counts() == {"github.list_issues": 12, "files.read_file": 4}
    assert (tmp_path / "usage.json").read_bytes() == (OLD / "usage.json").read_bytes()
