"""Sizes of the answers of each tool, as the rows of a ledger have them."""

import sqlite3
from collections import defaultdict
from collections.abc import Callable
from contextlib import closing
from typing import Final, NamedTuple

from toolbooth.store.distributions import AnswerSizes
from toolbooth.store.rows import CALL, SERVER_CALLS, RowFilter
from toolbooth.store.sqlite.ledger_file import Condition, LedgerFile, condition

_ANSWERED_SORTS: Final = (
    "SELECT id, server, tool, kind, outcome, estimated FROM sorts WHERE risk <> ''"  # without one, no answer
)


class Sort(NamedTuple):
    """What rows have in common, as far as it matters here."""

    server: str
    tool: str
    kind: str
    outcome: str
    estimated: int


def answer_sizes(
    connection: sqlite3.Connection, where: Condition, wanted: Callable[[Sort], bool]
) -> dict[tuple[str, str, str], AnswerSizes]:
    """By server, tool and kind, whoever read them; a call without an answer says nothing about its size."""
    with closing(connection.execute(_ANSWERED_SORTS)) as cursor:
        sorts = {number: sort for number, *key in cursor.fetchall() if wanted(sort := Sort(*key))}
    query = (
        "SELECT sort, tokens_before, count(*), max(tokens_after) FROM calls WHERE sort IN "  # noqa: S608
        f"({', '.join(map(str, sorts))}) AND {where.sql} GROUP BY sort, tokens_before"
    )
    found: defaultdict[tuple[str, str, str], AnswerSizes] = defaultdict(AnswerSizes)
    if sorts:
        with closing(connection.execute(query, where.values)) as cursor:
            for number, tokens, times, after in cursor.fetchall():
                sort = sorts[number]
                sizes = found[sort.server, sort.tool, CALL if sort.kind in SERVER_CALLS else sort.kind]
                sizes.pairs.append((tokens, times))
                sizes.worst_after = max(sizes.worst_after, after)
                sizes.exact = sizes.exact and not sort.estimated
    return dict(found)


def tool_answers(file: LedgerFile, row_filter: RowFilter) -> dict[str, AnswerSizes]:
    """For servers' tools by `server.tool`, and only for calls that succeeded: an error says little about answers."""
    found = answer_sizes(
        file.connection,
        condition(row_filter),
        lambda sort: sort.kind in SERVER_CALLS and sort.outcome == "ok",
    )
    return {f"{server}.{tool}": sizes for (server, tool, _), sizes in found.items()}
