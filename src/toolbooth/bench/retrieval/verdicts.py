"""Two runs over the same questions → on each measure the difference, its bounds and whether chance explains it."""

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from toolbooth.bench.bootstrap import Interval, Values, sign_flip
from toolbooth.bench.report import Verdict
from toolbooth.bench.retrieval.measured import Measured

COMPARED: Final = ("recall_at_5", "ndcg_at_10", "mrr", "recall_at_1")
_ROUNDING: Final = 1e-12  # sums in another order differ by this much and are still equal


def differences(ours: Measured, other: Measured) -> list[Values]:
    """Ours minus the other's, question by question, a column for each compared measure."""
    return [ours.column(measure) - other.column(measure) for measure in COMPARED]


def verdicts(columns: Sequence[Values], intervals: Sequence[Interval], seed: int) -> tuple[Verdict, ...]:
    """One for each compared measure."""
    return tuple(_verdicts(columns, intervals, seed))


def _verdicts(columns: Sequence[Values], intervals: Sequence[Interval], seed: int) -> Iterator[Verdict]:
    for measure, column, interval in zip(COMPARED, columns, intervals, strict=True):
        better = int(np.count_nonzero(column > _ROUNDING))
        worse = int(np.count_nonzero(column < -_ROUNDING))
        yield Verdict(measure, *interval, sign_flip(column, seed), better, worse)
