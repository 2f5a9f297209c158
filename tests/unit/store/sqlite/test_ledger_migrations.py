"""Ledgers of other versions: an earlier one is migrated, a later one is used or left alone, and no row is lost."""

import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from tests.unit.gateway.ledger.rows import answered, row

from toolbooth.errors import NothingToWeigh
from toolbooth.gateway.ledger import Ledger
from toolbooth.store import RowFilter
from toolbooth.store.sqlite.ledger import LedgerReader
from toolbooth.store.sqlite.ledger_file import NAME, LedgerFile
from toolbooth.store.sqlite.ledger_migrations import SCHEMA
from toolbooth.store.sqlite.migrations import NewerFormat

# The schema of 0.1, as it was written there, and rows of each kind that it had.
OF_0_1 = """
CREATE TABLE sorts (
    id INTEGER PRIMARY KEY, server TEXT NOT NULL, tool TEXT NOT NULL, kind TEXT NOT NULL, outcome TEXT NOT NULL,
    estimated INTEGER NOT NULL, risk TEXT NOT NULL, advisory TEXT NOT NULL, steps TEXT NOT NULL,
    UNIQUE (server, tool, kind, outcome, estimated, risk, advisory, steps));
CREATE TABLE calls (
    id INTEGER PRIMARY KEY, at REAL NOT NULL, sort INTEGER NOT NULL, session INTEGER NOT NULL,
    us INTEGER NOT NULL, bytes_before INTEGER NOT NULL, bytes_after INTEGER NOT NULL,
    tokens_before INTEGER NOT NULL, tokens_after INTEGER NOT NULL);
PRAGMA user_version = 1;
INSERT INTO sorts VALUES (1, 'github', 'list_issues', 'call', 'ok', 0, 'critical', 'overload', 'collapse');
INSERT INTO sorts VALUES (2, 'github', 'list_issues', 'call', 'ok', 0, 'critical', 'overload', '');
INSERT INTO sorts VALUES (3, 'toolbooth', 'call_tool_chain', 'code', 'ok', 0, '', '', '');
INSERT INTO sorts VALUES (4, 'toolbooth', 'tools/list', 'menu', 'ok', 0, '', '', '');
INSERT INTO sorts VALUES (5, 'github', 'get_issue', 'call', 'timeout', 0, '', '', '');
INSERT INTO calls VALUES (1, 2e9, 4, 170, 0, 0, 860, 0, 215);
INSERT INTO calls VALUES (2, 2e9, 1, 170, 9000, 36000, 1200, 9000, 300);
INSERT INTO calls VALUES (3, 2e9, 2, 170, 9000, 36000, 0, 9000, 0);
INSERT INTO calls VALUES (4, 2e9, 2, 170, 9000, 32000, 32000, 8000, 8000);
INSERT INTO calls VALUES (5, 2e9, 3, 170, 9000, 0, 40, 0, 10);
INSERT INTO calls VALUES (6, 2e9, 5, 170, 9000, 0, 80, 0, 20);
"""


def write(path: Path, *scripts: str) -> None:
    with closing(sqlite3.connect(path)) as connection:
        for script in scripts:
            connection.executescript(script)


def set_aside(path: Path) -> list[str]:
    return [each.name for each in path.parent.iterdir() if "damaged" in each.name]


@pytest.fixture
def old(tmp_path: Path) -> Path:
    write(tmp_path / NAME, OF_0_1)
    return tmp_path / NAME


@pytest.mark.promise("ledger:older")
def test_a_ledger_of_0_1_is_migrated_in_place_and_goes_on(old: Path) -> None:
    ledger = Ledger(old.parent)
    ledger.record(answered("x"))
    ledger.close()
    assert (ledger.notes, set_aside(old)) == ([], [])
    with closing(LedgerFile.reading(old)) as file:
        rows = file.all_rows()
        applied = file.connection.execute("SELECT name FROM migrations ORDER BY name").fetchall()
    assert [name for (name,) in applied] == [each.name for each in SCHEMA.migrations]
    assert [(each.kind, each.tokens_before, each.tokens_after) for each in rows] == [
        ("list", 0, 215),
        ("call", 9000, 300),
        ("code_call", 9000, 0),
        ("call", 8000, 8000),
        ("code", 10, 10),
        ("call", 0, 20),
        ("call", 1, 1),
    ]
    assert rows[2].risk == "critical"


@pytest.mark.promise("ledger:older")
def test_stats_reads_a_ledger_of_0_1_as_it_will_be_and_changes_nothing(old: Path) -> None:
    before = old.read_bytes()
    totals = LedgerReader(old.parent).statistics(RowFilter()).totals
    assert (totals.calls, totals.rows, totals.code.tokens_read) == (4, 6, 9000)
    assert totals.net_saved_tokens == (9000 - 300) + (8000 - 8000) - 20
    assert old.read_bytes() == before


