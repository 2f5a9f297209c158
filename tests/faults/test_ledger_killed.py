"""A process that writes the ledger is killed in the middle of it, again and again."""

import json
import sqlite3
import subprocess
import sys
from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest

from toolbooth.store.sqlite.ledger_file import NAME, LedgerFile

ROOT = Path(__file__).parents[2]
KILLS = 100
# Each life is a fork, since a new interpreter for each would take a second. It says of every batch that it is
# committed, after the flush has said so; some moment later, in the midst of the next batches, it is killed.
LIVES = """
import json, os, random, signal, sys, time
from pathlib import Path
from toolbooth.gateway.ledger import EndedCall, Ledger
from toolbooth.gateway.ledger import measure
from toolbooth.store.sqlite import ledger as kept

def live(life, say):
    ledger, batch = Ledger(Path(sys.argv[1])), 0
    while True:
        for number in range(7):
            said = "a word " * (batch % 50)
            ledger.record(EndedCall("server", f"{life} {batch} {number}", "s", "call", 1.0, "ok", said, said))
        ledger.flush()
        os.write(say, b"%d\\n" % batch)
        batch += 1

def until_killed(life, rng):
    hear, say = os.pipe()
    child = os.fork()
    if not child:
        live(life, say)
    os.close(say)
    with os.fdopen(hear, "rb") as lines:
        heard = [lines.readline() for _ in range(rng.randrange(4))]
        time.sleep(rng.random() * 0.01)
        os.kill(child, signal.SIGKILL)
        heard += lines.readlines()
    assert os.WTERMSIG(os.waitpid(child, 0)[1]) == signal.SIGKILL
    return [f"{life} {int(line)} {number}" for line in heard for number in range(7)]

rng = random.Random(11)
print(json.dumps([tool for life in range(int(sys.argv[2])) for tool in until_killed(life, rng)]))
"""


@pytest.mark.promise("ledger:killed")
@pytest.mark.skipif(sys.platform == "win32", reason="there is no fork, and no such kill")
def test_kills_in_mid_write_lose_no_committed_row_and_damage_nothing(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", LIVES, str(tmp_path), str(KILLS)],
        stdout=subprocess.PIPE, cwd=ROOT, timeout=120, check=True,
    )  # fmt: skip
    committed: list[str] = json.loads(done.stdout)
    with closing(sqlite3.connect(tmp_path / NAME)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    with closing(LedgerFile.reading(tmp_path / NAME)) as file:
        found = Counter(row.tool for row in file.all_rows())
    assert len(committed) > 7 * KILLS
    assert set(committed) <= found.keys()
    assert set(found.values()) == {1}
    assert not (tmp_path / "ledger.damaged.sqlite3").exists()
