"""A ledger's rows, of a time or a session where asked for → their account."""

import sqlite3
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import closing
from typing import Any, Final, NamedTuple

from toolbooth.gateway.ledger.chosen import Chosen
from toolbooth.gateway.ledger.file import JOINED
from toolbooth.gateway.ledger.latency import percentiles
from toolbooth.gateway.ledger.pricing import priced
from toolbooth.gateway.ledger.row import digest_of
from toolbooth.gateway.ledger.sizes import CALL, answer_sizes
from toolbooth.gateway.ledger.stats import (
    ServerAccount,
    SessionAccount,
    Sizes,
    Stats,
    ToolAccount,
    Totals,
)
from toolbooth.tokens import DEFAULT_MODEL

QUESTION: Final = "question"  # a server asks back: no end of a call, and no cost that anybody could save
# Outcomes of calls that never reached a server, or of which nobody knows how long they took.
NOT_ASKED: Final = (
    "bad_arguments",
    "unknown_tool",
    "not_found",
    "resting",
    "busy",
    "held_back",
    "daemon_ended",
)
MOST_SESSIONS: Final = 50
_ADVISORIES: Final = ("overload", "density", "overhead")
_FLOODS: Final = ("high", "critical")
_SPAN: Final = "count(*), max(tokens_before), max(tokens_after), min(at), max(at)"
_SUMS: Final = "sum(bytes_before), sum(bytes_after), sum(tokens_before), sum(tokens_after)"


class Group(NamedTuple):
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


def account(
    connection: sqlite3.Connection,
    since: float | None = None,
    session: str | None = None,
    model: str | None = None,
    *,
    medians: bool = False,
) -> Stats:
    """The account of one moment: rows that are committed meanwhile wait for the next. `session` is a digest.

    `medians` of tools that flood take as long as all the rest.
    """
    chosen = Chosen.of(since, session)
    connection.execute("BEGIN")
    try:
        groups = _groups(connection, chosen)
        servers = _servers(connection, chosen, groups)
        flooding = {_Tool(*group[:3]) for group in groups if medians and group.risk in _FLOODS}
        middle = _medians(connection, chosen, flooding)
        sessions, count = _sessions(connection, chosen)
    finally:
        connection.execute("COMMIT")
    totals = _totals(groups)
    price, note = priced(totals.net_saved_tokens, model or DEFAULT_MODEL)
    return Stats(
        totals,
        _tools(groups, middle),
        servers,
        sessions,
        count,
        min((group.first for group in groups), default=None),
        max((group.last for group in groups), default=None),
        price,
        note,
    )


def _groups(connection: sqlite3.Connection, chosen: Chosen) -> list[Group]:
    query = (
        "SELECT server, tool, kind, outcome, estimated, risk, advisory, steps, summed.* FROM "  # noqa: S608
        f"(SELECT {_SPAN}, {_SUMS}, sort FROM calls WHERE {chosen.where} GROUP BY sort) AS summed "
        "JOIN sorts ON sorts.id = summed.sort"
    )
    groups = (Group(*values[:-1]) for values in _rows(connection, query, chosen.values))
    return [group for group in groups if group.kind != QUESTION]


def _rows(connection: sqlite3.Connection, query: str, values: Sequence[Any] = ()) -> list[Any]:
    with closing(connection.execute(query, values)) as cursor:
        return cursor.fetchall()


def _sizes(groups: Iterable[Group]) -> Sizes:
    columns = list(zip(*(group[-4:] for group in groups), strict=True))
    return Sizes(*map(sum, columns))


def _totals(groups: Sequence[Group]) -> Totals:
    calls = [group for group in groups if group.kind == CALL]
    discovery: Counter[str] = Counter()
    outcomes: Counter[str] = Counter()
    steps: Counter[str] = Counter()
    for group in groups:
        if group.kind != CALL:
            discovery[group.kind] += group.tokens_after
        else:
            outcomes[group.outcome] += group.rows
        for step in filter(None, group.steps.split(",")):
            steps[step] += group.rows
    return Totals(
        sum(group.rows for group in calls),
        _errors(calls),
        _sizes(calls),
        dict(sorted(discovery.items())),
        dict(outcomes.most_common()),
        dict(steps.most_common()),
        sum(group.rows for group in groups),
        sum(group.rows for group in groups if group.estimated),
    )


