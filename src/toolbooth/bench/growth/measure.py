"""The growth of tokens, time and memory over several catalog sizes, each measured in its own process."""

import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple, TypeVar

import msgspec

from toolbooth import errors, safetext
from toolbooth.bench.growth import probe, sized_catalogs, slopes
from toolbooth.bench.queries import queries_of
from toolbooth.bench.report import GrowthSection, SizePoint
from toolbooth.catalog import Catalog, save_snapshot

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
    return GrowthSection(
        plan.source, tuple(points), slopes.exponents(points), slopes.bends(points), notes, partial
    )


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
