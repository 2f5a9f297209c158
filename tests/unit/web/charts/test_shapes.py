"""Elements: foreign text is cleaned and escaped, ids are a chart's own, coordinates are short."""

from xml.etree.ElementTree import Element, fromstring, tostring

import pytest
from tests.unit.web.reports import HOSTILE

from toolbooth.web.charts.labels import shorten, spread_apart, text_width
from toolbooth.web.charts.shapes import Drawing, Position, box, path, svg, svg_number, text, words_and_note


def parsed(made: str) -> Element:
    return fromstring(made)  # noqa: S314 - our own drawing


@pytest.mark.parametrize(
    ("value", "written"), [(12, "12"), (12.04, "12"), (3.25, "3.2"), (-0.01, "0"), (1e3, "1000")]
)
def test_coordinates_have_a_decimal_at_most(value: float, written: str) -> None:
    assert svg_number(value) == written


def test_hostile_words_are_text_and_nothing_else() -> None:
    parts = (text(Position(0, 0), HOSTILE), words_and_note(Position(0, 0), HOSTILE, HOSTILE, "note"))
    made = svg(Drawing(10, 10, parts), "name", HOSTILE, HOSTILE)
    assert "<script" not in made
    assert not set("\u202e\u200b\x1b\ue000\u2028") & set(made)
    assert {each.tag for each in parsed(made).iter()} == {"svg", "title", "desc", "text", "tspan"}


def test_a_chart_says_what_it_is() -> None:
    root = parsed(svg(Drawing(10, 20, ()), "recall-wide", "Recall", "Lines."))
    assert root.get("role") == "img"
    assert root.get("viewBox") == "0 0 10 20"
    ids = str(root.get("aria-labelledby")).split()
    assert [each.get("id") for each in root] == ids
    assert [each.text for each in root] == ["Recall", "Lines."]


def test_shortened_words_show_the_whole_when_pointed_at() -> None:
    made = text(Position(0, 0), "ab…yz", whole="abcdefghijklmnopqrstuvwxyz")
    assert made.find("title") is not None
    assert text(Position(0, 0), "whole", whole="whole").find("title") is None


def test_a_path_goes_through_its_places() -> None:
    assert path([Position(0, 1), Position(2.55, 3)], "line").get("d") == "M0 1L2.5 3"
    assert path([Position(0, 0), Position(1, 1)], "band", closed=True).get("d") == "M0 0L1 1Z"


def test_a_box_is_never_narrower_than_nothing() -> None:
    assert b'width="0"' in tostring(box(Position(0, 0), -3, 10, "fill"))


def test_words_are_cut_in_the_middle() -> None:
    short = shorten("calendar.create_event_with_guests_and_rooms", 140)
    assert short.startswith("calendar")
    assert short.endswith("rooms")
    assert "…" in short
    assert text_width(short) <= 140


def test_words_that_fit_stay() -> None:
    assert shorten("mail.send", 140) == "mail.send"


def test_labels_that_are_apart_stay_where_they_are() -> None:
    assert spread_apart([10, 60, 120], 16, 0, 200) == [10, 60, 120]


def test_labels_that_touch_move_apart() -> None:
    assert spread_apart([50, 50, 52], 16, 0, 200) == [50, 66, 82]
