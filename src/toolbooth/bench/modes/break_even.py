"""Courses of sessions and a curve over sizes → from which call, and from which size of catalog, a mode pays."""

from collections.abc import Callable, Sequence
from math import floor
from typing import Final, NamedTuple

from toolbooth.bench.modes.session import Course
from toolbooth.bench.modes.ways import BASELINE, Way
from toolbooth.bench.report import BreakEven, CurvePoint

MOST_CALLS: Final = 10_000  # in one session: below the baseline up to there is below it without an end


class Priced(NamedTuple):
    """A mode's mean session, and what its menu weighs with the instructions; `grows`: with every further tool."""

    way: Way
    course: Course
    menu: int
    grows: float

    def cost(self, calls: int) -> float:
        """Of one session, with all that is sent again."""
        return self.course.with_history(self.menu, calls)


def break_even(
    mode: Priced, baseline: Priced, points: Sequence[CurvePoint], *, estimated: bool = False
) -> BreakEven:
    """`estimated` where no questions were asked; a size beyond the catalog's own is estimated in any case."""
    calls = _calls_where(lambda calls: mode.cost(calls) < baseline.cost(calls))
    tools = _from_size(points, mode.way.mode)
    if tools is None:
        tools = _beyond(mode, baseline, points[-1].tools)
        estimated = estimated or tools is not None
    return BreakEven(
        mode=mode.way.mode,
        first_call=calls.first,
        last_call=calls.last,
        catalog_tools=tools,
        label="estimated" if estimated else "computed",
    )


class _Calls(NamedTuple):
    first: int | None
    last: int | None


def _calls_where(cheaper: Callable[[int], bool]) -> _Calls:
    """The first call and the last; no last one where there is no end to it."""
    first = next((calls for calls in range(1, MOST_CALLS + 1) if cheaper(calls)), None)
    if first is None or cheaper(MOST_CALLS):
        return _Calls(first, None)
    return _Calls(first, next(calls for calls in range(MOST_CALLS, 0, -1) if cheaper(calls)))


def _from_size(points: Sequence[CurvePoint], mode: str) -> int | None:
    """The smallest size from which on a session of one call is cheaper, on straight lines between the points."""
    gaps = [point.paid_with_history[mode] - point.paid_with_history[BASELINE.mode] for point in points]
    dearer = [at for at, gap in enumerate(gaps) if gap >= 0]
    if not dearer:
        return points[0].tools
    at = dearer[-1]
    if at == len(points) - 1:
        return None
    here, there = points[at].tools, points[at + 1].tools
    share = gaps[at] / (gaps[at] - gaps[at + 1])
    return min(there, floor(here + share * (there - here)) + 1)


def _beyond(mode: Priced, baseline: Priced, tools: int) -> int | None:
    """With more tools of the same mean weight, answers staying as long as they are; None where that never helps."""
    gap = mode.cost(1) - baseline.cost(1)
    gain = baseline.grows * (baseline.course.steps + 1) - mode.grows * (mode.course.steps + 1)
    return tools + floor(gap / gain) + 1 if gain > 0 else None
