"""Results that were too long → refs by which their own session, and no other, reads them again."""

import secrets
import sys
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

from toolbooth.errors import WrongArguments
from toolbooth.gateway.results.lines import Lines
from toolbooth.limits import RESULT_AGE, RESULT_STORE, RESULT_TOMBSTONES
from toolbooth.safetext import for_terminal

_REF_BYTES = 16


@dataclass(frozen=True)
class Kept:
    """One text of one session, and when it was kept."""

    session: str
    lines: Lines
    bytes: int
    since: float


class ResultStore:
    """In memory, bounded in bytes and age; the oldest leave first."""

    def __init__(
        self,
        max_bytes: int = RESULT_STORE,
        max_age: float = RESULT_AGE,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._max_bytes, self._max_age, self._clock = max_bytes, max_age, clock
        self._kept: OrderedDict[str, Kept] = OrderedDict()
        self._gone: OrderedDict[str, str] = OrderedDict()  # ref → session
        self._bytes = 0

    def keep(self, lines: Lines, session: str) -> str:
        """The ref of this text: 128 random bits."""
        ref = secrets.token_urlsafe(_REF_BYTES)
        kept = Kept(session, lines, sys.getsizeof(lines.text), self._clock())
        self._kept[ref] = kept
        self._bytes += kept.bytes
        self._tidy()
        return ref

    def get(self, ref: str, session: str) -> Lines:
        """The text behind a ref. A ref of another session is as unknown as one that never was."""
        self._tidy()
        kept = self._kept.get(ref)
        if kept is not None and kept.session == session:
            return kept.lines
        if self._gone.get(ref) == session:
            raise WrongArguments("this result has expired; call its tool again")
        raise WrongArguments(
            f'there is no result "{for_terminal(ref, 40)}"; use a ref as a cut result names it'
        )

    def forget(self, session: str) -> None:
        """A session has ended, and all of its results with it."""
        for ref in [ref for ref, kept in self._kept.items() if kept.session == session]:
            self._bytes -= self._kept.pop(ref).bytes
        for ref in [ref for ref, owner in self._gone.items() if owner == session]:
            del self._gone[ref]

    def _tidy(self) -> None:
        oldest = self._clock() - self._max_age
        while self._kept:
            kept = next(iter(self._kept.values()))
            if kept.since >= oldest and self._bytes <= self._max_bytes:
                break
            ref, _ = self._kept.popitem(last=False)
            self._bytes -= kept.bytes
            self._gone[ref] = kept.session
        while len(self._gone) > RESULT_TOMBSTONES:
            self._gone.popitem(last=False)
