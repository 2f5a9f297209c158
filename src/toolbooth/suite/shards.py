"""Reports of the shards of one run → one report."""

from collections import Counter
from collections.abc import Sequence
from functools import reduce
from itertools import zip_longest

from toolbooth.errors import UserMistake
from toolbooth.safetext import for_terminal
from toolbooth.suite.report import CellReport, Comparison, Identity, Report

__all__ = ["join_reports"]


def join_reports(reports: Sequence[Report]) -> Report:
    """Cells in the order given; a cell that stands in two of them is refused."""
    if len(reports) == 1:
        return reports[0]
    cells = _in_order(reports)
    _refuse_twice([who for report in reports for who in {cell.identity for cell in report.cells}])
    return Report(
        suites=tuple(dict.fromkeys(suite for report in reports for suite in report.suites)),
        cells=cells,
        warnings=tuple(dict.fromkeys(warning for report in reports for warning in report.warnings)),
        seed=reports[0].seed,
        shard=_shards([report.shard for report in reports]),
        partial=any(report.partial for report in reports),
        comparison=_comparisons([report.comparison for report in reports if report.comparison is not None]),
    )


def _in_order(reports: Sequence[Report]) -> tuple[CellReport, ...]:
    """Shards take every n-th cell, so all of them together give back the order of the suites."""
    shards = sorted(reports, key=lambda report: int(report.shard.partition("/")[0] or 0))
    if [report.shard for report in shards] != [f"{at}/{len(shards)}" for at in range(1, len(shards) + 1)]:
        return tuple(cell for report in reports for cell in report.cells)
    rows = zip_longest(*(report.cells for report in shards))
    return tuple(cell for row in rows for cell in row if cell is not None)


def _refuse_twice(cells: Sequence[Identity]) -> None:
    twice = [who.key for who, times in Counter(cells).items() if times > 1]
    if twice:
        first = for_terminal(" · ".join(part for part in twice[0] if part), 120)
        raise UserMistake(
            f"{first} stands in two of these runs; give the shards of one run, or render them one by one"
        )


def _shards(names: Sequence[str]) -> str:
    """Nothing where they make a whole; else which parts these are."""
    whole = {f"{number}/{len(names)}" for number in range(1, len(names) + 1)}
    return "" if set(names) == whole else ", ".join(dict.fromkeys(name for name in names if name))


def _comparisons(parts: Sequence[Comparison]) -> Comparison | None:
    """What no shard has found a partner for is gone."""
    if not parts:
        return None
    gone = reduce(lambda left, right: left & right, (set(part.gone) for part in parts))
    return Comparison(
        parts[0].baseline,
        tuple(each for part in parts for each in part.moved),
        tuple(key for part in parts for key in part.added),
        tuple(key for key in parts[0].gone if key in gone),
        sum(part.same for part in parts),
    )
