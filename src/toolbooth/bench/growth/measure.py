"""The growth of tokens, time and memory over several catalog sizes, each measured in its own process, and how fast each
figure grows."""

import math
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple, TypeVar

import msgspec

from toolbooth import errors, safetext
from toolbooth.bench.growth import probe, sized_catalogs
from toolbooth.bench.queries import queries_of
from toolbooth.bench.report import GrowthSection, SizePoint
from toolbooth.catalog import Catalog, save_snapshot

FIGURES: Final[Mapping[str, str]] = {
    "baseline_tokens": "tokens of all definitions",
    "menu_tokens": "tokens of the menu",
    "read_ms": "reading the file",
    "build_ms": "making the index",
    "start_ms": "a warm start",
    "search_p50_ms": "a search (p50)",
    "search_p95_ms": "a search (p95)",
    "memory_mb": "memory",
}
_LAST: Final = 3  # sizes: two may catch a busy moment, and at small sizes fixed costs dominate
FASTER: Final = 1.25  # log-log: 1 is as fast as the catalog; caches of a busy machine change it by 0.15
_FLAT, _GROWS = 0.25, 0.5


def exponents(points: Sequence[SizePoint]) -> dict[str, float]:
    """The slope of each figure on a log-log scale, by least squares over the last sizes; none for a single size."""
    last = points[-_LAST:]
    slopes = {name: _slope(last, name) for name in FIGURES}
    return {name: round(slope, 3) for name, slope in slopes.items() if slope is not None}


def bends(points: Sequence[SizePoint]) -> tuple[str, ...]:
    """Sentences about figures that grow faster than the catalog at the end, and about those flat only at first."""
    steep = {name: max(slope, _last_slope(points, name)) for name, slope in exponents(points).items()}
    faster = tuple(
        f"{FIGURES[name]} grows faster than the catalog: {_parts(points, name)}"
        for name, slope in steep.items()
        if slope > FASTER
    )
    if steep and not faster:
        faster = ("nothing grows faster than the catalog",)
    return (
        *faster,
        *(said for name, slope in steep.items() if slope <= FASTER for said in _flat(points, name)),
    )


def _last_slope(points: Sequence[SizePoint], name: str) -> float:
    return _slope(points[-2:], name) or 0.0


def _parts(points: Sequence[SizePoint], name: str) -> str:
    """Every step from size to size that is too steep."""
    steep = [each for each in _steps(points, name) if each.slope > FASTER]
    return ", ".join(
        f"exponent {slope:.2f} from {small:,} to {large:,} tools" for small, large, slope in steep
    )


def _flat(points: Sequence[SizePoint], name: str) -> Iterator[str]:
    steps = _steps(points, name)
    flat = [at for at, each in enumerate(steps) if each.slope < _FLAT]
    if flat and any(each.slope > _GROWS for each in steps[flat[-1] + 1 :]):
        small, large, slope = steps[-1]
        yield (
            f"{FIGURES[name]} stays nearly flat up to {steps[flat[-1]].large:,} tools, then grows "
            f"(exponent {slope:.2f} from {small:,} to {large:,})"
        )


class _Step(NamedTuple):
    small: int
    large: int
    slope: float


def _steps(points: Sequence[SizePoint], name: str) -> list[_Step]:
    slopes = [(one.tools, other.tools, _slope((one, other), name)) for one, other in pairwise(points)]
    return [_Step(small, large, slope) for small, large, slope in slopes if slope is not None]


def _slope(points: Sequence[SizePoint], name: str) -> float | None:
    pairs = [(point.tools, float(getattr(point, name))) for point in points]
    logs = [(math.log(tools), math.log(value)) for tools, value in pairs if value > 0]
    if len(logs) < 2 or len(logs) < len(points):
        return None
    mean_x, mean_y = (sum(values) / len(logs) for values in zip(*logs, strict=True))
    spread = sum((x - mean_x) ** 2 for x, _ in logs)
    return sum((x - mean_x) * (y - mean_y) for x, y in logs) / spread if spread else None


SIZES: Final = (50, 500, 5_000, 17_570, 100_000)  # the fourth is that of a public crawl, the last made up
QUICK_SIZES: Final = (50, 500, 5_000)
SEARCHES: Final = 200
_QUERIES: Final = 100
INTERRUPTED: Final = "interrupted"
_FEW_SCHEMAS: Final = 0.05  # share of tools without one above which the tokens of all definitions are too low

