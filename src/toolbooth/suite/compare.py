"""The comparison of a run with a stored one: which figures changed, and which of them got worse than allowed."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from math import isclose
from pathlib import PurePath
from typing import Final, NamedTuple

from toolbooth.suite.report import CellIdentity, CellKey, CellReport, FigureChange, RunComparison, SuiteReport

__all__ = ["compare", "with_baseline"]


class Allowed(NamedTuple):
    """How much worse a figure may get: F1 in points, tokens in percent."""

    f1_drop: float = 0
    tokens_rise: float = 0


def compare(
    report: SuiteReport,
    baseline: SuiteReport,
    name: str,
    *,
    max_f1_drop: float = 0,
    max_tokens_rise: float = 0,
) -> RunComparison:
    """Pair the cells of two runs by suite, test, model and surface; a cell that was not run has no counterpart."""
    allowed = Allowed(max_f1_drop, max_tokens_rise)
    before, now = _cells_run(baseline), _cells_run(report)
    paired = [who for who in now if who in before]
    moved = {who: tuple(_moved(who.key, before[who], now[who], allowed)) for who in paired}
    return RunComparison(
        name,
        tuple(each for who in paired for each in moved[who]),
        tuple(who.key for who in now if who not in before),
        tuple(who.key for who in before if who not in now),
        sum(not each for each in moved.values()),
    )


def with_baseline(
    report: SuiteReport,
    baseline: SuiteReport,
    name: str,
    *,
    max_f1_drop: float = 0,
    max_tokens_rise: float = 0,
    whole: bool = True,
) -> SuiteReport:
    """The report with its comparison. An absolute path in `name` is cut to the file name.

    A run of only some cells (`whole` is false) does not report the other cells as gone.
    """
    named = PurePath(name).name if PurePath(name).is_absolute() else name
    found = compare(report, baseline, named, max_f1_drop=max_f1_drop, max_tokens_rise=max_tokens_rise)
    return replace(report, comparison=found if whole else replace(found, gone=()))


def _cells_run(report: SuiteReport) -> dict[CellIdentity, CellReport]:
    return {cell.identity: cell for cell in report.cells if cell.status != "not run"}


def _moved(key: CellKey, before: CellReport, now: CellReport, allowed: Allowed) -> Iterator[FigureChange]:
    passed = float(before.status == "passed"), float(now.status == "passed")
    if passed[0] != passed[1]:
        yield FigureChange(key, "passed", *passed, worse=passed[1] == 0)
    for figure, is_worse in _FIGURES.items():
        old, new = before.figure(figure), now.figure(figure)
        if _differ(old, new):
            worse = _lost(figure, now) if new is None else old is not None and is_worse(old, new, allowed)
            yield FigureChange(key, figure, old, new, worse)


def _differ(old: float | None, new: float | None) -> bool:
    if old is None or new is None:
        return old is not new
    return not isclose(old, new, rel_tol=1e-9)


def _lost(figure: str, now: CellReport) -> bool:
    """A missing tokens-per-correct figure is worse if nothing is right any more, but not if its gate was removed."""
    return figure in _TOKENS and 0 in (now.figure("correct_selections"), now.figure("f1"))


def _fell(old: float, new: float, allowed: Allowed) -> bool:
    return old - new > allowed.f1_drop


def _rose(old: float, new: float, allowed: Allowed) -> bool:
    most = old * (100 + allowed.tokens_rise) / 100
    return new > most and not isclose(new, most, rel_tol=1e-9)


def _shown_only(_old: float, _new: float, _allowed: Allowed) -> bool:
    """Never worse: prices change by themselves."""
    return False


_TOKENS: Final = ("tokens_per_correct", "paid_tokens_per_correct")
_FIGURES: Final[dict[str, Callable[[float, float, Allowed], bool]]] = {
    "f1": _fell,
    **dict.fromkeys(_TOKENS, _rose),
    "cost_per_correct": _shown_only,
}
