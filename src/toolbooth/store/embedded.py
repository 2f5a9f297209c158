"""The embedded stores: SQLite files in a folder of the user. SQLite is imported when a store is opened."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from toolbooth import limits
from toolbooth.store.protocols import (
    LedgerStore,
    LimitStore,
    NewsStore,
    ReadableLedger,
    ResultsStore,
    UsageStore,
)

LEDGER_FILE: Final = "ledger.sqlite3"
RESULTS_FILE: Final = "results.sqlite3"
STATE_FILE: Final = "state.sqlite3"
LEDGER_VARIABLE: Final = "TOOLBOOTH_LEDGER"
_OFF: Final = ("off", "0", "false", "no")
_OLD_USAGE: Final = "usage.json"


def is_switched_off(environ: Mapping[str, str]) -> bool:
    """Whether the environment switches the ledger off; `ledger: off` in a config does so, too."""
    return environ.get(LEDGER_VARIABLE, "").strip().lower() in _OFF


def open_ledger(folder: Path | None, note: Callable[[str], None]) -> LedgerStore:
    """The ledger of a folder; None is one in memory. `note` is called with what went wrong."""
    from toolbooth.store.sqlite.ledger import SqliteLedger

    return SqliteLedger(folder, note)


def read_ledger(folder: Path) -> ReadableLedger:
    """The ledger of a folder, unchanged; reading raises NothingToWeigh if there is one that cannot be read."""
    from toolbooth.store.sqlite.ledger import LedgerReader

    return LedgerReader(folder)


def open_results(
    folder: Path,
    note: Callable[[str], None],
    max_bytes: int = limits.RESULT_DISK,
    max_age: float = limits.RESULT_AGE,
) -> ResultsStore:
    """The kept results of a folder; raises OSError if they cannot be opened."""
    from toolbooth.store.sqlite.results import SqliteResults

    return SqliteResults(folder / RESULTS_FILE, note, max_bytes, max_age)


@dataclass(frozen=True)
class State:
    """Usage, limits and news: small tables in one file. After `close` a use opens it again."""

    usage: UsageStore
    limits: LimitStore
    news: NewsStore
    close: Callable[[], None]


def open_state(folder: Path, cache_folder: Path | None = None) -> State:
    """The state of a folder; nothing is opened before it is used.

    Call counts of earlier versions, in `usage.json` of the cache folder, are taken over once.
    """
    from toolbooth.store.sqlite.state import SharedStateFile, SqliteLimits, SqliteNews, SqliteUsage

    file = SharedStateFile(folder / STATE_FILE)
    older = None if cache_folder is None else cache_folder / _OLD_USAGE
    return State(SqliteUsage(file, older), SqliteLimits(file), SqliteNews(file), file.close)
