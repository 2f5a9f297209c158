"""From which call, and from which size of catalog, a mode pays."""

import pytest
from tests.unit.bench.tokens.corpora import FORECAST, ISSUE, SAMPLE

from toolbooth.bench.report import CurvePoint
from toolbooth.bench.tokens.break_even import PricedMode, break_even, choices, curve, sizes
from toolbooth.bench.tokens.offer import BASELINE, DIRECT_SLIM, HEADLINE, WAYS, Offer
from toolbooth.bench.tokens.session import MeanSession, QuestionSession, SessionStep
from toolbooth.tokens import weigh

DIRECT = MeanSession.of([QuestionSession(SessionStep(10))])
SEARCHED = MeanSession.of([QuestionSession(SessionStep(12), SessionStep(5, 300))])


def priced(menu: int, tools: int = 50) -> PricedMode:
    return PricedMode(BASELINE, DIRECT, menu, menu / tools)


def searching(menu: int = 300) -> PricedMode:
    return PricedMode(HEADLINE, SEARCHED, menu, 0.0)


def points(*costs: tuple[int, float, float]) -> list[CurvePoint]:
    both = (BASELINE.mode, HEADLINE.mode)
    return [CurvePoint(tools, {}, {}, dict(zip(both, rest, strict=True))) for tools, *rest in costs]


FLAT = points((1, 100, 1000), (50, 5000, 1000))


def test_answers_pile_up_until_the_baseline_wins_again() -> None:
    found = break_even(searching(), priced(5000), FLAT)
    assert found.first_call == 1
    assert found.last_call is not None
    cheaper = [
        searching().cost(calls) < priced(5000).cost(calls) for calls in (found.last_call, found.last_call + 1)
    ]
    assert cheaper == [True, False]


def test_a_menu_that_is_light_enough_at_every_length_has_no_last_call() -> None:
    slim = PricedMode(DIRECT_SLIM, DIRECT, 4000, 80)
    found = break_even(slim, priced(5000), _renamed(FLAT))
    assert (found.first_call, found.last_call) == (1, None)


def test_a_dearer_mode_never_pays() -> None:
    heavy = PricedMode(DIRECT_SLIM, DIRECT, 6000, 120)
    found = break_even(heavy, priced(5000), _renamed(points((1, 100, 120), (50, 5000, 6000))))
    assert (found.first_call, found.last_call, found.catalog_tools) == (None, None, None)
    assert found.label == "computed"


def test_a_first_call_may_be_too_dear_and_later_ones_not() -> None:
    free = PricedMode(HEADLINE, MeanSession.of([QuestionSession(SessionStep(0), SessionStep(0))]), 100, 0.0)
    wordy = PricedMode(BASELINE, MeanSession.of([QuestionSession(SessionStep(30))]), 120, 2.4)
    assert free.cost(1) == wordy.cost(1)
    assert break_even(free, wordy, FLAT).first_call == 2


@pytest.mark.parametrize(
    ("costs", "size"),
    [
        ([(1, 100, 1000), (50, 5000, 1000)], 11),  # at 10 both cost the same
        ([(1, 1100, 1000), (50, 5000, 1000)], 1),
        ([(1, 100, 90), (2, 100, 110), (4, 300, 110)], 3),  # a dip does not count: from which size ON
        ([(1, 100, 1000), (2, 1000, 1000), (4, 2000, 1000)], 3),
    ],
)
def test_the_size_is_where_the_lines_cross_for_good(costs: list[tuple[int, float, float]], size: int) -> None:
    found = break_even(searching(), priced(5000), points(*costs))
    assert (found.catalog_tools, found.label) == (size, "computed")


def test_a_size_beyond_the_catalog_is_estimated_by_mean_weight() -> None:
    few, mode = priced(300, tools=3), searching()
    found = break_even(mode, few, points((1, 220, 1900), (3, 620, 1900)))
    assert found.label == "estimated"
    assert found.catalog_tools is not None
    gap = mode.cost(1) - few.cost(1)
    assert 200 * (found.catalog_tools - 3) > gap >= 200 * (found.catalog_tools - 4)


def test_without_questions_all_is_estimated() -> None:
    assert break_even(searching(), priced(5000), FLAT, estimated=True).label == "estimated"


def _renamed(given: list[CurvePoint]) -> list[CurvePoint]:
    return [
        CurvePoint(
            each.tools,
            {},
            {},
            {
                BASELINE.mode: each.paid_with_history[BASELINE.mode],
                DIRECT_SLIM.mode: each.paid_with_history[HEADLINE.mode],
            },
        )
        for each in given
    ]


OFFER = Offer(SAMPLE.catalog, "cl100k_base")
QUESTIONS = (ISSUE, FORECAST)
ASKED = {way.mode: [OFFER.session(way, each) for each in QUESTIONS] for way in WAYS}


@pytest.mark.parametrize(
    ("tools", "expected"), [(1, [1]), (2, [1, 2]), (8, [1, 2, 4, 8]), (13, [1, 2, 4, 8, 13])]
)
def test_sizes_double_up_to_the_catalogs_own(tools: int, expected: list[int]) -> None:
    assert sizes(tools) == expected


@pytest.mark.parametrize("size", [1, 4, 8, 12])
def test_choices_are_of_the_size_the_same_each_time_and_as_heavy_as_the_rest(size: int) -> None:
    chosen = choices(OFFER, size)
    assert {len(each) for each in chosen} == {size}
    assert chosen == choices(OFFER, size)
    mean = sum(weigh(each).total_tokens for each in chosen) / len(chosen) / size
    assert mean == pytest.approx(OFFER.weights.total_tokens / len(SAMPLE.catalog), rel=0.15)


def test_servers_without_a_chosen_tool_go() -> None:
    assert all(server.tools for each in choices(OFFER, 2) for server in each.servers)


def test_the_last_point_is_the_catalog_itself() -> None:
    said: list[str] = []
    points = curve(OFFER, QUESTIONS, ASKED, said.append)
    assert [each.tools for each in points] == [1, 2, 4, 8, 13]
    mean_session = MeanSession.of(ASKED[HEADLINE.mode])
    menu = OFFER.menu(HEADLINE).carried
    assert points[-1].menu[HEADLINE.mode] == menu
    assert points[-1].paid[HEADLINE.mode] == pytest.approx(mean_session.paid(menu))
    assert points[-1].paid_with_history[HEADLINE.mode] == pytest.approx(mean_session.with_history(menu))
    assert said[0] == "a session at 1 of 13 tools"


def test_the_baseline_grows_and_a_search_hardly_does() -> None:
    points = curve(OFFER, QUESTIONS, ASKED, lambda _: None)
    baseline = [each.paid[BASELINE.mode] for each in points]
    assert baseline == sorted(baseline)
    assert points[0].paid[HEADLINE.mode] < points[-1].paid[HEADLINE.mode] < 2 * points[0].paid[HEADLINE.mode]
