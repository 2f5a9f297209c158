"""Smaller catalogs of the same tools, and what a session costs over them."""

import pytest
from tests.unit.bench.modes.corpora import FORECAST, ISSUE, SHELF

from toolbooth.bench.modes.curve import choices, curve, sizes
from toolbooth.bench.modes.offer import Offer
from toolbooth.bench.modes.session import Course
from toolbooth.bench.modes.ways import BASELINE, HEADLINE, WAYS
from toolbooth.tokens import weigh

OFFER = Offer(SHELF.catalog, "cl100k_base")
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
    assert mean == pytest.approx(OFFER.weights.total_tokens / len(SHELF.catalog), rel=0.15)


def test_servers_without_a_chosen_tool_go() -> None:
    assert all(server.tools for each in choices(OFFER, 2) for server in each.servers)


def test_the_last_point_is_the_catalog_itself() -> None:
    said: list[str] = []
    points = curve(OFFER, QUESTIONS, ASKED, said.append)
    assert [each.tools for each in points] == [1, 2, 4, 8, 13]
    course = Course.of(ASKED[HEADLINE.mode])
    menu = OFFER.menu(HEADLINE).carried
    assert points[-1].menu[HEADLINE.mode] == menu
    assert points[-1].paid[HEADLINE.mode] == pytest.approx(course.paid(menu))
    assert points[-1].paid_with_history[HEADLINE.mode] == pytest.approx(course.with_history(menu))
    assert said[0] == "a session at 1 of 13 tools"


def test_the_baseline_grows_and_a_search_hardly_does() -> None:
    points = curve(OFFER, QUESTIONS, ASKED, lambda _: None)
    baseline = [each.paid[BASELINE.mode] for each in points]
    assert baseline == sorted(baseline)
    assert points[0].paid[HEADLINE.mode] < points[-1].paid[HEADLINE.mode] < 2 * points[0].paid[HEADLINE.mode]
