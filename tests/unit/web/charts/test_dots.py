"""Dots with whiskers, and strips of percentiles: places follow values on one axis."""

import pytest
from tests.unit.web.charts.drawings import number, of_class, words

from toolbooth.figures import short
from toolbooth.web.charts.dots import Dot, DotGroup, dots
from toolbooth.web.charts.percentiles import Strip, percentiles
from toolbooth.web.scores import hundredths

GROUPS = [
    DotGroup("Recall@5", (Dot(0.8, 0.7, 0.9), Dot(0.5))),
    DotGroup("MRR", (Dot(0.6, 0.5, 0.7), Dot(None))),
]


@pytest.mark.parametrize("width", [300, 560])
def test_a_whisker_goes_around_its_dot(width: float) -> None:
    drawing = dots(GROUPS, ["ours", "theirs"], width, hundredths)
    whisker, dot = of_class(drawing, "whisker tone-0")[0], of_class(drawing, "mark tone-0")[1]
    assert number(whisker, "x1") < number(dot, "cx") < number(whisker, "x2")


def test_what_has_no_value_has_no_dot_and_what_has_no_interval_no_whisker() -> None:
    drawing = dots(GROUPS, ["ours", "theirs"], 560, hundredths)
    assert len(of_class(drawing, "mark tone-1")) == 2  # one in the legend
    assert not of_class(drawing, "whisker tone-1")


def test_one_series_needs_no_legend() -> None:
    assert "ours" not in words(dots([DotGroup("Recall@5", (Dot(0.8),))], ["ours"], 560, hundredths))


@pytest.mark.parametrize("width", [300, 560])
def test_percentiles_rise_along_a_strip(width: float) -> None:
    strips = [Strip("search", 1, 2, 4, 30, "1 ms"), Strip("direct", 0.5, 1, 2, 3, "0.5 ms", direct=True)]
    drawing = percentiles(strips, width, short, "milliseconds")
    median, most = of_class(drawing, "mark tone-0")[-1], of_class(drawing, "hollow tone-0")[-1]
    assert number(median, "cx") < number(most, "cx")
    assert of_class(drawing, "mark tone-base")
    assert {"search", "direct", "1 ms", "milliseconds", "median", "p95", "p99", "most"} <= set(words(drawing))


@pytest.mark.parametrize("value", [0.0, float("nan"), float("inf"), 1e300])
def test_odd_times_are_no_fault(value: float) -> None:
    drawing = percentiles([Strip("search", value, value, value, value, "–")], 560, short, "milliseconds")
    places = [each.get("cx", "0") for each in of_class(drawing, "mark tone-0")]
    assert not {"nan", "inf"} & set(places)


def test_nothing_is_no_fault() -> None:
    assert dots([], [], 560, hundredths).height > 0
    assert percentiles([], 560, short, "milliseconds").height > 0
