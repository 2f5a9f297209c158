"""A ledger's rows → how large the answers of each tool were."""

import sqlite3
from collections import defaultdict
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from toolbooth.gateway.ledger.chosen import Chosen
from toolbooth.gateway.ledger.row import CALL, SERVER_CALLS

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


@dataclass
class AnswerSizes:
    """Tokens of a tool's answers as its server sent them, each size with how often it occurred.

    `worst_after` is what a client got at most; not `exact` where a size was told from samples.
    """

    pairs: list[tuple[int, int]] = field(default_factory=list)
    worst_after: int = 0
    exact: bool = True


def answer_sizes(
    connection: sqlite3.Connection, chosen: Chosen, wanted: Callable[[Sort], bool]
) -> dict[tuple[str, str, str], AnswerSizes]:
    """By server, tool and kind, whoever read them; a call without an answer says nothing of its size."""
    with closing(connection.execute(_ANSWERED_SORTS)) as cursor:
        sorts = {number: sort for number, *told in cursor.fetchall() if wanted(sort := Sort(*told))}
    query = (
        "SELECT sort, tokens_before, count(*), max(tokens_after) FROM calls WHERE sort IN "  # noqa: S608
        f"({', '.join(map(str, sorts))}) AND {chosen.where} GROUP BY sort, tokens_before"
    )
    found: defaultdict[tuple[str, str, str], AnswerSizes] = defaultdict(AnswerSizes)
    if sorts:
        with closing(connection.execute(query, chosen.values)) as cursor:
            for number, tokens, times, after in cursor.fetchall():
                sort = sorts[number]
                sizes = found[sort.server, sort.tool, CALL if sort.kind in SERVER_CALLS else sort.kind]
                sizes.pairs.append((tokens, times))
                sizes.worst_after = max(sizes.worst_after, after)
                sizes.exact = sizes.exact and not sort.estimated
    return dict(found)


def tool_answers(connection: sqlite3.Connection, chosen: Chosen) -> dict[str, AnswerSizes]:
    """Of servers' tools by `server.tool`, and only of calls that went well: an error says little of answers."""
    found = answer_sizes(connection, chosen, lambda sort: sort.kind in SERVER_CALLS and sort.outcome == "ok")
    return {f"{server}.{tool}": sizes for (server, tool, _), sizes in found.items()}
