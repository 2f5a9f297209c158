"""The statistics of a ledger's rows, of all or of a time or session, with the price of what was saved."""

import sqlite3
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import closing
from decimal import Decimal
from functools import cache
from typing import Any, Final, NamedTuple

from toolbooth import economics, errors
from toolbooth.store import distributions, rows, statistics
from toolbooth.store.sqlite.ledger_answers import answer_sizes
from toolbooth.store.sqlite.ledger_file import JOINED, Condition, LedgerFile, condition
from toolbooth.tokens import DEFAULT_MODEL, carry_price

_THOUSAND = 1000  # tokens, carried for a thousand calls, are a million: at that price no tier for long prompts applies


class Priced(NamedTuple):
    """A price, or why there is none."""

    price: statistics.Price | None
    note: str | None


class _Rate(NamedTuple):
    model: str
    dollars_per_million: Decimal


def priced(tokens: int, model: str) -> Priced:
    """What this many tokens cost this model to read."""
    try:
        rate = _rate(model)
    except errors.UnknownModel as error:
        return Priced(None, str(error))
    return Priced(statistics.Price(*rate, rate.dollars_per_million * tokens / 1_000_000), None)


@cache
def _rate(model: str) -> _Rate:
    carried = carry_price(_THOUSAND, model)
    return _Rate(carried.model, carried.uncached)


NOT_ASKED: Final = (*rows.REJECTED, "daemon_ended")  # their times are not a server's
MOST_SESSIONS: Final = 50
_ADVISORIES: Final = ("overload", "density", "overhead")
_NO_CALLS: Final = (rows.MENU, *rows.UNSUMMED)
_FLOODS: Final = ("high", "critical")
# All else is what the built-in tools cost
_NOT_BUILTIN: Final = (
    *rows.ANSWERS,
    rows.CODE_CALL,
    rows.MENU,
    *rows.UNSUMMED,
)
_SPAN: Final = "count(*), max(tokens_before), max(tokens_after), min(at), max(at)"
_SUMS: Final = "sum(bytes_before), sum(bytes_after), sum(tokens_before), sum(tokens_after)"


class RowGroup(NamedTuple):
    """Rows that differ only in size and time."""

    server: str
    tool: str
    kind: str
    outcome: str
    estimated: int
    risk: str
    advisory: str
    steps: str
    rows: int
    worst: int
    worst_after: int
    first: float
    last: float
    bytes_before: int
    bytes_after: int
    tokens_before: int
    tokens_after: int

    @property
    def is_rejected(self) -> bool:
        """Ended by us before any server or any code saw it."""
        return self.outcome in rows.REJECTED

    @property
    def on_server(self) -> int:
        """How many of the rows are calls that went to a server."""
        return (
            0
            if self.is_rejected or self.server == rows.BUILTIN_SERVER or self.kind not in rows.SERVER_CALLS
            else self.rows
        )


def summarize(
    file: LedgerFile, row_filter: rows.RowFilter, model: str | None = None, *, medians: bool = False
) -> statistics.Stats:
    """The statistics at one moment: rows that are committed meanwhile are left for the next time.

    `medians` of tools that flood take as long as all the rest.
    """
    connection, where = file.connection, condition(row_filter)
    connection.execute("BEGIN")
    try:
        groups = _groups(connection, where)
        servers = _servers(connection, where, groups)
        flooding = {_Tool(*group[:3]) for group in groups if medians and _floods(group)}
        middle = _medians(connection, where, flooding)
        parts = _parts(connection, where)
    finally:
        connection.execute("COMMIT")
    totals = _totals(groups)
    price, note = priced(totals.net_saved_tokens, model or DEFAULT_MODEL)
    sessions = _sessions(parts)
    return statistics.Stats(
        totals,
        _tools(groups, middle),
        servers,
        sessions[:MOST_SESSIONS],
        len(sessions),
        min((group.first for group in groups), default=None),
        max((group.last for group in groups), default=None),
        price,
        note,
        _principals(parts),
    )


