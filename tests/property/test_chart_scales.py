"""Whatever is measured, an axis has finite, rising ticks inside its range, and every value a place on it."""

from itertools import pairwise
from math import isfinite

from hypothesis import given, strategies as st

from toolbooth.web.charts.axes import Scale, linear, logarithmic
from toolbooth.web.charts.labels import shorten, spread_apart, text_width

ANY = st.lists(st.floats() | st.floats(-1e6, 1e6), max_size=12)
COUNTS = st.integers(2, 9)


def holds(scale: Scale, values: list[float], most: int) -> None:
    ticks = scale.ticks(most)
    assert ticks
    assert all(isfinite(tick) and scale.low <= tick <= scale.high for tick in ticks)
    assert all(one < next_one for one, next_one in pairwise(ticks))
    assert len(ticks) <= most + 2 or scale.log
    for value in filter(isfinite, values):
        assert 10 <= scale.at(value) <= 250 + 1e-6


@given(ANY, COUNTS)
def test_a_linear_axis(values: list[float], most: int) -> None:
    scale = linear(values, 10, 250)
    assert scale.low <= 0 <= scale.high
    holds(scale, values, most)


@given(ANY, COUNTS)
def test_a_logarithmic_axis(values: list[float], most: int) -> None:
    scale = logarithmic(values, 10, 250)
    assert 0 < scale.low < scale.high
    holds(scale, values, most)


@given(st.lists(st.floats(0, 1e4), min_size=2, max_size=8, unique=True))
def test_places_keep_the_order_of_their_values(values: list[float]) -> None:
    scale = linear(values, 0, 500)
    places = [scale.at(value) for value in sorted(values)]
    assert places == sorted(places)


@given(st.lists(st.floats(-50, 400), max_size=9))
def test_labels_are_spread_within_their_room_and_keep_their_order(wanted: list[float]) -> None:
    places = spread_apart(wanted, 16, 0, 200)
    assert all(-1e-6 <= place <= 200 + 1e-6 for place in places)
    in_order = [places[at] for at in sorted(range(len(wanted)), key=lambda at: wanted[at])]
    assert in_order == sorted(in_order)
    gap = min(16.0, 200 / max(1, len(wanted) - 1))
    assert all(later - one >= gap - 1e-6 for one, later in pairwise(in_order))


@given(st.text(), st.floats(10, 400))
def test_shortened_words_fit_their_room(words: str, room: float) -> None:
    assert text_width(shorten(words, room)) <= max(room, text_width("…"))
