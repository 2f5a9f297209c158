"""Statistics of the rows of a ledger: totals, and sums for each tool, server, session and principal."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from decimal import Decimal
from typing import Any, Final

from toolbooth.store.rows import moment


@dataclass(frozen=True)
class Sizes:
    """Text that a model would have read, and what it was given of it."""

    bytes_before: int = 0
    bytes_after: int = 0
    tokens_before: int = 0
    tokens_after: int = 0

    @property
    def saved_tokens(self) -> int:
        """May be negative: our own answers, for example on how to correct a call, were sent by no server."""
        return self.tokens_before - self.tokens_after

    @property
    def largest_tokens(self) -> int:
        """The larger of before and after: our own answers have no before."""
        return max(self.tokens_before, self.tokens_after)

    @property
    def percent(self) -> float:
        """Percentage of the tokens that was saved; 0 if there were none."""
        return round(100 * self.saved_tokens / self.tokens_before, 1) if self.tokens_before else 0.0

    def as_json(self) -> dict[str, Any]:
        """The JSON form."""
        return {**asdict(self), "saved_tokens": self.saved_tokens, "reduction_percent": self.percent}


@dataclass(frozen=True)
class Price:
    """What the net saving is worth, each token read once by this model."""

    model: str
    dollars_per_million: Decimal
    dollars_saved: Decimal

    def as_json(self) -> dict[str, Any]:
        """The JSON form."""
        return {
            "model": self.model,
            "dollars_per_million": float(self.dollars_per_million),
            "dollars_saved": round(float(self.dollars_saved), 6),
        }


COUNTED: Final = (
    "net_saved_tokens = answers (tokens_processed - tokens_returned) + menus (tokens_replaced - tokens_sent) "
    "- discovery_tokens. Both menus are counted, each once per session, and every answer once. What code read and did "
    "not return is not in it: code.kept_out_tokens_at_most. calls are those that went to a server; code_runs, "
    "builtin_calls (of built-in tools) and rejected (ended before any server or code saw them) are counted apart. "
    "errors and outcomes are of calls, code_runs and builtin_calls; tools and servers count by the same rule."
)
"""What the headline number means, shown beside it everywhere."""


@dataclass(frozen=True)
class CodeStats:
    """Answers that only code read, and what the code returned instead."""

    calls: int = 0
    tokens_read: int = 0
    tokens_returned: int = 0

    @property
    def kept_out_at_most(self) -> int:
        """An upper bound: an agent without code might not have made these calls, or not so many."""
        return max(0, self.tokens_read - self.tokens_returned)

    def as_json(self) -> dict[str, Any]:
        """The JSON form."""
        return {**asdict(self), "kept_out_tokens_at_most": self.kept_out_at_most}


@dataclass(frozen=True)
class Totals:
    """`calls` went to a server; `code_runs`, `builtin_calls` and `rejected` are counted apart. `errors` and
    `outcomes` are of all but the rejected ones. `sizes` are of answers that a client got, including what code
    returned.

    `menus` compares those of all servers with ours; `discovery` is the tokens of the built-in tools' answers, by
    kind.
    """

    calls: int = 0
    errors: int = 0
    sizes: Sizes = Sizes()
    menus: Sizes = Sizes()
    discovery: Mapping[str, int] = field(default_factory=dict)
    code: CodeStats = CodeStats()
    outcomes: Mapping[str, int] = field(default_factory=dict)
    steps: Mapping[str, int] = field(default_factory=dict)
    rows: int = 0
    estimated_rows: int = 0
    code_runs: int = 0
    builtin_calls: int = 0
    rejected: Mapping[str, int] = field(default_factory=dict)  # by outcome

    @property
    def discovery_tokens(self) -> int:
        """Searches, reading back and managing servers."""
        return sum(self.discovery.values())

    @property
    def net_saved_tokens(self) -> int:
        """What reducing and the short menu saved, less all that the built-in tools cost."""
        return self.sizes.saved_tokens + self.menus.saved_tokens - self.discovery_tokens

    @property
    def estimated_share(self) -> float:
        """Share of the rows whose sizes are estimates."""
        return round(self.estimated_rows / self.rows, 4) if self.rows else 0.0

    def as_json(self) -> dict[str, Any]:
        """Flat, with the figures that follow from the sums."""
        sizes = self.sizes
        return {
            "calls": self.calls,
            "code_runs": self.code_runs,
            "builtin_calls": self.builtin_calls,
            "errors": self.errors,
            "rejected": sum(self.rejected.values()),
            "bytes_processed": sizes.bytes_before,
            "bytes_returned": sizes.bytes_after,
            "tokens_processed": sizes.tokens_before,
            "tokens_returned": sizes.tokens_after,
            "reduction_percent": sizes.percent,
            "saved_tokens": sizes.saved_tokens,
            "menus": _menus_json(self.menus),
            "discovery_tokens": self.discovery_tokens,
            "discovery": dict(self.discovery),
            "net_saved_tokens": self.net_saved_tokens,
            "counted": COUNTED,
            "code": self.code.as_json(),
            "outcomes": dict(self.outcomes),
            "rejections": dict(self.rejected),
            "steps": dict(self.steps),
            "rows": self.rows,
            "estimated_share": self.estimated_share,
        }


def _menus_json(menus: Sizes) -> dict[str, int]:
    return {
        "tokens_replaced": menus.tokens_before,
        "tokens_sent": menus.tokens_after,
        "saved_tokens": menus.saved_tokens,
    }


@dataclass(frozen=True)
class ToolStats:
    """One tool. `worst` and `median` are tokens as its server sent them, `worst_after` as a client got them.

    `sizes` and `risks` are of answers that went to a client, `code` of those that only code read. The median
    is computed only for tools that flood, and only if it was asked for.
    """

    server: str
    tool: str
    kind: str
    calls: int
    errors: int
    rejected: int
    sizes: Sizes
    worst: int
    worst_after: int
    median: int | None
    risks: Mapping[str, int]
    advisory: str | None
    last_used: float
    code: CodeStats = CodeStats()

    @property
    def id(self) -> str:
        """The id as an agent writes it."""
        return f"{self.server}.{self.tool}"

    @property
    def floods(self) -> int:
        """Answers of a high or critical risk."""
        return self.risks.get("high", 0) + self.risks.get("critical", 0)

    def as_json(self) -> dict[str, Any]:
        """The JSON form."""
        return {
            "tool": self.id,
            "server": self.server,
            "name": self.tool,
            "kind": self.kind,
            "calls": self.calls,
            "errors": self.errors,
            "rejected": self.rejected,
            **self.sizes.as_json(),
            "code_calls": self.code.calls,
            "code_tokens": self.code.tokens_read,
            "worst_tokens": self.worst,
            "worst_tokens_after": self.worst_after,
            "median_tokens": self.median,
            "risks": dict(self.risks),
            "advisory": self.advisory,
            "last_used": moment(self.last_used),
        }


@dataclass(frozen=True)
class ServerStats:
    """One server's calls and how long they took, in milliseconds; there are no times if no call reached it."""

    server: str
    calls: int
    errors: int
    rejected: int
    p50: float | None = None
    p95: float | None = None
    p99: float | None = None
    max: float | None = None

    def as_json(self) -> dict[str, Any]:
        """The JSON form."""
        times = {f"{name}_ms": getattr(self, name) for name in ("p50", "p95", "p99", "max")}
        counts = {"calls": self.calls, "errors": self.errors, "rejected": self.rejected}
        return {"server": self.server, **counts, **times}


