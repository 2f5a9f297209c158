"""Figures on pages; an unknown one is a dash."""

import pytest

from toolbooth import figures
from toolbooth.web import scores


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (0, "0"),
        (12345.6, "12,346"),
        (12.34, "12.3"),
        (0.0123, "0.012"),
        (-4.26, "−4.3"),
        (None, "–"),
        (1e300, "1e+300"),
    ],
)
def test_numbers(value: float | None, written: str) -> None:
    assert figures.number(value) == written


@pytest.mark.parametrize(
    ("value", "written"), [(0, "0"), (0.2, "0.2"), (1500, "1.5k"), (17_570, "17.6k"), (2e6, "2M")]
)
def test_ticks_are_short(value: float, written: str) -> None:
    assert figures.short(value) == written


@pytest.mark.parametrize(
    ("value", "written"),
    [(0, "0 ms"), (0.0843, "84 µs"), (0.92, "0.92 ms"), (12.44, "12 ms"), (412, "412 ms"), (1840, "1.8 s")],
)
def test_times_have_the_unit_in_which_they_are_said(value: float, written: str) -> None:
    assert figures.milliseconds(value) == written


@pytest.mark.parametrize(
    ("share", "written"),
    [
        (0.9113, "91.1%"),
        (0.88, "88%"),
        (-0.047, "−4.7%"),
        (1.0, "100%"),
        (0.99996, "99.99%"),
        (None, "–"),
    ],
)
def test_percentages_never_round_up_to_all(share: float | None, written: str) -> None:
    assert figures.percent(share) == written


def test_memory_grows_into_gigabytes() -> None:
    assert figures.megabytes(63.4) == "63 MB"
    assert figures.megabytes(20_480) == "20 GB"


def test_scores_and_their_differences() -> None:
    assert scores.score(0.8724) == "0.872"
    assert scores.signed(-0.03) == "−0.030"
    assert scores.interval((0.8, 0.9)) == "0.800 to 0.900"
    assert scores.interval(None) == "–"
    assert scores.interval((1.0, 1.0)) == "–"


def test_a_probability_is_never_plainly_zero() -> None:
    assert scores.probability(0.0) == "< 0.001"
    assert scores.probability(0.012) == "0.012"


@pytest.mark.parametrize("value", [float("nan"), float("inf"), float("-inf")])
def test_what_is_not_finite_is_a_dash_everywhere(value: float) -> None:
    written = {
        each(value)
        for each in (figures.number, figures.short, figures.milliseconds, figures.megabytes, scores.score,
                     scores.hundredths, scores.signed, figures.percent, figures.times)
    }  # fmt: skip
    assert written == {"–"}
