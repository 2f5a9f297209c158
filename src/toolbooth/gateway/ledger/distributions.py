"""Distributions: percentiles of times (nearest rank, from an HDR histogram), and sizes of the answers of each tool."""

import sqlite3
from collections import defaultdict
from collections.abc import Callable, Iterable
from contextlib import closing
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from toolbooth.gateway.ledger.row import CALL, SERVER_CALLS, RowFilter

__all__ = ["Percentiles", "percentiles"]


MICROSECONDS: Final = 1000  # in a millisecond
_LONGEST: Final = 24 * 3600 * 1000  # ms: no call lasts longer, whatever a wrong clock says
_DIGITS: Final = 3
_PERCENTS: Final = (50, 95, 99)


class Percentiles(NamedTuple):
    """In milliseconds."""

    p50: float
    p95: float
    p99: float
    max: float


def percentiles(times: Iterable[tuple[int, int]], per_ms: int = MICROSECONDS) -> Percentiles:
    """Percentiles of pairs of a time and a count; `per_ms` of the time's units make a millisecond."""
    from hdrh.histogram import HdrHistogram  # type: ignore[import-untyped]  # 20 ms, and only statistics need it

    most, longest = _LONGEST * per_ms, 0
    histogram = HdrHistogram(1, most, _DIGITS)
    for time, times_seen in times:
        histogram.record_value(max(1, min(time, most)), times_seen)
        longest = max(longest, time)
    # The histogram rounds to the nearest whole number for a rank; a percentage that is exactly a rank avoids
    # that.
    count = max(1, histogram.get_total_count())
    ranks = [-(-count * percent // 100) for percent in _PERCENTS]
    at = histogram.get_percentile_to_value_dict([100 * rank / count for rank in ranks])
    p50, p95, p99 = (min(at[100 * rank / count], longest) / per_ms for rank in ranks)
    return Percentiles(p50, p95, p99, longest / per_ms)


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

    `worst_after` is the most that a client got; not `exact` if a size was estimated from samples.
    """

    pairs: list[tuple[int, int]] = field(default_factory=list)
    worst_after: int = 0
    exact: bool = True


def answer_sizes(
    connection: sqlite3.Connection, row_filter: RowFilter, wanted: Callable[[Sort], bool]
) -> dict[tuple[str, str, str], AnswerSizes]:
    """By server, tool and kind, whoever read them; a call without an answer says nothing about its size."""
    with closing(connection.execute(_ANSWERED_SORTS)) as cursor:
        sorts = {number: sort for number, *key in cursor.fetchall() if wanted(sort := Sort(*key))}
    query = (
        "SELECT sort, tokens_before, count(*), max(tokens_after) FROM calls WHERE sort IN "  # noqa: S608
        f"({', '.join(map(str, sorts))}) AND {row_filter.where} GROUP BY sort, tokens_before"
    )
    found: defaultdict[tuple[str, str, str], AnswerSizes] = defaultdict(AnswerSizes)
    if sorts:
        with closing(connection.execute(query, row_filter.values)) as cursor:
            for number, tokens, times, after in cursor.fetchall():
                sort = sorts[number]
                sizes = found[sort.server, sort.tool, CALL if sort.kind in SERVER_CALLS else sort.kind]
                sizes.pairs.append((tokens, times))
                sizes.worst_after = max(sizes.worst_after, after)
                sizes.exact = sizes.exact and not sort.estimated
    return dict(found)


def tool_answers(connection: sqlite3.Connection, row_filter: RowFilter) -> dict[str, AnswerSizes]:
    """For servers' tools by `server.tool`, and only for calls that succeeded: an error says little about answers."""
    found = answer_sizes(
        connection, row_filter, lambda sort: sort.kind in SERVER_CALLS and sort.outcome == "ok"
    )
    return {f"{server}.{tool}": sizes for (server, tool, _), sizes in found.items()}