@pytest.mark.promise("ledger:older")
def test_a_migration_that_fails_leaves_the_file_as_it_was(old: Path) -> None:
    write(old, "CREATE TRIGGER stuck BEFORE UPDATE ON sorts BEGIN SELECT raise(ABORT, 'stuck'); END")
    ledger = Ledger(old.parent)
    ledger.record(answered("x"))
    assert ledger.stats().totals.rows == 1  # counted in memory
    ledger.close()
    assert (len(ledger.notes), set_aside(old)) == (1, [])
    with closing(sqlite3.connect(old)) as connection:
        assert connection.execute("SELECT count(*) FROM calls").fetchone() == (6,)
        assert connection.execute("SELECT kind FROM sorts WHERE id = 4").fetchone() == ("menu",)
        assert connection.execute("PRAGMA user_version").fetchone() == (1,)


@pytest.mark.promise("ledger:older")
def test_several_processes_migrate_a_file_once(old: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from tests.unit.gateway.ledger.rows import row;"
        "from toolbooth.store.sqlite.ledger_file import LedgerFile;"
        "LedgerFile.open(Path(sys.argv[1])).insert([row()])"
    )
    processes = [
        subprocess.Popen([sys.executable, "-c", code, old], cwd=Path(__file__).parents[4]) for _ in range(3)
    ]
    assert [process.wait(240) for process in processes] == [0] * 3
    with closing(LedgerFile.reading(old)) as file:
        assert len(file.all_rows()) == 9


LATER = """
ALTER TABLE calls ADD COLUMN tenant TEXT;
ALTER TABLE sorts ADD COLUMN region TEXT;
INSERT INTO migrations VALUES ('0004_tenants', {compatible}, 0);
PRAGMA user_version = 3;
"""
RENAMED = "INSERT INTO migrations VALUES ('0004_x', 1, 0); ALTER TABLE calls RENAME COLUMN us TO nanoseconds"
NEEDED = """
INSERT INTO migrations VALUES ('0004_x', 1, 0);
CREATE TABLE other AS SELECT * FROM calls;
DROP TABLE calls;
CREATE TABLE calls (
    id INTEGER PRIMARY KEY, at REAL NOT NULL, sort INTEGER NOT NULL, session INTEGER NOT NULL,
    us INTEGER NOT NULL, bytes_before INTEGER NOT NULL, bytes_after INTEGER NOT NULL,
    tokens_before INTEGER NOT NULL, tokens_after INTEGER NOT NULL, caller INTEGER NOT NULL,
    tenant TEXT NOT NULL);
INSERT INTO calls SELECT *, 'anna' FROM other;
"""


@pytest.fixture
def later(tmp_path: Path) -> Path:
    with closing(LedgerFile.open(tmp_path / NAME)) as file:
        file.insert([row(at=2e9)])
    return tmp_path / NAME


@pytest.mark.promise("ledger:newer")
def test_a_later_ledger_that_only_has_more_columns_gets_our_rows(later: Path) -> None:
    write(later, LATER.format(compatible=1), "UPDATE calls SET tenant = 'anna'")
    ledger = Ledger(later.parent)
    ledger.record(answered("x"))
    ledger.record(answered("x"))
    ledger.close()
    assert not ledger.notes
    assert LedgerReader(later.parent).statistics(RowFilter()).totals.calls == 3
    with closing(sqlite3.connect(later)) as connection:
        assert connection.execute("SELECT tenant FROM calls").fetchall() == [("anna",), (None,), (None,)]
        assert connection.execute("PRAGMA user_version").fetchone() == (3,)
        assert connection.execute("SELECT count(*) FROM sorts").fetchone() == (1,)


@pytest.mark.promise("ledger:newer")
@pytest.mark.parametrize(
    "change",
    [LATER.format(compatible=0), RENAMED, NEEDED, "PRAGMA user_version = 99"],
    ids=["it says so", "a column is renamed", "a column must be filled in", "a higher number"],
)
def test_a_later_ledger_of_another_shape_is_left_alone(later: Path, change: str) -> None:
    write(later, change)
    with closing(sqlite3.connect(later)) as connection:
        before = list(connection.iterdump())
    ledger = Ledger(later.parent)
    ledger.record(answered("x"))
    assert ledger.stats().totals.calls == 1
    ledger.close()
    (note,) = ledger.notes
    assert "a later Toolbooth" in note
    with pytest.raises(NothingToWeigh, match="update Toolbooth"):
        LedgerReader(later.parent).statistics(RowFilter())
    with pytest.raises(NewerFormat):
        LedgerFile.open(later)
    with closing(sqlite3.connect(later)) as connection:
        assert list(connection.iterdump()) == before
    assert set_aside(later) == []
