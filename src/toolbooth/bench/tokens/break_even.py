"""The cost of a session at growing sizes of catalog, and the calls and sizes from which a mode pays.

A smaller catalog takes tools evenly from the order of their weights, and several are drawn for small sizes. Its menus
come from the builders. How much shorter its search answers are is measured with some of the questions; the rest of a
session is taken from the full size.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from math import floor
from statistics import fmean
from typing import Final, NamedTuple

from toolbooth.bench.golden import GoldenQuestion
from toolbooth.bench.report import BreakEven, CurvePoint
from toolbooth.bench.tokens.offer import BASELINE, WAYS, Offer, Way
from toolbooth.bench.tokens.session import MeanSession, QuestionSession, SessionStep
from toolbooth.catalog import Catalog

SessionsByMode = Mapping[str, Sequence[QuestionSession]]  # sessions by mode, in the order of the questions
Progress = Callable[[str], None]

QUESTIONS: Final = 24  # asked at each size: the length of an answer hardly depends on the question
_TOOLS_CHOSEN: Final = 128  # drawn at each size: few tools vary much in weight
_MOST_CHOICES: Final = 8
_SEARCHING: Final = tuple(way for way in WAYS if way.searches)


def sizes(tools: int) -> list[int]:
    """1, 2, 4, … and the catalog's own size."""
    return [*(2**power for power in range(tools.bit_length()) if 2**power < tools), tools]


def curve(
    whole: Offer, questions: Sequence[GoldenQuestion], asked: SessionsByMode, progress: Progress
) -> tuple[CurvePoint, ...]:
    """The points of the curve; the last one is the catalog itself."""
    total = len(whole.catalog)
    some = [each.query for each in questions[:: max(1, -(-len(questions) // QUESTIONS))]]
    at_full = _answers(whole, some)
    points = []
    for size in sizes(total)[:-1]:
        progress(f"a session at {size:,} of {total:,} tools")
        offers = [Offer(each, whole.encoding) for each in choices(whole, size)]
        points.append(_mean([_point(each, asked, _answers(each, some), at_full) for each in offers]))
    return (*points, _point(whole, asked, at_full, at_full))


def choices(whole: Offer, size: int) -> list[Catalog]:
    """Catalogs of this size; each takes every n-th tool by weight, from evenly spread offsets."""
    tools = [each.id for each in sorted(whole.weights, key=lambda each: (each.tokens, each.id))]
    many = max(1, min(_MOST_CHOICES, _TOOLS_CHOSEN // size))
    starts = [(nth + 0.5) / many for nth in range(many)]
    return [
        _only(whole.catalog, {tools[int((at + start) * len(tools) / size)] for at in range(size)})
        for start in starts
    ]


def _only(catalog: Catalog, kept: set[str]) -> Catalog:
    """The catalog with these tools; servers without any of them are dropped."""
    servers = (
        replace(each, tools=tuple(tool for tool in each.tools if tool.id in kept)) for each in catalog.servers
    )
    return Catalog(tuple(each for each in servers if each.tools))


def _answers(offer: Offer, queries: Sequence[str]) -> dict[str, float]:
    """Mean tokens of a search answer, by mode.

    Each query goes to all surfaces in turn, so that it is searched once.
    """
    tokens = [[offer.answer_tokens(way, query) for way in _SEARCHING] for query in queries]
    means = [fmean(column) for column in zip(*tokens, strict=True)]
    return {way.mode: mean for way, mean in zip(_SEARCHING, means, strict=True)}


def _point(
    offer: Offer, asked: SessionsByMode, answers: Mapping[str, float], at_full: Mapping[str, float]
) -> CurvePoint:
    """One point; the ratio of `answers` to those `at_full` size is how much shorter every search answer is here."""
    menus = {way.mode: float(offer.menu(way).carried) for way in WAYS}
    shares = {mode: answers[mode] / at_full[mode] for mode in answers}
    mean_sessions = {
        mode: MeanSession.of([_shrunk(each, shares.get(mode, 1.0)) for each in sessions])
        for mode, sessions in asked.items()
    }
    return CurvePoint(
        tools=len(offer.catalog),
        paid={mode: mean_session.paid(menus[mode]) for mode, mean_session in mean_sessions.items()},
        menu=menus,
        paid_with_history={
            mode: mean_session.with_history(menus[mode]) for mode, mean_session in mean_sessions.items()
        },
    )


def _shrunk(session: QuestionSession, share: float) -> QuestionSession:
    if session.search is None:
        return session
    return replace(session, search=SessionStep(session.search.call, session.search.answer * share))


def _mean(points: Sequence[CurvePoint]) -> CurvePoint:
    def mean(of: Callable[[CurvePoint], Mapping[str, float]]) -> dict[str, float]:
        return {mode: fmean(of(point)[mode] for point in points) for mode in of(points[0])}

    return CurvePoint(
        points[0].tools,
        mean(lambda point: point.paid),
        mean(lambda point: point.menu),
        mean(lambda point: point.paid_with_history),
    )


MOST_CALLS: Final = (
    10_000  # calls of a session: a mode that is cheaper up to there counts as cheaper without end
)


class PricedMode(NamedTuple):
    """A mode's mean session, and the tokens of its menu with the instructions; `grows`: each tool adds to it."""

    way: Way
    mean_session: MeanSession
    menu: int
    grows: float

    def cost(self, calls: int) -> float:
        """Tokens of a session with so many calls, with everything that is sent again."""
        return self.mean_session.with_history(self.menu, calls)


def break_even(
    mode: PricedMode, baseline: PricedMode, points: Sequence[CurvePoint], *, estimated: bool = False
) -> BreakEven:
    """`estimated` says that no questions were asked; a size beyond the catalog's own is always an estimate."""
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
    """The first call and the last; None for the last if there is no end."""
    first = next((calls for calls in range(1, MOST_CALLS + 1) if cheaper(calls)), None)
    if first is None or cheaper(MOST_CALLS):
        return _Calls(first, None)
    return _Calls(first, next(calls for calls in range(MOST_CALLS, 0, -1) if cheaper(calls)))


def _from_size(points: Sequence[CurvePoint], mode: str) -> int | None:
    """The smallest size from which a session of one call is cheaper, by linear interpolation between the points."""
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


def _beyond(mode: PricedMode, baseline: PricedMode, tools: int) -> int | None:
    """Extrapolated with tools of the same mean weight and answers of the same length; None if that never helps."""
    gap = mode.cost(1) - baseline.cost(1)
    gain = baseline.grows * (baseline.mean_session.steps + 1) - mode.grows * (mode.mean_session.steps + 1)
    return tools + floor(gap / gain) + 1 if gain > 0 else None
