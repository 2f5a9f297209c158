"""The protocols of persistent state. A store that implements one can take the place of the embedded SQLite file.

All methods block, so callers run them in a thread. Any number of threads and processes may use a store at the same
time. What cannot be stored or reached raises OSError, except in a ledger, which keeps rows in memory instead.
`tests/contracts/stores` holds what every implementation must do.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

if TYPE_CHECKING:
    from toolbooth.store.distributions import AnswerSizes
    from toolbooth.store.rows import Row, RowFilter
    from toolbooth.store.statistics import Stats


class ReadableLedger(Protocol):
    """Rows of ended calls, and what they add up to."""

    def rows(self, row_filter: "RowFilter") -> "list[Row]":
        """The rows that match, the latest first."""
        ...

    def statistics(
        self, row_filter: "RowFilter", model: str | None = None, *, medians: bool = False
    ) -> "Stats":
        """The statistics of the rows that match, at one moment; `medians` of tools that flood take longer."""
        ...

    def answers(self, row_filter: "RowFilter") -> "dict[str, AnswerSizes]":
        """How large the answers of each tool were, by `server.tool`."""
        ...


class LedgerStore(ReadableLedger, Protocol):
    """A ledger that rows are added to."""

    def append(self, rows: "Sequence[Row]") -> None:
        """Commit these rows together."""
        ...

    def expire(self, now: float) -> None:
        """Delete rows that are too old, and the oldest while there are too many."""
        ...

    def close(self) -> None:
        """Release what is open; a later use opens it again."""
        ...


class ResultEntry(NamedTuple):
    """One text of one owner, and when it was kept (seconds since 1970)."""

    ref: str
    owner: str
    text: str
    kept: float


class FoundResult(NamedTuple):
    """What is stored under a ref; without a text if the result is too old, or was deleted to make space."""

    text: str | None
    kept: float


class ResultsStore(Protocol):
    """Kept results. A text is found under its ref by its owner alone; what is stored reveals neither."""

    def put(self, entries: Iterable[ResultEntry], now: float) -> None:
        """Keep these, all or none, and expire what is too much or too old by then."""
        ...

    def get(self, ref: str, owner: str) -> FoundResult | None:
        """What was kept under this ref for this owner, however old."""
        ...

    def forget(self, owners: Sequence[str]) -> None:
        """Delete everything of these owners."""
        ...

    def expire(self, now: float) -> None:
        """Delete texts that are too old, and the oldest while there are too many bytes; refs stay a while."""
        ...

    def close(self) -> None:
        """Release what is open."""
        ...


class UsageStore(Protocol):
    """How often each tool was called, by all processes together."""

    def counts(self) -> dict[str, int]:
        """Calls by tool id."""
        ...

    def add(self, calls: Mapping[str, int]) -> None:
        """Add further calls."""
        ...


class LimitCheck(NamedTuple):
    """The answer of a limit: whether the amount was taken, what is taken in this window, and when it ends."""

    taken: bool
    used: int
    resets_at: float


class LimitStore(Protocol):
    """Counters with a window. A counter starts at zero in each window; windows begin at multiples of their length."""

    def take(self, key: str, amount: int, most: int, window: float, now: float) -> LimitCheck:
        """Take an amount if no more than `most` is taken then; one step for all threads and processes."""
        ...


class NewsItem(NamedTuple):
    """Something that one process tells the others. Cursors grow with every item."""

    cursor: int
    topic: str
    payload: dict[str, Any]
    at: float


class NewsBatch(NamedTuple):
    """Items in order, and the cursor from which to read on."""

    items: list[NewsItem]
    cursor: int


class NewsStore(Protocol):
    """News between processes, kept for a while."""

    def publish(self, topic: str, payload: Mapping[str, Any], now: float) -> None:
        """Tell all processes; the payload is a small JSON object."""
        ...

    def position(self, at: float) -> int:
        """The cursor before the first item that was published at this moment or later."""
        ...

    def since(self, cursor: int, topics: Collection[str]) -> NewsBatch:
        """The items of these topics after a cursor; what cannot be read is skipped."""
        ...
