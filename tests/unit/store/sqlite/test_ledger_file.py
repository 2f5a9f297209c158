"""The file of the ledger: bounded in bytes and age, shared by processes, read while it is written."""

import os
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from tests.unit.gateway.ledger.rows import row

from toolbooth.limits import MIB
from toolbooth.store import RowFilter
from toolbooth.store.sqlite.ledger_file import NAME, Bounds, LedgerFile

BOUNDS = Bounds(bytes=MIB, age=100.0)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / NAME


@pytest.fixture
def file(path: Path) -> Iterator[LedgerFile]:
    with closing(LedgerFile.open(path)) as opened:
        yield opened


def test_rows_come_back_as_they_were_written(file: LedgerFile) -> None:
    rows = [
        row(steps=("collapse", "chunk"), advisory="overload", risk="critical", estimated=True),
        row(session="ffffffffffff", at=1e9, ms=0.012, outcome="timeout", risk=None),
        row(server="名前", tool='odd " name', kind="discovery", bytes_before=2**40),
    ]
    file.insert(rows)
    assert file.all_rows() == rows
    assert file.rows(RowFilter(limit=2)) == rows[:0:-1]
    assert file.rows(RowFilter(since=1001.0)) == [rows[1]]
    assert file.rows(RowFilter(session="ffffffffffff")) == [rows[1]]


@pytest.mark.promise("ledger:bounded")
def test_rows_past_their_age_go(file: LedgerFile) -> None:
    file.insert([row(at=float(at), tool=f"tool {at}") for at in range(0, 300, 50)])
    file.prune(300.0, BOUNDS)
    assert [each.at for each in file.all_rows()] == [200.0, 250.0]
    file.prune(10_000.0, BOUNDS)
    assert file.all_rows() == []
    assert file.connection.execute("SELECT count(*) FROM sorts").fetchone() == (0,)


@pytest.mark.promise("ledger:bounded")
def test_the_oldest_rows_go_where_there_are_too_many_and_the_file_grows_no_further(
    file: LedgerFile, path: Path
) -> None:
    for batch in range(60):
        file.insert(
            [row(at=1000.0 + batch + number / 1000, session=f"{number:012x}") for number in range(1000)]
        )
        file.prune(1000.0, BOUNDS)
    kept = file.all_rows()
    assert 5000 < len(kept) < 40_000
    assert kept[-1].at == pytest.approx(1059.999)
    assert [each.at for each in kept] == sorted(each.at for each in kept)
    assert path.stat().st_size < 1.2 * MIB


def test_a_file_that_was_open_to_others_is_closed(path: Path) -> None:
    path.touch(mode=0o644)
    path.chmod(0o644)
    LedgerFile.open(path).close()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_it_is_read_while_it_is_written_and_after_a_kill(path: Path) -> None:
    code = (
        "import os, sys; from pathlib import Path; from tests.unit.gateway.ledger.rows import row;"
        "from toolbooth.store.sqlite.ledger_file import LedgerFile;"
        "LedgerFile.open(Path(sys.argv[1])).insert([row()]); os.kill(os.getpid(), 9)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, path], cwd=Path(__file__).parents[4], timeout=60, check=False
    )
    assert done.returncode != 0
    assert path.with_name(f"{NAME}-wal").exists()
    with closing(LedgerFile.reading(path)) as reader:
        assert len(reader.all_rows()) == 1
        with closing(LedgerFile.open(path)) as writer:
            writer.insert([row()])
            assert len(reader.all_rows()) == 2
    with closing(LedgerFile.reading(path)) as reader:
        assert len(reader.all_rows()) == 2


def test_reading_changes_nothing(path: Path) -> None:
    LedgerFile.open(path).close()
    before = path.read_bytes()
    with closing(LedgerFile.reading(path)) as reader:
        assert reader.all_rows() == []
    assert path.read_bytes() == before


@pytest.mark.promise("ledger:shared")
def test_several_processes_write_one_file(path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from tests.unit.gateway.ledger.rows import answered;"
        "from toolbooth.gateway.ledger import Ledger; ledger = Ledger(Path(sys.argv[1]).parent);"
        "[(ledger.record(answered('x', session=sys.argv[2])), ledger.flush()) for _ in range(40)];"
        "ledger.close(); sys.exit(len(ledger.notes))"
    )
    processes = [
        subprocess.Popen([sys.executable, "-c", code, path, str(number)], cwd=Path(__file__).parents[4])
        for number in range(4)
    ]
    assert [process.wait(240) for process in processes] == [0] * 4
    with closing(LedgerFile.reading(path)) as reader:
        assert len(reader.all_rows()) == 160
        assert len({each.session for each in reader.all_rows()}) == 4


@pytest.mark.skipif(os.name != "posix", reason="modes are of POSIX")
def test_a_folder_is_made_for_its_user_alone(tmp_path: Path) -> None:
    LedgerFile.open(tmp_path / "data" / "toolbooth" / NAME).close()
    assert stat.S_IMODE((tmp_path / "data" / "toolbooth").stat().st_mode) == 0o700
