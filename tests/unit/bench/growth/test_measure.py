"""How fast figures grow, and what is said of them."""

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.unit.bench.growth.samples import CATALOG, point

from toolbooth.bench.growth import GrowthPlan, measure_growth
from toolbooth.bench.growth.measure import bends, exponents
from toolbooth.bench.report import SizePoint
from toolbooth.errors import NothingToWeigh
from toolbooth.tokens import weigh

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


# A Python that works so many times and is then killed, as by a system that has no memory left.
KILLED = """#!/bin/sh
echo >> "$0.times"
[ $(wc -l < "$0.times") -gt {times} ] && kill -9 $$
exec {python} "$@"
"""


def killed_python(folder: Path, times: int) -> str:
    path = folder / "python"
    path.write_text(KILLED.format(times=times, python=sys.executable))
    path.chmod(0o700)
    return str(path)


@pytest.mark.promise("bench:growth")
def test_every_size_is_measured_and_what_is_made_up_is_counted() -> None:
    reported: list[str] = []
    section = measure_growth(GrowthPlan("small", CATALOG, (40, 10), searches=5), reported.append)
    small, large = section.points
    assert reported == ["10 tools (1 of 2)", "40 tools (2 of 2)"]
    assert [(each.tools, each.made_up) for each in section.points] == [(10, 0), (40, 10)]
    assert 0 < small.baseline_tokens < large.baseline_tokens
    assert small.menu_tokens == large.menu_tokens > 0
    assert large.baseline_tokens > weigh(CATALOG).total_tokens
    for each in section.points:
        figures = (each.read_ms, each.build_ms, each.start_ms, each.search_p50_ms, each.memory_mb)
        assert all(figure > 0 for figure in figures)
        assert each.search_p50_ms <= each.search_p95_ms
    assert section.exponents["menu_tokens"] == 0
    assert "50% of its tools have no schema" in section.notes[1]
    assert not section.partial


@pytest.mark.promise("bench:growth-partial")
@pytest.mark.skipif(os.name != "posix", reason="needs a shell and its signals")
def test_a_size_whose_process_is_killed_leaves_the_smaller_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", killed_python(tmp_path, 2))
    section = measure_growth(GrowthPlan("small", CATALOG, (5, 20, 30), searches=2))
    assert [each.tools for each in section.points] == [5]
    assert section.partial == "20 tools could not be measured: its process ended with signal 9"


@pytest.mark.skipif(os.name != "posix", reason="needs a shell and its signals")
def test_where_no_size_can_be_measured_nothing_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", killed_python(tmp_path, 0))
    with pytest.raises(NothingToWeigh, match="5 tools could not be measured"):
        measure_growth(GrowthPlan("small", CATALOG, (5,), searches=2))


def test_ctrl_c_leaves_the_sizes_that_were_measured() -> None:
    def reported(words: str) -> None:
        if words.startswith("20 tools"):
            raise KeyboardInterrupt

    section = measure_growth(GrowthPlan("v1", CATALOG, (10, 20), (), 3), reported)
    assert ([point.tools for point in section.points], section.partial) == ([10], "interrupted at 20 tools")
