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
from toolbooth.gateway.ledger.row import (
    ANSWERS,
    CALL,
    CODE,
    CODE_CALL,
    LIST,
    MENU,
    OWN,
    QUESTION,
    REJECTED,
    SERVER_CALLS,
    UNSUMMED,
    digest_of,
)
from toolbooth.gateway.ledger.sizes import answer_sizes
from toolbooth.gateway.ledger.stats import (
    CodeAccount,
    ServerAccount,
    SessionAccount,
    Sizes,
    Stats,
    ToolAccount,
    Totals,
)
from toolbooth.tokens import DEFAULT_MODEL

NOT_ASKED: Final = (*REJECTED, "daemon_ended")  # no time of these is a server's
MOST_SESSIONS: Final = 50
_ADVISORIES: Final = ("overload", "density", "overhead")
_NO_CALLS: Final = (MENU, *UNSUMMED)
_FLOODS: Final = ("high", "critical")
_NOT_OWN: Final = (*ANSWERS, CODE_CALL, MENU, *UNSUMMED)  # all else is what our own tools cost
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

    @property
    def is_rejected(self) -> bool:
        """Ended by us before any server or any code saw it."""
        return self.outcome in REJECTED

    @property
    def on_server(self) -> int:
        """How many of the rows are calls that went to a server."""
        return 0 if self.is_rejected or self.server == OWN or self.kind not in SERVER_CALLS else self.rows


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
        flooding = {_Tool(*group[:3]) for group in groups if medians and _floods(group)}
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


def _floods(group: Group) -> bool:
    """An answer that only code read floods no context."""
    return group.risk in _FLOODS and group.kind != CODE_CALL


def _rows(connection: sqlite3.Connection, query: str, values: Sequence[Any] = ()) -> list[Any]:
    with closing(connection.execute(query, values)) as cursor:
        return cursor.fetchall()


def _sizes(groups: Iterable["Group | _Part"], *kinds: str) -> Sizes:
    columns = list(zip(*(group[-4:] for group in groups if group.kind in kinds), strict=True))
    return Sizes(*map(sum, columns))


def _code(groups: Sequence["Group | _Part"]) -> CodeAccount:
    calls = sum(group.on_server for group in groups if group.kind == CODE_CALL)
    return CodeAccount(
        calls, _sizes(groups, CODE_CALL).tokens_before, _sizes(groups, CODE).tokens_after if calls else 0
    )


def _totals(groups: Sequence[Group]) -> Totals:
    own: Counter[str] = Counter()
    outcomes: Counter[str] = Counter()
    rejected: Counter[str] = Counter()
    steps: Counter[str] = Counter()
    for group in groups:
        if group.kind not in _NO_CALLS:
            (rejected if group.is_rejected else outcomes)[group.outcome] += group.rows
        if group.kind not in _NOT_OWN:
            own[group.kind] += group.tokens_after
        for step in filter(None, group.steps.split(",")):
            steps[step] += group.rows
    calls = sum(group.on_server for group in groups)
    runs = sum(group.rows for group in groups if group.kind == CODE and not group.is_rejected)
    return Totals(
        calls,
        outcomes.total() - outcomes["ok"],
        _sizes(groups, *ANSWERS),
        _sizes(groups, MENU),
        dict(sorted(own.items())),
        _code(groups),
        dict(outcomes.most_common()),
        dict(steps.most_common()),
        sum(group.rows for group in groups),
        sum(group.rows for group in groups if group.estimated),
        runs,
        outcomes.total() - calls - runs,
        dict(rejected.most_common()),
    )


def _counts(groups: Iterable[Group]) -> tuple[int, int, int]:
    """Calls, errors among them, and calls that were rejected."""
    calls: Counter[str] = Counter()
    for group in groups:
        calls["rejected" if group.is_rejected else "ok" if group.outcome == "ok" else "failed"] += group.rows
    return calls["ok"] + calls["failed"], calls["failed"], calls["rejected"]


class _Tool(NamedTuple):
    server: str
    tool: str
    kind: str