Progress = Callable[[str], None]
Figures = TypeVar("Figures", bound=msgspec.Struct)


class GrowthPlan(NamedTuple):
    """What is measured, and with which queries; by default they are made from the tools of the smallest size."""

    source: str
    catalog: Catalog
    sizes: Sequence[int] = SIZES
    queries: Sequence[str] = ()
    searches: int = SEARCHES
    seed: int = 0


def _no_progress(_words: str) -> None:
    return None


def measure_growth(plan: GrowthPlan, progress: Progress = _no_progress) -> GrowthSection:
    """Measure all sizes, the smallest first. A size that fails or is interrupted ends the run, and `partial` says so.

    Raises NothingToWeigh if even the smallest size fails.
    """
    sizes = sorted(set(plan.sizes))
    sampler = sized_catalogs.Sampler(plan.catalog, plan.seed)
    queries = tuple(plan.queries) or queries_of(sampler.first(sizes[0]), _QUERIES, plan.seed)
    points: list[SizePoint] = []
    partial = ""
    for at, size in enumerate(sizes, 1):
        try:
            progress(f"{size:,} tools ({at} of {len(sizes)})")
            points.append(_measure(sampler.catalog(size), queries, plan.searches))
        except _ProbeFailed as failed:
            if not points:
                raise errors.NothingToWeigh(f"{size:,} tools could not be measured: {failed}") from None
            partial = f"{size:,} tools could not be measured: {failed}"
            break
        except KeyboardInterrupt:
            if not points:
                raise
            partial = f"{INTERRUPTED} at {size:,} tools"
            break
    notes = tuple(_notes(plan.catalog, sizes))
    return GrowthSection(plan.source, tuple(points), exponents(points), bends(points), notes, partial)


class _ProbeFailed(Exception):
    """The process of one size ended without figures; the message says how."""


def _measure(sized: sized_catalogs.SizedCatalog, queries: tuple[str, ...], searches: int) -> SizePoint:
    catalog = sized.catalog
    with TemporaryDirectory(prefix="toolbooth-growth-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        save_snapshot(catalog, folder / "catalog.json")
        servers = tuple(each.server for each in catalog.servers)
        cache, found = str(folder / "cache"), str(folder / "found.json")
        build = probe.ProbeTask(
            "build", str(folder / "catalog.json"), cache, found, servers, queries, searches
        )
        start = msgspec.structs.replace(build, what="start")
        built, started = _probe(build, folder, probe.BuildFigures), _probe(start, folder, probe.StartFigures)
    return SizePoint(
        tools=len(catalog),
        made_up=sized.made_up,
        baseline_tokens=built.baseline_tokens,
        menu_tokens=built.menu_tokens,
        read_ms=built.read_ms,
        build_ms=built.build_ms,
        start_ms=started.start_ms,
        search_p50_ms=started.search.p50_ms,
        search_p95_ms=started.search.p95_ms,
        memory_mb=started.memory_mb,
    )


def _probe(task: probe.ProbeTask, folder: Path, kind: type[Figures]) -> Figures:
    """Run in a separate process: memory and caches of one size would distort the figures of the next."""
    (folder / "task.json").write_bytes(msgspec.json.encode(task))
    command = [sys.executable, "-P", "-m", "toolbooth.bench.growth.probe", str(folder / "task.json")]
    done = subprocess.run(command, capture_output=True, check=False, stdin=subprocess.DEVNULL)
    if done.returncode:
        lines = done.stderr.decode("utf-8", "replace").strip().splitlines()
        why = f"signal {-done.returncode}" if done.returncode < 0 else f"exit {done.returncode}"
        raise _ProbeFailed(
            f"its process ended with {why}{f', {safetext.for_terminal(lines[-1], 200)}' if lines else ''}"
        )
    return msgspec.json.decode(Path(task.found).read_bytes(), type=kind)


def _notes(catalog: Catalog, sizes: Sequence[int]) -> Iterator[str]:
    if sizes[-1] > len(catalog):
        yield f"the catalog has {len(catalog):,} tools; larger sizes add made-up tools"
    bare = sum(1 for tool in catalog if not tool.input_schema) / len(catalog)
    if bare > _FEW_SCHEMAS:
        yield f"{bare:.0%} of its tools have no schema; with schemas, the definitions would take more tokens"
