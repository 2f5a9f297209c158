"""A run × a stored one → the figures that moved, and which of them moved too far."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from math import isclose
from pathlib import PurePath
from typing import Final, NamedTuple

from toolbooth.suite.report import CellKey, CellReport, Comparison, Identity, Moved, Report

__all__ = ["compare", "with_baseline"]


class Allowed(NamedTuple):
    """How far a figure may move for the worse: F1 in points, tokens in percent."""

    f1_drop: float = 0
    tokens_rise: float = 0


def compare(
    report: Report, baseline: Report, name: str, *, max_f1_drop: float = 0, max_tokens_rise: float = 0
) -> Comparison:
    """Pair the cells of two runs by suite, test, model and surface; a cell that was not run has no partner."""
    allowed = Allowed(max_f1_drop, max_tokens_rise)
    before, now = _ran(baseline), _ran(report)
    paired = [who for who in now if who in before]
    moved = {who: tuple(_moved(who.key, before[who], now[who], allowed)) for who in paired}
    return Comparison(
        name,
        tuple(each for who in paired for each in moved[who]),
        tuple(who.key for who in now if who not in before),
        tuple(who.key for who in before if who not in now),
        sum(not each for each in moved.values()),
    )


def with_baseline(
    report: Report,
    baseline: Report,
    name: str,
    *,
    max_f1_drop: float = 0,
    max_tokens_rise: float = 0,
    whole: bool = True,
) -> Report:
    """The report with its comparison; `name` is cut to the file's own where it leads through the whole machine.

    A run of some cells only, not the `whole`, says nothing of those that are not in it.
    """
    named = PurePath(name).name if PurePath(name).is_absolute() else name
    found = compare(report, baseline, named, max_f1_drop=max_f1_drop, max_tokens_rise=max_tokens_rise)
    return replace(report, comparison=found if whole else replace(found, gone=()))


def _ran(report: Report) -> dict[Identity, CellReport]:
    return {cell.identity: cell for cell in report.cells if cell.status != "not run"}


def _moved(key: CellKey, before: CellReport, now: CellReport, allowed: Allowed) -> Iterator[Moved]:
    passed = float(before.status == "passed"), float(now.status == "passed")
    if passed[0] != passed[1]:
        yield Moved(key, "passed", *passed, worse=passed[1] == 0)
    for figure, is_worse in _FIGURES.items():
        old, new = before.figure(figure), now.figure(figure)
        if _differ(old, new):
            worse = _lost(figure, now) if new is None else old is not None and is_worse(old, new, allowed)
            yield Moved(key, figure, old, new, worse)


def _differ(old: float | None, new: float | None) -> bool:
    if old is None or new is None:
        return old is not new
    return not isclose(old, new, rel_tol=1e-9)


def _lost(figure: str, now: CellReport) -> bool:
    """Tokens for each right choice are gone for the worse where nothing is right any more, not where a gate is gone."""
    return figure in _TOKENS and 0 in (now.figure("correct_selections"), now.figure("f1"))


def _fell(old: float, new: float, allowed: Allowed) -> bool:
    return old - new > allowed.f1_drop


def _rose(old: float, new: float, allowed: Allowed) -> bool:
    most = old * (100 + allowed.tokens_rise) / 100
    return new > most and not isclose(new, most, rel_tol=1e-9)


def _shown_only(_old: float, _new: float, _allowed: Allowed) -> bool:
    """Prices change by themselves."""
    return False


_TOKENS: Final = ("tokens_per_correct", "paid_tokens_per_correct")
_FIGURES: Final[dict[str, Callable[[float, float, Allowed], bool]]] = {
    "f1": _fell,
    **dict.fromkeys(_TOKENS, _rose),
    "cost_per_correct": _shown_only,
}
