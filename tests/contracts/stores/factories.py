"""The implementations of the stores that the contract tests run against.

Another engine joins with a function that opens its stores at a place (a folder, or the name of a database that the
test alone uses), and an entry in `FACTORIES`. Child processes open the same place by the name of the entry.
"""

import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import NamedTuple

from toolbooth.store import LedgerStore, ResultsStore, State, open_ledger, open_results, open_state

ROOT = Path(__file__).parents[3]
RESULT_BYTES = 100_000  # what the results of a place may take
RESULT_AGE = 100.0


class Stores(NamedTuple):
    """Everything at one place. `notes` gets what went wrong."""

    ledger: LedgerStore
    results: ResultsStore
    state: State
    notes: list[str]

    def close(self) -> None:
        self.ledger.close()
        self.results.close()
        self.state.close()


def embedded(place: Path) -> Stores:
    """SQLite files in a folder."""
    notes: list[str] = []
    return Stores(
        open_ledger(place, notes.append),
        open_results(place, notes.append, RESULT_BYTES, RESULT_AGE),
        open_state(place),
        notes,
    )


FACTORIES: dict[str, Callable[[Path], Stores]] = {"embedded": embedded}

_CHILD = """
import os, sys, threading
from pathlib import Path
from tests.contracts.stores.factories import FACTORIES
from tests.unit.gateway.ledger.rows import row
from toolbooth.store import ResultEntry
ledger, results, state, notes = FACTORIES[sys.argv[1]](Path(sys.argv[2]))

def say(*words):
    os.write(1, " ".join(map(str, words)).encode() + b"\\n")

"""


class Place:
    """One implementation and a place of its own for one test."""

    def __init__(self, name: str, folder: Path) -> None:
        self.name, self.folder = name, folder

    @contextmanager
    def opened(self) -> Iterator[Stores]:
        """As one more client of the same place."""
        with closing(FACTORIES[self.name](self.folder)) as stores:
            yield stores

    def process(self, code: str) -> "subprocess.Popen[bytes]":
        """A process that runs this code with `ledger`, `results`, `state`, `row`, `ResultEntry` and `say`."""
        words = [sys.executable, "-c", _CHILD + code, self.name, str(self.folder)]
        return subprocess.Popen(words, stdout=subprocess.PIPE, cwd=ROOT)


def finished(processes: "list[subprocess.Popen[bytes]]") -> list[str]:
    """What they said, once all of them have ended well."""
    said = [process.communicate(timeout=240)[0].decode() for process in processes]
    assert [process.returncode for process in processes] == [0] * len(processes)
    return [line for each in said for line in each.splitlines()]


def said_until_killed(process: "subprocess.Popen[bytes]", lines: int) -> list[str]:
    """Kill it in the midst of its work, after so many lines; what it had said by then."""
    with process:
        assert process.stdout is not None
        heard = [process.stdout.readline() for _ in range(lines)]
        process.kill()
        heard += process.stdout.readlines()
    return [line.decode().strip() for line in heard if line.endswith(b"\n")]