def _errors(groups: Iterable[Group]) -> int:
    return sum(group.rows for group in groups if group.outcome != "ok")


class _Tool(NamedTuple):
    server: str
    tool: str
    kind: str


def _tools(groups: Sequence[Group], medians: Mapping[_Tool, int]) -> tuple[ToolAccount, ...]:
    by_tool: defaultdict[_Tool, list[Group]] = defaultdict(list)
    for group in groups:
        by_tool[_Tool(*group[:3])].append(group)
    tools = [_tool(tool, found, medians.get(tool)) for tool, found in by_tool.items()]
    return tuple(sorted(tools, key=lambda each: (-each.sizes.largest_tokens, each.id, each.kind)))


def _tool(tool: _Tool, groups: Sequence[Group], median: int | None) -> ToolAccount:
    risks: Counter[str] = Counter()
    for group in groups:
        if group.risk:
            risks[group.risk] += group.rows
    seen = {group.advisory for group in groups}
    return ToolAccount(
        *tool,
        sum(group.rows for group in groups),
        _errors(groups),
        _sizes(groups),
        max(group.worst for group in groups),
        max(group.worst_after for group in groups),
        median,
        {tier: risks[tier] for tier in ("low", "medium", "high", "critical") if risks[tier]},
        next((advisory for advisory in _ADVISORIES if advisory in seen), None),
        max(group.last for group in groups),
    )


def _medians(connection: sqlite3.Connection, chosen: Chosen, tools: Collection[_Tool]) -> dict[_Tool, int]:
    if not tools:
        return {}
    from toolbooth.economics import nearest_rank  # 0.1 s that an account without medians does not pay

    found = answer_sizes(connection, chosen, lambda sort: _Tool(*sort[:3]) in tools)
    return {_Tool(*tool): nearest_rank(sizes.pairs, 50) for tool, sizes in found.items()}


def _servers(
    connection: sqlite3.Connection, chosen: Chosen, groups: Sequence[Group]
) -> tuple[ServerAccount, ...]:
    marks = ", ".join("?" * len(NOT_ASKED))
    query = (
        f"SELECT server, us, count(*) FROM {JOINED} WHERE outcome NOT IN ({marks}) "  # noqa: S608
        f"AND kind NOT IN ('menu', '{QUESTION}') AND "
        f"{chosen.where} GROUP BY server, us"
    )
    times: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
    for server, us, count in _rows(connection, query, (*NOT_ASKED, *chosen.values)):
        times[server].append((us, count))
    asked: Counter[str] = Counter()
    failed: Counter[str] = Counter()
    for group in groups:
        if group.server in times and group.outcome not in NOT_ASKED and group.kind != "menu":
            asked[group.server] += group.rows
            failed[group.server] += group.rows if group.outcome != "ok" else 0
    return tuple(
        ServerAccount(server, asked[server], failed[server], *percentiles(times[server]))
        for server in sorted(times, key=lambda name: (-asked[name], name))
    )


def _sessions(connection: sqlite3.Connection, chosen: Chosen) -> tuple[tuple[SessionAccount, ...], int]:
    query = (
        f"SELECT session, kind = ?, count(*), min(at), max(at), {_SUMS} FROM {JOINED} WHERE {chosen.where} "  # noqa: S608
        "GROUP BY 1, 2"
    )
    found: defaultdict[int, dict[int, tuple[Any, ...]]] = defaultdict(dict)
    for session, is_call, *sums in _rows(connection, query, (CALL, *chosen.values)):
        found[session][is_call] = tuple(sums)
    accounts = [_session(session, by_kind) for session, by_kind in found.items()]
    accounts.sort(key=lambda each: (-each.last, each.session))
    return tuple(accounts[:MOST_SESSIONS]), len(accounts)


def _session(session: int, by_kind: Mapping[int, tuple[Any, ...]]) -> SessionAccount:
    calls, *_ = by_kind.get(1, (0,))
    sizes = Sizes(*by_kind[1][3:]) if 1 in by_kind else Sizes()
    discovery = by_kind[0][-1] if 0 in by_kind else 0
    return SessionAccount(
        digest_of(session),
        calls,
        sizes,
        discovery,
        min(sums[1] for sums in by_kind.values()),
        max(sums[2] for sums in by_kind.values()),
    )
