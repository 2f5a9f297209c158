"""Lines: names at the ends or in a legend, bands, marks, hollow points, and axes for whatever comes."""

import pytest
from tests.unit.web.charts.drawings import number, of_class, words

from toolbooth.figures import short
from toolbooth.web.charts.lines import AxisMark, LinePlot, Point, Series, lines
from toolbooth.web.charts.shapes import BASE


def plot(*series: Series, **more: object) -> LinePlot:
    return LinePlot(series, "tools", "tokens", short, short, **more)  # type: ignore[arg-type]


def line(name: str = "ours", number: int = 0, *heights: float) -> Series:
    return Series(name, tuple(Point(at, y) for at, y in enumerate(heights or (1, 2, 4), start=1)), number)


def test_names_stand_at_the_ends_of_the_lines_or_in_a_legend() -> None:
    wide, narrow = (lines(plot(line("ours"), line("theirs", 1)), width) for width in (560, 300))
    assert len(of_class(wide, "name")) == 2
    assert not of_class(narrow, "name")
    assert {"ours", "theirs"} <= set(words(narrow))


def test_names_that_would_touch_move_apart() -> None:
    names = of_class(lines(plot(line("a"), line("b", 1), line("c", 2)), 560), "name")
    heights = sorted(number(name, "y") for name in names)
    assert heights[1] - heights[0] >= 15
    assert heights[2] - heights[1] >= 15


def test_series_differ_by_mark_as_well_as_by_colour() -> None:
    drawing = lines(plot(*(line(str(at), at) for at in range(6))), 560)
    shapes = {
        (mark.tag, mark.get("d", "")[-8:])
        for at in range(6)
        for mark in of_class(drawing, f"mark tone-{at}")[:1]
    }
    assert len(shapes) == 6


def test_the_baseline_is_grey() -> None:
    assert of_class(lines(plot(line("every definition", BASE)), 560), "line tone-base")


def test_a_band_goes_around_a_line_with_intervals() -> None:
    points = tuple(Point(k, 0.5 + k / 20, 0.4, 0.9) for k in range(1, 6))
    assert of_class(lines(plot(Series("ours", points, 0)), 560), "band tone-0")
    assert not of_class(lines(plot(line()), 560), "band")


def test_points_that_are_not_real_are_hollow() -> None:
    points = (Point(50, 1), Point(500, 2), Point(5000, 3, hollow=True))
    drawing = lines(plot(Series("ours", points, 0), x_log=True, y_log=True), 560)
    assert len(of_class(drawing, "hollow")) == 1
    assert len(of_class(drawing, "mark")) == 2


def test_a_mark_stands_at_its_place_with_its_words() -> None:
    drawing = lines(plot(line(), marks=(AxisMark(2, "2: search surface"),)), 560)
    reference = of_class(drawing, "reference")[0]
    middle = of_class(drawing, "mark")[1]
    assert number(reference, "x1") == pytest.approx(number(middle, "cx"), abs=0.1)
    assert "2: search surface" in words(drawing)


@pytest.mark.parametrize("log", [False, True])
@pytest.mark.parametrize(
    "heights", [(5.0,), (0.0, 0.0), (-3.0, 4.0), (float("nan"), 2.0), (float("inf"),), (1e300, 1.0)]
)
def test_odd_values_leave_an_axis_and_finite_places(heights: tuple[float, ...], log: bool) -> None:
    drawing = lines(plot(line("ours", 0, *heights), x_log=log, y_log=log), 300)
    text = " ".join(
        str(value) for part in drawing.parts for each in part.iter() for value in each.attrib.values()
    )
    assert "nan" not in text
    assert "inf" not in text
    assert of_class(drawing, "tick")


def test_no_series_are_no_fault() -> None:
    assert lines(plot(), 560).height > 0