@dataclass(frozen=True, kw_only=True)
class _PartStats:
    """Some of the rows, summed as the totals are."""

    calls: int
    sizes: Sizes
    menus: Sizes
    discovery_tokens: int
    code: CodeStats
    first: float
    last: float

    @property
    def net_saved_tokens(self) -> int:
        """As in the totals."""
        return self.sizes.saved_tokens + self.menus.saved_tokens - self.discovery_tokens

    def as_json(self) -> dict[str, Any]:
        """The JSON form."""
        return {
            "calls": self.calls,
            **self.sizes.as_json(),
            "menus": _menus_json(self.menus),
            "code": self.code.as_json(),
            "discovery_tokens": self.discovery_tokens,
            "net_saved_tokens": self.net_saved_tokens,
            "first": moment(self.first),
            "last": moment(self.last),
        }


@dataclass(frozen=True, kw_only=True)
class SessionStats(_PartStats):
    """One session, by its digest."""

    session: str

    def as_json(self) -> dict[str, Any]:
        """The JSON form."""
        return {"session": self.session, **super().as_json()}


@dataclass(frozen=True, kw_only=True)
class PrincipalStats(_PartStats):
    """One principal, by its id."""

    principal: str

    def as_json(self) -> dict[str, Any]:
        """The JSON form."""
        return {"principal": self.principal, **super().as_json()}


@dataclass(frozen=True)
class Stats:
    """All statistics. Tools with the most tokens come first, and so do principals; sessions are the latest ones of
    `session_count`.
    """

    totals: Totals = Totals()
    tools: tuple[ToolStats, ...] = ()
    servers: tuple[ServerStats, ...] = ()
    sessions: tuple[SessionStats, ...] = ()
    session_count: int = 0
    first: float | None = None
    last: float | None = None
    price: Price | None = None
    price_note: str | None = None
    principals: tuple[PrincipalStats, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """The document behind `toolbooth stats --json` and `toolbooth://stats`."""
        return {
            "first": None if self.first is None else moment(self.first),
            "last": None if self.last is None else moment(self.last),
            "totals": self.totals.as_json(),
            "price": None if self.price is None else self.price.as_json(),
            "price_note": self.price_note,
            "tools": [each.as_json() for each in self.tools],
            "servers": [each.as_json() for each in self.servers],
            "principals": [each.as_json() for each in self.principals],
            "session_count": self.session_count,
            "sessions": [each.as_json() for each in self.sessions],
        }