def _tools(groups: Sequence[Group], medians: Mapping[_Tool, int]) -> tuple[ToolAccount, ...]:
    by_tool: defaultdict[_Tool, list[Group]] = defaultdict(list)
    for group in groups:
        kind = CALL if group.kind in SERVER_CALLS else group.kind
        by_tool[_Tool(group.server, group.tool, kind)].append(group)
    tools = [_tool(tool, found, medians.get(tool)) for tool, found in by_tool.items()]
    return tuple(sorted(tools, key=lambda each: (-each.sizes.largest_tokens, each.id, each.kind)))


def _tool(tool: _Tool, groups: Sequence[Group], median: int | None) -> ToolAccount:
    risks: Counter[str] = Counter()
    read = [group for group in groups if group.kind != CODE_CALL]
    for group in read:
        if group.risk:
            risks[group.risk] += group.rows
    seen = {group.advisory for group in read}
    return ToolAccount(
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


def _medians(connection: sqlite3.Connection, chosen: Chosen, tools: Collection[_Tool]) -> dict[_Tool, int]:
    if not tools:
        return {}
    from toolbooth.economics import nearest_rank  # 0.1 s that an account without medians does not pay

    found = answer_sizes(
        connection,
        chosen,
        lambda sort: _Tool(sort.server, sort.tool, CALL if sort.kind == CODE_CALL else sort.kind) in tools,
    )
    return {_Tool(*tool): nearest_rank(sizes.pairs, 50) for tool, sizes in found.items()}


def _servers(
    connection: sqlite3.Connection, chosen: Chosen, groups: Sequence[Group]
) -> tuple[ServerAccount, ...]:
    marks = ", ".join("?" * len(NOT_ASKED))
    query = (
        f"SELECT server, us, count(*) FROM {JOINED} WHERE outcome NOT IN ({marks}) "  # noqa: S608
        f"AND kind NOT IN ('{MENU}', '{LIST}', '{QUESTION}') AND "
        f"{chosen.where} GROUP BY server, us"
    )
    times: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
    for server, us, count in _rows(connection, query, (*NOT_ASKED, *chosen.values)):
        times[server].append((us, count))
    by_server: defaultdict[str, list[Group]] = defaultdict(list)
    for group in groups:
        if group.kind not in _NO_CALLS:
            by_server[group.server].append(group)
    accounts = [
        ServerAccount(server, *_counts(found), *(percentiles(times[server]) if server in times else ()))
        for server, found in by_server.items()
    ]
    return tuple(sorted(accounts, key=lambda each: (-each.calls, each.server)))


class _Part(NamedTuple):
    """The rows of one kind in a session."""

    kind: str
    rows: int
    on_server: int
    first: float
    last: float
    bytes_before: int
    bytes_after: int
    tokens_before: int
    tokens_after: int


def _sessions(connection: sqlite3.Connection, chosen: Chosen) -> tuple[tuple[SessionAccount, ...], int]:
    on_server = f"server <> '{OWN}' AND kind IN {SERVER_CALLS} AND outcome NOT IN {REJECTED}"
    query = (
        f"SELECT session, kind, count(*), sum({on_server}), min(at), max(at), {_SUMS} "  # noqa: S608
        f"FROM {JOINED} WHERE {chosen.where} GROUP BY 1, 2"
    )
    found: defaultdict[int, list[_Part]] = defaultdict(list)
    for session, *part in _rows(connection, query, chosen.values):
        found[session].append(_Part(*part))
    accounts = [_session(session, parts) for session, parts in found.items()]
    accounts.sort(key=lambda each: (-each.last, each.session))
    return tuple(accounts[:MOST_SESSIONS]), len(accounts)


def _session(session: int, parts: Sequence[_Part]) -> SessionAccount:
    return SessionAccount(
        digest_of(session),
        sum(part.on_server for part in parts),
        _sizes(parts, *ANSWERS),
        _sizes(parts, MENU),
        sum(part.tokens_after for part in parts if part.kind not in _NOT_OWN),
        _code(parts),
        min(part.first for part in parts),
        max(part.last for part in parts),
    )
