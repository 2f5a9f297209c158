"""A catalog × sizes → what each size costs in tokens, time and memory, each measured in a process of its own."""

import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple, TypeVar

import msgspec

from toolbooth.bench.growth.probe import Built, Job, Started
from toolbooth.bench.growth.sample import Sampler, Sized
from toolbooth.bench.growth.slopes import bends, exponents
from toolbooth.bench.queries import queries_of
from toolbooth.bench.report import GrowthSection, SizePoint
from toolbooth.catalog import Catalog, save_snapshot
from toolbooth.errors import NothingToWeigh
from toolbooth.safetext import for_terminal

SIZES: Final = (50, 500, 5_000, 17_570, 100_000)  # the fourth is that of a public crawl, the last made up
QUICK_SIZES: Final = (50, 500, 5_000)
SEARCHES: Final = 200
_QUERIES: Final = 100
INTERRUPTED: Final = "interrupted"
_FEW_SCHEMAS: Final = 0.05  # of the tools without one: then the tokens of all definitions are no full price

Told = Callable[[str], None]
Figures = TypeVar("Figures", bound=msgspec.Struct)


class Plan(NamedTuple):
    """What is measured, with which queries; without any they are made of the tools of the smallest size."""

    source: str
    catalog: Catalog
    sizes: Sequence[int] = SIZES
    queries: Sequence[str] = ()
    searches: int = SEARCHES
    seed: int = 0


def _to_nobody(_words: str) -> None:
    return None


def measure_growth(plan: Plan, told: Told = _to_nobody) -> GrowthSection:
    """All sizes, the smallest first. A size that fails, or is interrupted, is the last one, and that is said.

    Raises NothingToWeigh where even the smallest size fails.
    """
    sizes = sorted(set(plan.sizes))
    sampler = Sampler(plan.catalog, plan.seed)
    queries = tuple(plan.queries) or queries_of(sampler.first(sizes[0]), _QUERIES, plan.seed)
    points: list[SizePoint] = []
    partial = ""
    for at, size in enumerate(sizes, 1):
        try:
            told(f"{size:,} tools ({at} of {len(sizes)})")
            points.append(_measure(sampler.catalog(size), queries, plan.searches))
        except _ProbeFailed as failed:
            if not points:
                raise NothingToWeigh(f"{size:,} tools could not be measured: {failed}") from None
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
    """The process of one size ended without figures; the text says how."""


def _measure(sized: Sized, queries: tuple[str, ...], searches: int) -> SizePoint:
    catalog = sized.catalog
    with TemporaryDirectory(prefix="toolbooth-growth-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        save_snapshot(catalog, folder / "catalog.json")
        servers = tuple(each.server for each in catalog.servers)
        cache, found = str(folder / "cache"), str(folder / "found.json")
        build = Job("build", str(folder / "catalog.json"), cache, found, servers, queries, searches)
        start = msgspec.structs.replace(build, what="start")
        built, started = _probe(build, folder, Built), _probe(start, folder, Started)
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


def _probe(job: Job, folder: Path, kind: type[Figures]) -> Figures:
    """A process of its own: memory that another size took, or words that it cached, would falsify the next."""
    (folder / "job.json").write_bytes(msgspec.json.encode(job))
    command = [sys.executable, "-P", "-m", "toolbooth.bench.growth.probe", str(folder / "job.json")]
    done = subprocess.run(command, capture_output=True, check=False, stdin=subprocess.DEVNULL)
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()
        why = f"signal {-done.returncode}" if done.returncode < 0 else f"exit {done.returncode}"
        raise _ProbeFailed(
            f"its process ended with {why}{f', {for_terminal(said[-1], 200)}' if said else ''}"
        )
    return msgspec.json.decode(Path(job.found).read_bytes(), type=kind)


def _notes(catalog: Catalog, sizes: Sequence[int]) -> Iterator[str]:
    if sizes[-1] > len(catalog):
        yield f"the catalog has {len(catalog):,} tools; what is beyond is made up of words and of parts of them"
    bare = sum(1 for tool in catalog if not tool.input_schema) / len(catalog)
    if bare > _FEW_SCHEMAS:
        yield f"{bare:.0%} of its tools have no schema: with schemas, all definitions would take more tokens"
