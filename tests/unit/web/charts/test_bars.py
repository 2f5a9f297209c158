"""Bars: lengths follow values, the reference lies under them, labels move above where it is narrow."""

import pytest
from tests.unit.web.charts.drawings import number, of_class, words

from toolbooth.web.charts.bars import Bar, Stack, bars, stacked_bars

BARS = [
    Bar("every definition", 1000, "1,000", css="fill tone-base"),
    Bar("search surface", 250, "250", "75% less"),
]


@pytest.mark.parametrize("width", [300, 560])
def test_lengths_are_in_proportion(width: float) -> None:
    first, second = of_class(bars(BARS, width), "fill")
    assert number(second, "width") == pytest.approx(number(first, "width") / 4, abs=0.2)


@pytest.mark.parametrize("width", [300, 560])
def test_every_label_value_and_note_is_written(width: float) -> None:
    assert set(words(bars(BARS, width))) == {"every definition", "1,000", "search surface", "25075% less"}


def test_labels_stand_beside_the_bars_or_above_them() -> None:
    beside, above = (of_class(bars(BARS, width), "label")[0] for width in (560, 300))
    assert beside.get("text-anchor") == "end"
    assert above.get("text-anchor") is None


def test_the_reference_lies_under_every_bar() -> None:
    drawing = bars(BARS, 560, reference=1000)
    full = of_class(drawing, "fill")[0]
    assert [track.get("width") for track in of_class(drawing, "track")] == [full.get("width")] * 2


def test_a_bar_may_be_longer_than_the_reference() -> None:
    drawing = bars([Bar("dearer", 1300, "1,300", "30% more", bad=True)], 560, reference=1000)
    assert number(of_class(drawing, "fill")[0], "width") > number(of_class(drawing, "track")[0], "width")
    assert of_class(drawing, "bad")


def test_values_below_zero_go_to_the_left_of_zero() -> None:
    drawing = bars([Bar("up", 5, "5"), Bar("down", -5, "−5")], 560)
    up, down = of_class(drawing, "fill")
    zero = number(of_class(drawing, "zero")[0], "x1")
    assert number(up, "x") == pytest.approx(zero, abs=0.1)
    assert number(down, "x") + number(down, "width") == pytest.approx(zero, abs=0.2)


@pytest.mark.parametrize("value", [None, 0.0, float("nan"), float("inf")])
def test_without_a_value_only_the_words_stand_there(value: float | None) -> None:
    drawing = bars([Bar("nothing", value, "no right choice")], 560)
    assert not of_class(drawing, "fill")
    assert "no right choice" in words(drawing)


def test_the_smallest_value_is_seen() -> None:
    assert number(of_class(bars([Bar("a", 1e6, "1M"), Bar("b", 1, "1")], 560), "fill")[1], "width") >= 1.5


def test_no_bars_are_no_fault() -> None:
    assert bars([], 560).height > 0
    assert stacked_bars([], ["name"], 560).height > 0


def test_parts_of_a_stack_follow_one_another_and_the_legend_names_them() -> None:
    drawing = stacked_bars([Stack("tool", (10, 30, 60), "100")], ["name", "description", "schema"], 560)
    parts = [of_class(drawing, f"part-{at}")[-1] for at in range(3)]
    starts = [number(part, "x") for part in parts]
    assert starts == sorted(starts)
    assert {"name", "description", "schema"} <= set(words(drawing))
