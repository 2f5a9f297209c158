"""How fast figures grow, and what is said of them."""

from collections.abc import Callable

import pytest
from tests.unit.bench.growth.samples import point

from toolbooth.bench.growth.slopes import bends, exponents
from toolbooth.bench.report import SizePoint

SIZES = (50, 500, 5_000, 50_000)
NOTHING = "nothing grows faster than the catalog"


def points(search: Callable[[int], float]) -> tuple[SizePoint, ...]:
    return tuple(point(size, search_p50_ms=search(size)) for size in SIZES)


def test_what_grows_as_the_catalog_has_the_exponent_one_and_is_no_bend() -> None:
    assert set(exponents(points(float)).values()) == {1.0}
    assert bends(points(float)) == (NOTHING,)


def test_only_the_last_sizes_count() -> None:
    assert exponents(points(lambda tools: 1.0 if tools == 50 else tools**0.5))["search_p50_ms"] == 0.5


def test_what_grows_faster_is_named_with_its_sizes() -> None:
    (said,) = bends(points(lambda tools: 500.0 if tools <= 500 else tools**2 / 500))
    assert said == (
        "a search (p50) grows faster than the catalog: exponent 2.00 from 500 to 5,000 tools, "
        "exponent 2.00 from 5,000 to 50,000 tools"
    )


def test_what_bends_at_the_last_size_alone_is_named() -> None:
    (said,) = bends(points(lambda tools: tools * (2.0 if tools == SIZES[-1] else 1.0)))
    assert said == "a search (p50) grows faster than the catalog: exponent 1.30 from 5,000 to 50,000 tools"


def test_a_steep_step_that_does_not_last_is_no_bend() -> None:
    assert bends(points(lambda tools: tools * (1.9 if tools == 5_000 else 1.0)))[0] == NOTHING


def test_what_stops_being_flat_is_named_with_its_size() -> None:
    nothing, said = bends(points(lambda tools: max(500.0, tools * 0.9)))
    assert nothing == NOTHING
    assert said == (
        "a search (p50) stays nearly flat up to 500 tools, then grows (exponent 1.00 from 5,000 to 50,000)"
    )


@pytest.mark.parametrize("size", [0, 1])
def test_a_single_size_has_no_slope(size: int) -> None:
    assert exponents(points(float)[:size]) == {}
    assert bends(points(float)[:size]) == ()


def test_a_figure_of_nothing_has_no_slope() -> None:
    assert "search_p50_ms" not in exponents(points(lambda _: 0.0))
