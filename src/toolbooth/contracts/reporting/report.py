"""What lock, diff, scan or profile found, how it is judged and where it stands: the one object behind every format."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

from toolbooth.contracts.change import Diff
from toolbooth.contracts.contract import Contracts
from toolbooth.contracts.diff.costs import tokens_of
from toolbooth.contracts.finding import Finding
from toolbooth.contracts.reporting.entry import Entry, Place, Places, entries_of


class ServerTokens(NamedTuple):
    """What a server's definitions weigh on both sides of a diff."""

    server: str
    before: int
    after: int


@dataclass(frozen=True)
class Report:
    """`title` is the command; `troubles` are pairs of what could not be used and why; `more` is for JSON alone.

    `own_json` is the whole document of a verb that has one of its own.
    """

    title: str
    diff: Diff = field(default_factory=Diff)
    findings: tuple[Finding, ...] = ()
    verdict: str = ""
    exit_code: int = 0
    hint: str = ""
    troubles: tuple[tuple[str, str], ...] = ()
    notes: tuple[str, ...] = ()
    tokens: tuple[ServerTokens, ...] = ()
    places: Places | None = field(default=None, compare=False)
    more: Mapping[str, Any] = field(default_factory=dict)
    own_json: Callable[[], Mapping[str, Any]] | None = field(default=None, compare=False)

    @cached_property
    def entries(self) -> tuple[Entry, ...]:
        """Changes and findings in one shape."""
        return entries_of(self.diff, self.findings)

    @property
    def sentence(self) -> str:
        """The verdict, or how much was found."""
        return self.verdict or (f"{len(self.entries):,} found" if self.entries else "nothing found")

    @cached_property
    def placed(self) -> tuple[tuple[Entry, Place | None], ...]:
        """The same with where they stand; files are read for it."""
        places = self.places(self.entries) if self.places else [None] * len(self.entries)
        return tuple(zip(self.entries, places, strict=True))


def tokens_moved(before: Contracts, after: Contracts) -> tuple[ServerTokens, ...]:
    """What definitions weigh on both sides, server by server, in the encoding of `after`."""
    old, new = _by_server(before, after.encoding), _by_server(after, after.encoding)
    return tuple(ServerTokens(name, old.get(name, 0), new.get(name, 0)) for name in sorted({*old, *new}))


def _by_server(contracts: Contracts, encoding: str) -> dict[str, int]:
    weights = tokens_of(contracts, encoding)
    return {
        name: sum(weights[tool.id] for tool in server.tools.values())
        for name, server in contracts.servers.items()
    }
