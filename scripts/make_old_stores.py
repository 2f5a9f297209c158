"""Write the files that earlier versions of Toolbooth kept, with the code of these versions from the git history.

They are test data: every later version opens them and loses nothing. A version that changes a format adds a line to
`MADE` with a commit that still wrote the old one:

    python scripts/make_old_stores.py tests/data/stores
"""

import io
import os
import sqlite3
import subprocess
import sys
import tarfile
import tempfile
from contextlib import closing
from pathlib import Path
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).parents[1]
_ROWS: Final = """
at = 2e9  # far from any age limit
def row(number, tool, kind, outcome, *sizes, **more):
    server = "toolbooth" if kind in ("code", "menu", "list", "discovery") else "github"
    return Row(at + number, server, tool, f"{number % 3:012x}", kind, 12.5, outcome, *sizes, **more)
bad = {"risk": "critical", "advisory": "overload"}
rows = [
    row(0, "tools/list", MENU, "ok", 0, 860, 0, 215),
    row(1, "list_issues", "call", "ok", 36000, 1200, 9000, 300, **bad, steps=("collapse",)),
    row(2, "list_issues", CODE_CALL, "ok", 36000, 0, 9000, 0, **bad),
    row(3, "list_issues", "call", "ok", 32000, 32000, 8000, 8000, risk="critical", estimated=True),
    row(4, "call_tool_chain", "code", "ok", *CHAIN, 40, 10),
    row(5, "get_issue", "call", "timeout", 0, 80, 0, 20),
    row(6, "search_tools", "discovery", "ok", 0, 300, 0, 75),
]
"""


class Made(NamedTuple):
    """A file, a commit whose code wrote this format, and the code that makes it; `folder` is where."""

    name: str
    commit: str
    code: str


MADE: Final = (
    Made(
        "ledger-1.sqlite3",
        "0bab3656",  # 0.1, the last commit before there were migrations
        "from toolbooth.gateway.ledger.file import LedgerFile\nfrom toolbooth.gateway.ledger.row import Row\n"
        "MENU, CODE_CALL = 'menu', 'call'\n"
        + _ROWS.replace("*CHAIN, 40, 10", "0, 40, 0, 10")
        + "LedgerFile.open(folder / NAME).insert(rows)\n",
    ),
    Made(
        "ledger-2.sqlite3",
        "b1648fce",  # migrations 0001 and 0002
        "from toolbooth.gateway.ledger.ledger_file import LedgerFile\nfrom toolbooth.gateway.ledger.row import Row\n"
        "MENU, CODE_CALL = 'list', 'code_call'\n"
        + _ROWS.replace("*CHAIN, 40, 10", "40, 40, 10, 10")
        + "LedgerFile.open(folder / NAME).insert(rows)\n",
    ),
    Made(
        "results-1.sqlite3",
        "b1648fce",  # before there was a table of migrations
        "from toolbooth.gateway.results.disk import ResultFile\n"
        "from toolbooth.gateway.results.store import ResultEntry\n"
        "file = ResultFile(folder / NAME, 10**6, 3600.0)\n"
        "texts = {'short': 'a short text', 'long': 'the same again ' * 500, 'odd': 'half \\ud800 a pair, NUL \\0'}\n"
        "file.write([ResultEntry(ref, 'session', text, 2e9) for ref, text in texts.items()], [], 2e9)\nfile.close()\n",
    ),
    Made(
        "usage.json",
        "b1648fce",  # call counts, before they were in state.sqlite3
        "from toolbooth.gateway.offer_cache import CacheFolder\n"
        "CacheFolder(folder).save_usage({'github.list_issues': 12, 'files.read_file': 3})\n",
    ),
)


def main(target: Path) -> None:
    """Make each file in a folder of its own, and keep the file alone."""
    for made in MADE:
        with tempfile.TemporaryDirectory() as name:
            source, folder = Path(name, "code"), Path(name, "files")
            packed = subprocess.run(
                ["git", "archive", made.commit, "src"], cwd=ROOT, stdout=subprocess.PIPE, check=True
            )
            with tarfile.open(fileobj=io.BytesIO(packed.stdout)) as archive:
                archive.extractall(source, filter="data")
            code = (
                f"from pathlib import Path\nfolder, NAME = Path({str(folder)!r}), {made.name!r}\n{made.code}"
            )
            subprocess.run(
                [sys.executable, "-c", code],
                env={**os.environ, "PYTHONPATH": str(source / "src")},
                check=True,
            )
            (target / made.name).write_bytes(_whole(folder / made.name))


def _whole(path: Path) -> bytes:
    """Including what is only in the journal yet; and small, for it is test data."""
    if path.suffix == ".sqlite3":
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return path.read_bytes()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
