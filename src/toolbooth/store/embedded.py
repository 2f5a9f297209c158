"""The embedded stores: SQLite files in a folder of the user. SQLite is imported when a store is opened."""

import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

from toolbooth import limits
from toolbooth.store.protocols import (
    LedgerStore,
    LimitStore,
    NewsStore,
    ReadableLedger,
    ResultsStore,
    UsageStore,
)

if TYPE_CHECKING:
    from toolbooth.store.sqlite.state import StateStores

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


class State:
    """Usage, limits and news: small tables in one file, which is opened at the first use."""

    def __init__(self, path: Path, older_usage: Path | None, note: Callable[[str], None]) -> None:
        self._path, self._older_usage, self._note = path, older_usage, note
        self._stores: StateStores | None = None
        self._opening = threading.Lock()

    @property
    def exists(self) -> bool:
        """Whether anything is stored, here or by an earlier version; found without opening it."""
        return self._path.exists() or (self._older_usage is not None and self._older_usage.exists())

    @property
    def usage(self) -> UsageStore:
        """How often each tool was called."""
        return self._opened().usage

    @property
    def limits(self) -> LimitStore:
        """The counters with a time window."""
        return self._opened().limits

    @property
    def news(self) -> NewsStore:
        """The news between processes."""
        return self._opened().news

    def close(self) -> None:
        """Close the file; a later use opens it again."""
        if self._stores is not None:
            self._stores.close()

    def _opened(self) -> "StateStores":
        with self._opening:
            if self._stores is None:
                from toolbooth.store.sqlite.state import StateStores

                self._stores = StateStores(self._path, self._older_usage, self._note)
            return self._stores


def open_state(
    folder: Path, cache_folder: Path | None = None, note: Callable[[str], None] = lambda _: None
) -> State:
    """The state of a folder. `note` is called with what went wrong.

    Call counts of earlier versions, in `usage.json` of the cache folder, are taken over once.
    """
    return State(folder / STATE_FILE, None if cache_folder is None else cache_folder / _OLD_USAGE, note)