def _groups(connection: sqlite3.Connection, where: Condition) -> list[RowGroup]:
    query = (
        "SELECT server, tool, kind, outcome, estimated, risk, advisory, steps, summed.* FROM "  # noqa: S608
        f"(SELECT {_SPAN}, {_SUMS}, sort FROM calls WHERE {where.sql} GROUP BY sort) AS summed "
        "JOIN sorts ON sorts.id = summed.sort"
    )
    groups = (RowGroup(*values[:-1]) for values in _rows(connection, query, where.values))
    return [group for group in groups if group.kind not in (rows.QUESTION, rows.MEASURED)]


def _floods(group: RowGroup) -> bool:
    """An answer that only code read floods no context."""
    return group.risk in _FLOODS and group.kind != rows.CODE_CALL


def _rows(connection: sqlite3.Connection, query: str, values: Sequence[Any] = ()) -> list[Any]:
    with closing(connection.execute(query, values)) as cursor:
        return cursor.fetchall()


def _sizes(groups: Iterable["RowGroup | _Part"], *kinds: str) -> statistics.Sizes:
    columns = list(zip(*(group[-4:] for group in groups if group.kind in kinds), strict=True))
    return statistics.Sizes(*map(sum, columns))


def _code(groups: Sequence["RowGroup | _Part"]) -> statistics.CodeStats:
    calls = sum(group.on_server for group in groups if group.kind == rows.CODE_CALL)
    return statistics.CodeStats(
        calls,
        _sizes(groups, rows.CODE_CALL).tokens_before,
        _sizes(groups, rows.CODE).tokens_before if calls else 0,
    )


def _totals(groups: Sequence[RowGroup]) -> statistics.Totals:
    builtin: Counter[str] = Counter()
    outcomes: Counter[str] = Counter()
    rejected: Counter[str] = Counter()
    steps: Counter[str] = Counter()
    for group in groups:
        if group.kind not in _NO_CALLS:
            (rejected if group.is_rejected else outcomes)[group.outcome] += group.rows
        if group.kind not in _NOT_BUILTIN:
            builtin[group.kind] += group.tokens_after
        for step in filter(None, group.steps.split(",")):
            steps[step] += group.rows
    calls = sum(group.on_server for group in groups)
    runs = sum(group.rows for group in groups if group.kind == rows.CODE and not group.is_rejected)
    return statistics.Totals(
        calls,
        outcomes.total() - outcomes["ok"],
        _sizes(groups, *rows.ANSWERS),
        _sizes(groups, rows.MENU),
        dict(sorted(builtin.items())),
        _code(groups),
        dict(outcomes.most_common()),
        dict(steps.most_common()),
        sum(group.rows for group in groups),
        sum(group.rows for group in groups if group.estimated),
        runs,
        outcomes.total() - calls - runs,
        dict(rejected.most_common()),
    )


def _counts(groups: Iterable[RowGroup]) -> tuple[int, int, int]:
    """Calls, errors among them, and calls that were rejected."""
    calls: Counter[str] = Counter()
    for group in groups:
        calls["rejected" if group.is_rejected else "ok" if group.outcome == "ok" else "failed"] += group.rows
    return calls["ok"] + calls["failed"], calls["failed"], calls["rejected"]


class _Tool(NamedTuple):
    server: str
    tool: str
    kind: str


def _tools(groups: Sequence[RowGroup], medians: Mapping[_Tool, int]) -> tuple[statistics.ToolStats, ...]:
    by_tool: defaultdict[_Tool, list[RowGroup]] = defaultdict(list)
    for group in groups:
        kind = rows.CALL if group.kind in rows.SERVER_CALLS else group.kind
        by_tool[_Tool(group.server, group.tool, kind)].append(group)
    tools = [_tool(tool, found, medians.get(tool)) for tool, found in by_tool.items()]
    return tuple(sorted(tools, key=lambda each: (-each.sizes.largest_tokens, each.id, each.kind)))


def _tool(tool: _Tool, groups: Sequence[RowGroup], median: int | None) -> statistics.ToolStats:
    risks: Counter[str] = Counter()
    read = [group for group in groups if group.kind != rows.CODE_CALL]
    for group in read:
        if group.risk:
            risks[group.risk] += group.rows
    seen = {group.advisory for group in read}
    return statistics.ToolStats(
        *tool,
        *_counts(groups),
        _sizes(groups, tool.kind),
        max(group.worst for group in groups),
        max(group.worst_after for group in groups),
        median,
        {tier: risks[tier] for tier in ("low", "medium", "high", "critical") if risks[tier]},
        next((advisory for advisory in _ADVISORIES if advisory in seen), None),
        max(group.last for group in groups),
        _code(groups),
    )


