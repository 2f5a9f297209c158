"""How fast figures grow, and what is said of them."""

from collections.abc import Callable

import pytest
from tests.unit.bench.growth.points import point

from toolbooth.bench.growth.slopes import bends, exponents
from toolbooth.bench.report import SizePoint

SIZES = (50, 500, 5_000, 50_000)


def points(search: Callable[[int], float]) -> tuple[SizePoint, ...]:
    return tuple(point(size, search_p50_ms=search(size)) for size in SIZES)


def test_what_grows_as_the_catalog_has_the_exponent_one_and_is_no_bend() -> None:
    assert set(exponents(points(float)).values()) == {1.0}
    assert bends(points(float)) == ()


def test_only_the_last_sizes_count() -> None:
    assert exponents(points(lambda tools: 1.0 if tools == 50 else tools**0.5))["search_p50_ms"] == 0.5


def test_what_grows_faster_is_named_with_its_sizes() -> None:
    (said,) = bends(points(lambda tools: 500.0 if tools <= 500 else tools**2 / 500))
    assert said == (
        "a search (p50) grows faster than the catalog from 500 to 5,000 (exponent 2.00), "
        "5,000 to 50,000 (exponent 2.00)"
    )


def test_what_stops_being_flat_is_named_with_its_size() -> None:
    (said,) = bends(points(lambda tools: max(500.0, tools * 0.9)))
    assert said.startswith("a search (p50) stays nearly flat up to 500 tools and then grows with the catalog")


@pytest.mark.parametrize("size", [0, 1])
def test_a_single_size_has_no_slope(size: int) -> None:
    assert exponents(points(float)[:size]) == {}
    assert bends(points(float)[:size]) == ()


def test_a_figure_of_nothing_has_no_slope() -> None:
    assert "search_p50_ms" not in exponents(points(lambda _: 0.0))
