"""A report of the right shape → what in it cannot be: figures that every table counts on, and that are not there."""

from collections.abc import Iterator
from typing import Final

from toolbooth.bench.report.retrieval_section import MetricValues, RecallCurve, RetrievalSection
from toolbooth.safetext import for_terminal

_DEPTHS: Final = ("1", "3", "5", "10")
_MEASURES: Final = frozenset((*(f"recall_at_{k}" for k in _DEPTHS), "mrr", "ndcg_at_10", "map"))


def damage_in(section: RetrievalSection) -> Iterator[str]:
    """Each thing in one line; nothing for a section that a run of ours wrote."""
    yield from _of_metrics(section.metrics, "metrics")
    yield from _of_curve(section.curve, "curve")
    yield from _unknown(section.intervals, "intervals")
    for kind in section.kinds:
        if kind.metrics is not None:
            yield from _of_metrics(kind.metrics, f"kinds ({for_terminal(kind.kind, 40)})")
    for other in section.against:
        where = f"against ({for_terminal(other.engine, 40)})"
        yield from _of_metrics(other.metrics, where)
        yield from _of_curve(other.curve, where)
        yield from _unknown(other.intervals, where)
        yield from _unknown([verdict.metric for verdict in other.verdicts], where)


def _of_metrics(metrics: MetricValues, where: str) -> Iterator[str]:
    missing = [k for k in _DEPTHS if k not in metrics.recall_at]
    if missing:
        yield f"{where} have no recall_at {', '.join(missing)}"


def _of_curve(curve: RecallCurve, where: str) -> Iterator[str]:
    if not len(curve.mean) == len(curve.low) == len(curve.high):
        yield f"{where}: the curve's mean, low and high are not of one length"


def _unknown(names: "dict[str, tuple[float, float]] | list[str]", where: str) -> Iterator[str]:
    for name in names:
        if name not in _MEASURES:
            yield f"{where}: {for_terminal(name, 40)!r} is no measure"
