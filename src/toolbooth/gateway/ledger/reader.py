"""The ledger of a folder, whoever writes it → its accounts; nothing is changed, and no gateway need run."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import TypeVar

from toolbooth.errors import NothingToWeigh
from toolbooth.gateway.ledger.chosen import Chosen
from toolbooth.gateway.ledger.damage import is_damage
from toolbooth.gateway.ledger.file import NAME, LedgerFile, NewerFormat, NotALedger
from toolbooth.gateway.ledger.recent import recent_rows
from toolbooth.gateway.ledger.row import OWN, Row, moment
from toolbooth.gateway.ledger.sizes import AnswerSizes, tool_answers
from toolbooth.gateway.ledger.stats import Price, ServerAccount, Sizes, Stats, ToolAccount, Totals
from toolbooth.gateway.ledger.summing import account

__all__ = [
    "OWN",
    "AnswerSizes",
    "LedgerReader",
    "Price",
    "Row",
    "ServerAccount",
    "Sizes",
    "Stats",
    "ToolAccount",
    "Totals",
    "moment",
]
Seen = TypeVar("Seen")


class LedgerReader:
    """Raises NothingToWeigh where the file is there and cannot be read."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / NAME

    def stats(
        self,
        since: float | None = None,
        session: str | None = None,
        model: str | None = None,
        *,
        medians: bool = False,
    ) -> Stats:
        """As of a `Ledger`, but a session is named by its digest. Of no file yet: an empty account."""
        return self._look(
            lambda connection: account(connection, since, session, model, medians=medians), Stats()
        )

    def recent(self, n: int, since: float | None = None, session: str | None = None) -> list[Row]:
        """The latest rows, the last first."""
        return self._look(lambda connection: recent_rows(connection, n, since, session), [])

    def answers(self, since: float | None = None) -> dict[str, AnswerSizes]:
        """How large the answers of each tool were, by `server.tool`."""
        return self._look(lambda connection: tool_answers(connection, Chosen.of(since, None)), {})

    def _check_folder(self) -> None:
        folder = self.path.parent
        if folder.exists() and not folder.is_dir():
            raise NothingToWeigh(f"{folder} is no folder, so no call is written down; move that file away")

    def _look(self, query: Callable[[sqlite3.Connection], Seen], nothing: Seen) -> Seen:
        try:
            if not self.path.exists():
                self._check_folder()
                return nothing
            with closing(LedgerFile.reading(self.path)) as file:
                return query(file.connection)
        except NewerFormat:
            raise NothingToWeigh(
                f"{self.path}: a later Toolbooth wrote this ledger; update Toolbooth to read it"
            ) from None
        except NotALedger:
            raise NothingToWeigh(f"{self.path}: this database is not a ledger; move it away") from None
        except (sqlite3.Error, OSError) as error:
            raise NothingToWeigh(f"{self.path}: {_words(error)}") from None


def _words(error: Exception) -> str:
    if is_damage(error):
        return "the ledger is damaged; the gateway's next call sets it aside and begins a new one"
    return f"the ledger cannot be read ({getattr(error, 'strerror', None) or error})"
