"""A catalog and the sessions over it → what a session of one call costs at sizes up to its own.

A smaller catalog has tools from all over the order of their weights, and is chosen several times where it is small.
Its menus come from the builders. How much shorter its search answers are is asked with some of the questions;
everything else of a session is as at full size.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from statistics import fmean
from typing import Final

from toolbooth.bench.golden import Question
from toolbooth.bench.modes.offer import Offer
from toolbooth.bench.modes.session import Course, Session, Step
from toolbooth.bench.modes.ways import WAYS
from toolbooth.bench.report import CurvePoint
from toolbooth.catalog import Catalog

Asked = Mapping[str, Sequence[Session]]  # by mode, in the order of the questions
Progress = Callable[[str], None]

QUESTIONS: Final = 24  # asked at each size: how long an answer is hardly depends on what is asked
_TOOLS_CHOSEN: Final = 128  # at each size, in choices of that size: few tools at once vary much in weight
_MOST_CHOICES: Final = 8
_SEARCHING: Final = tuple(way for way in WAYS if way.searches)


def sizes(tools: int) -> list[int]:
    """1, 2, 4, … and the catalog's own."""
    return [*(2**power for power in range(tools.bit_length()) if 2**power < tools), tools]


def curve(
    whole: Offer, questions: Sequence[Question], asked: Asked, progress: Progress
) -> tuple[CurvePoint, ...]:
    """Its last point is the catalog itself."""
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
    """Catalogs of this size, each with every so many-th tool by weight, from beginnings that are spread, too."""
    tools = [each.id for each in sorted(whole.weights, key=lambda each: (each.tokens, each.id))]
    many = max(1, min(_MOST_CHOICES, _TOOLS_CHOSEN // size))
    starts = [(nth + 0.5) / many for nth in range(many)]
    return [
        _only(whole.catalog, {tools[int((at + start) * len(tools) / size)] for at in range(size)})
        for start in starts
    ]


def _only(catalog: Catalog, kept: set[str]) -> Catalog:
    """Servers without any of these tools go."""
    servers = (
        replace(each, tools=tuple(tool for tool in each.tools if tool.id in kept)) for each in catalog.servers
    )
    return Catalog(tuple(each for each in servers if each.tools))


def _answers(offer: Offer, queries: Sequence[str]) -> dict[str, float]:
    """Mean tokens of a search answer, by mode; each query goes to all surfaces in turn, and is searched once."""
    tokens = [[offer.answer_tokens(way, query) for way in _SEARCHING] for query in queries]
    means = [fmean(column) for column in zip(*tokens, strict=True)]
    return {way.mode: mean for way, mean in zip(_SEARCHING, means, strict=True)}


def _point(
    offer: Offer, asked: Asked, answers: Mapping[str, float], at_full: Mapping[str, float]
) -> CurvePoint:
    """`answers` over those `at_full` size is what every search answer shrinks by here."""
    menus = {way.mode: float(offer.menu(way).carried) for way in WAYS}
    shares = {mode: answers[mode] / at_full[mode] for mode in answers}
    courses = {
        mode: Course.of([_shrunk(each, shares.get(mode, 1.0)) for each in sessions])
        for mode, sessions in asked.items()
    }
    return CurvePoint(
        tools=len(offer.catalog),
        paid={mode: course.paid(menus[mode]) for mode, course in courses.items()},
        menu=menus,
        paid_with_history={mode: course.with_history(menus[mode]) for mode, course in courses.items()},
    )


def _shrunk(session: Session, share: float) -> Session:
    if session.search is None:
        return session
    return replace(session, search=Step(session.search.call, session.search.answer * share))


def _mean(points: Sequence[CurvePoint]) -> CurvePoint:
    def mean(of: Callable[[CurvePoint], Mapping[str, float]]) -> dict[str, float]:
        return {mode: fmean(of(point)[mode] for point in points) for mode in of(points[0])}

    return CurvePoint(
        points[0].tools,
        mean(lambda point: point.paid),
        mean(lambda point: point.menu),
        mean(lambda point: point.paid_with_history),
    )