def _medians(connection: sqlite3.Connection, where: Condition, tools: Collection[_Tool]) -> dict[_Tool, int]:
    if not tools:
        return {}

    found = answer_sizes(
        connection,
        where,
        lambda sort: (
            _Tool(sort.server, sort.tool, rows.CALL if sort.kind == rows.CODE_CALL else sort.kind) in tools
        ),
    )
    return {_Tool(*tool): economics.nearest_rank(sizes.pairs, 50) for tool, sizes in found.items()}


def _servers(
    connection: sqlite3.Connection, where: Condition, groups: Sequence[RowGroup]
) -> tuple[statistics.ServerStats, ...]:
    marks = ", ".join("?" * len(NOT_ASKED))
    query = (
        f"SELECT server, us, count(*) FROM {JOINED} WHERE outcome NOT IN ({marks}) "  # noqa: S608
        f"AND kind NOT IN {(rows.MENU, *rows.UNSUMMED)} AND "
        f"{where.sql} GROUP BY server, us"
    )
    times: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
    for server, us, count in _rows(connection, query, (*NOT_ASKED, *where.values)):
        times[server].append((us, count))
    by_server: defaultdict[str, list[RowGroup]] = defaultdict(list)
    for group in groups:
        if group.kind not in _NO_CALLS:
            by_server[group.server].append(group)
    summaries = [
        statistics.ServerStats(
            server, *_counts(found), *(distributions.percentiles(times[server]) if server in times else ())
        )
        for server, found in by_server.items()
    ]
    return tuple(sorted(summaries, key=lambda each: (-each.calls, each.server)))


class _Part(NamedTuple):
    """The rows of one kind in a session, of one principal."""

    session: int
    principal: str
    kind: str
    rows: int
    on_server: int
    first: float
    last: float
    bytes_before: int
    bytes_after: int
    tokens_before: int
    tokens_after: int


def _parts(connection: sqlite3.Connection, where: Condition) -> list[_Part]:
    on_server = f"server <> '{rows.BUILTIN_SERVER}' AND kind IN {rows.SERVER_CALLS} AND outcome NOT IN {rows.REJECTED}"
    query = (
        f"SELECT session, caller, kind, count(*), sum({on_server}), min(at), max(at), {_SUMS} "  # noqa: S608
        f"FROM {JOINED} WHERE {where.sql} GROUP BY 1, 2, 3"
    )
    names = dict(_rows(connection, "SELECT number, principal FROM principals"))
    return [
        _Part(session, names[caller], *part)
        for session, caller, *part in _rows(connection, query, where.values)
    ]


def _sessions(parts: Sequence[_Part]) -> tuple[statistics.SessionStats, ...]:
    """The sessions, the latest first."""
    found: defaultdict[int, list[_Part]] = defaultdict(list)
    for part in parts:
        found[part.session].append(part)
    sums = [
        statistics.SessionStats(session=rows.digest_of(session), **_summed(own))
        for session, own in found.items()
    ]
    return tuple(sorted(sums, key=lambda each: (-each.last, each.session)))


def _principals(parts: Sequence[_Part]) -> tuple[statistics.PrincipalStats, ...]:
    """Those whose answers had the most tokens first."""
    found: defaultdict[str, list[_Part]] = defaultdict(list)
    for part in parts:
        found[part.principal].append(part)
    sums = [
        statistics.PrincipalStats(principal=principal, **_summed(own)) for principal, own in found.items()
    ]
    return tuple(sorted(sums, key=lambda each: (-each.sizes.largest_tokens, each.principal)))


def _summed(parts: Sequence[_Part]) -> dict[str, Any]:
    return {
        "calls": sum(part.on_server for part in parts),
        "sizes": _sizes(parts, *rows.ANSWERS),
        "menus": _sizes(parts, rows.MENU),
        "discovery_tokens": sum(part.tokens_after for part in parts if part.kind not in _NOT_BUILTIN),
        "code": _code(parts),
        "first": min(part.first for part in parts),
        "last": max(part.last for part in parts),
    }
