"""A process that keeps results is killed in the middle of writing them, again and again."""

import json
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from toolbooth.gateway.results import ResultStore
from toolbooth.store import RESULTS_FILE

ROOT = Path(__file__).parents[2]
KILLS = 60
# Each life is a fork, since a new interpreter for each would take a second. It says of every batch that it is
# committed, after the flush has said so; some moment later, in the midst of the next batches, it is killed. Every
# third batch makes the file shrink, which rewrites pages that others stand on.
LIVES = """
import json, os, random, signal, sys, time
from pathlib import Path
from toolbooth.gateway.results import ResultStore

def text_of(life, batch, number):
    return f"{life} {batch} {number} é\\\\n" * (1 + (life * 7 + batch * 13 + number * 531) % 3000)

def live(life, say):
    store, batch = ResultStore(Path(sys.argv[1])), 0
    while True:
        refs = [store.keep(text_of(life, batch, number), f"session {life}") for number in range(5)]
        store.keep("x" * 200_000, "for a moment")
        if batch % 3 == 2:
            store.forget("for a moment")
        store.flush()
        os.write(say, json.dumps([[ref, life, batch, number] for number, ref in enumerate(refs)]).encode() + b"\\n")
        batch += 1

def until_killed(life, rng):
    hear, say = os.pipe()
    child = os.fork()
    if not child:
        live(life, say)
    os.close(say)
    with os.fdopen(hear, "rb") as lines:
        heard = [lines.readline() for _ in range(rng.randrange(4))]
        time.sleep(rng.random() * 0.02)
        os.kill(child, signal.SIGKILL)
        heard += lines.readlines()
    assert os.WTERMSIG(os.waitpid(child, 0)[1]) == signal.SIGKILL
    return [each for line in heard for each in json.loads(line)]

rng = random.Random(5)
committed = [each for life in range(int(sys.argv[2])) for each in until_killed(life, rng)]
print(json.dumps([[ref, f"session {life}", text_of(life, batch, number)] for ref, life, batch, number in committed]))
"""


@pytest.mark.promise("result:restart")
@pytest.mark.skipif(sys.platform == "win32", reason="there is no fork, and no such kill")
def test_kills_in_mid_write_lose_no_committed_result_and_damage_nothing(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", LIVES, str(tmp_path), str(KILLS)],
        stdout=subprocess.PIPE, cwd=ROOT, timeout=180, check=True,
    )  # fmt: skip
    committed: list[list[str]] = json.loads(done.stdout)
    assert len(committed) > 5 * KILLS
    with closing(sqlite3.connect(tmp_path / RESULTS_FILE)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    with closing(ResultStore(tmp_path)) as store:
        lost = [ref for ref, session, text in committed if store.get(ref, session).text != text]
        assert not lost
        assert not store.notes
