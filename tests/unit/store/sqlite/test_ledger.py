"""Whatever happens to the file, calls are counted, and the problem is logged once."""

import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest
from tests.unit.gateway.ledger.rows import answered, row

from toolbooth.gateway.ledger import Ledger
from toolbooth.store import Row, RowFilter
from toolbooth.store.sqlite.ledger import SqliteLedger
from toolbooth.store.sqlite.ledger_file import NAME, Bounds


def recent(tool: str) -> Row:
    return row(tool=tool, at=time.time())


def calls(ledger: Ledger) -> int:
    return ledger.stats().totals.calls


@pytest.mark.promise("ledger:damaged")
@pytest.mark.parametrize("damage", [b"this is no database", b"SQLite format 3\x00" + b"\xff" * 4000])
def test_a_damaged_file_is_set_aside_and_said(tmp_path: Path, damage: bytes) -> None:
    (tmp_path / NAME).write_bytes(damage)
    ledger = Ledger(tmp_path)
    ledger.record(answered("x"))
    assert calls(ledger) == 1
    ledger.close()
    assert (tmp_path / "ledger.damaged.sqlite3").read_bytes() == damage
    (note,) = ledger.notes
    assert "set aside as ledger.damaged.sqlite3" in note
    again = Ledger(tmp_path)
    assert calls(again) == 1
    again.close()
    assert not again.notes


@pytest.mark.promise("ledger:damaged")
def test_damage_in_the_middle_is_found_when_it_is_read(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path)
    for number in range(3000):
        ledger.record(answered("x", tool=f"tool {number}"))
    ledger.close()
    path = tmp_path / NAME
    data = bytearray(path.read_bytes())
    data[4096 * 3 :] = b"\xa5" * (len(data) - 4096 * 3)
    path.write_bytes(data)
    again = Ledger(tmp_path)
    again.record(answered("x"))
    assert calls(again) <= 1
    again.record(answered("y"))
    assert calls(again) >= 1
    again.close()
    assert len(again.notes) == 1
    assert (tmp_path / "ledger.damaged.sqlite3").exists()


@pytest.mark.promise("ledger:newer")
def test_a_database_of_something_else_is_left_alone(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / NAME)) as other:
        other.execute("CREATE TABLE calls (what)")
        other.commit()
    ledger = Ledger(tmp_path)
    ledger.record(answered("x"))
    assert calls(ledger) == 1
    ledger.close()
    (note,) = ledger.notes
    assert "is a database of something else and is left unchanged" in note
    assert not (tmp_path / "ledger.damaged.sqlite3").exists()
    with closing(sqlite3.connect(tmp_path / NAME)) as other:
        assert other.execute("SELECT sql FROM sqlite_master").fetchall() == [("CREATE TABLE calls (what)",)]


@pytest.mark.promise("ledger:newer")
def test_a_file_of_a_later_toolbooth_is_left_alone(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / NAME)) as later:
        later.execute("CREATE TABLE calls (what)")
        later.execute("PRAGMA user_version = 99")
        later.commit()
    before = (tmp_path / NAME).read_bytes()
    ledger = Ledger(tmp_path)
    for _ in range(3):
        ledger.record(answered("x"))
        ledger.flush()
    assert calls(ledger) == 3
    ledger.close()
    assert (tmp_path / NAME).read_bytes() == before
    (note,) = ledger.notes
    assert "a later Toolbooth" in note


@pytest.mark.promise("ledger:unwritable")
def test_where_nothing_can_be_written_calls_are_counted_in_memory(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    ledger = Ledger(tmp_path / "file" / "data")
    for _ in range(3):
        ledger.record(answered("x"))
        ledger.flush()
    assert calls(ledger) == 3
    assert len(ledger.recent(10)) == 3
    ledger.close()
    (note,) = ledger.notes
    assert "cannot be written" in note
    assert "in memory" in note


def test_what_waited_in_memory_is_written_when_the_file_can_be(tmp_path: Path) -> None:
    notes: list[str] = []
    blocked = tmp_path / "data"
    blocked.write_text("in the way")
    keeping = SqliteLedger(blocked, notes.append)
    keeping.append([recent(tool="one")])
    blocked.unlink()
    keeping.close()
    keeping.append([recent(tool="two")])
    assert [each.tool for each in keeping.rows(RowFilter())[::-1]] == ["one", "two"]
    keeping.close()
    assert len(notes) == 1


def test_statistics_join_the_file_and_what_waits_for_it(tmp_path: Path) -> None:
    notes: list[str] = []
    keeping = SqliteLedger(tmp_path, notes.append)
    keeping.append([recent(tool="in the file")])
    with closing(sqlite3.connect(tmp_path / NAME, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        keeping._ready().connection.execute("PRAGMA busy_timeout = 1")
        keeping.append([recent(tool="waits")])
        assert [each.tool for each in keeping.rows(RowFilter())[::-1]] == ["in the file", "waits"]
        other.execute("ROLLBACK")
    keeping._not_before = 0.0
    keeping.append([recent(tool="last")])
    assert [each.tool for each in keeping.rows(RowFilter())[::-1]] == ["in the file", "waits", "last"]
    assert keeping._unsaved is None
    keeping.close()
    assert len(notes) == 1


def test_a_file_that_somebody_removed_is_begun_anew(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path)
    ledger.record(answered("x"))
    ledger.flush()
    for file in tmp_path.iterdir():
        file.unlink()
    ledger.record(answered("x"))
    assert calls(ledger) == 1
    ledger.close()
    assert not ledger.notes


def test_rows_are_written_once_though_tidying_up_fails(tmp_path: Path) -> None:
    notes: list[str] = []
    keeping = SqliteLedger(tmp_path, notes.append)
    keeping.append([recent("one")])
    keeping._ready().connection.execute(
        "CREATE TRIGGER stuck BEFORE DELETE ON calls BEGIN SELECT raise(ABORT, 'stuck'); END"
    )
    keeping._unpruned = 10**6
    keeping.append([row(tool="old", at=1.0)])
    assert [each.tool for each in keeping.rows(RowFilter())[::-1]] == ["one", "old"]
    keeping.close()
    assert not notes


def test_also_what_waits_in_memory_is_bounded(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    keeping = SqliteLedger(tmp_path / "file", lambda _: None, Bounds(bytes=200_000))
    for _ in range(40):
        keeping.append([recent(f"tool {number}") for number in range(500)])
    kept = len(keeping.rows(RowFilter())[::-1])
    assert 500 < kept < 10_000
    keeping.close()


FULL = """
import resource, sys
from pathlib import Path
from tests.unit.gateway.ledger.rows import answered
from toolbooth.gateway.ledger import Ledger

ledger = Ledger(Path(sys.argv[1]))
ledger.record(answered("first"))
ledger.flush()
limits = resource.getrlimit(resource.RLIMIT_FSIZE)
resource.setrlimit(resource.RLIMIT_FSIZE, (48_000, limits[1]))
for number in range(2000):
    ledger.record(answered("more", tool=f"a tool with a rather long name {number}"))
print(ledger.stats().totals.calls, len(ledger.notes))
resource.setrlimit(resource.RLIMIT_FSIZE, limits)
ledger.close()
"""


@pytest.mark.promise("ledger:disk-full")
@pytest.mark.skipif(sys.platform == "win32", reason="the system has no such limit")
def test_on_a_full_disk_calls_are_counted_in_memory_and_written_later(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", FULL, str(tmp_path)],
        capture_output=True, text=True, timeout=60, cwd=Path(__file__).parents[4], check=False,
    )  # fmt: skip
    assert done.stdout.split() == ["2001", "1"], done.stderr
    again = Ledger(tmp_path)
    assert calls(again) == 2001
    again.close()
