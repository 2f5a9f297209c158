"""The figures of one catalog, measured in a fresh process: `python -m toolbooth.bench.growth.probe TASK`.

There are two tasks per size. `build` reads the catalog file, builds the index and writes the gateway's cache. `start`
begins with that cache, as `toolbooth serve` does, so that its memory is that of a gateway alone. Times are CPU times of
one thread, because other work on the machine would distort the curve.
"""

import gc
import os
import sys
import time
from collections.abc import Callable, Sequence
from itertools import cycle, islice
from operator import itemgetter
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from toolbooth import gateway
from toolbooth.bench.corpus import load_corpus
from toolbooth.bench.latency.timing import spread
from toolbooth.bench.report import Spread
from toolbooth.catalog import Catalog
from toolbooth.search import SearchEngine
from toolbooth.tokens import weigh

_MIB: Final = 1024 * 1024
_WARM_UP: Final = 20
_READS: Final = 3  # the fastest counts: the milliseconds of a small file are easily disturbed


class ProbeTask(Struct, frozen=True):
    """What to measure; the figures are written to the file `found`."""

    what: str
    catalog: str
    cache: str
    found: str
    servers: tuple[str, ...]
    queries: tuple[str, ...]
    searches: int


class BuildFigures(Struct, frozen=True):
    """Figures of the task `build`."""

    read_ms: float
    build_ms: float
    baseline_tokens: int
    menu_tokens: int


class StartFigures(Struct, frozen=True):
    """Figures of the task `start`."""

    start_ms: float
    search: Spread
    memory_mb: float


def build(task: ProbeTask) -> BuildFigures:
    """Read the file and build the index, then count the tokens of all definitions and of the menu."""
    read_ms, catalog = min((_read(task) for _ in range(_READS)), key=itemgetter(0))
    began = time.process_time()
    SearchEngine.of(catalog).search(task.queries[0])
    build_ms = _since(began)
    tokens, menu = weigh(catalog).total_tokens, _menu_tokens(catalog)
    gateway.keep_catalog(catalog, Path(task.cache))
    return BuildFigures(read_ms, build_ms, tokens, menu)


def start(task: ProbeTask) -> StartFigures:
    """Start from the cache to the first answer, make further searches, then read the memory in use."""
    gc.collect()
    before = _memory()
    began = time.process_time()
    registry = gateway.recalled_registry(task.servers, Path(task.cache))
    registry.search(task.queries[0])
    start_ms = _since(began)
    times = [_search(registry, query) for query in islice(cycle(task.queries), _WARM_UP + task.searches)]
    return StartFigures(start_ms, spread(times[_WARM_UP:]), (_memory() - before) / _MIB)


def _read(task: ProbeTask) -> tuple[float, Catalog]:
    began = time.process_time()
    catalog = load_corpus(Path(task.catalog)).catalog
    return _since(began), catalog


def _menu_tokens(catalog: Catalog) -> int:
    return weigh(gateway.OfflineGateway(catalog).menu("search")).total_tokens


def _search(registry: gateway.ToolRegistry, query: str) -> float:
    began = time.process_time()
    registry.search(query)
    return _since(began)


def _since(began: float) -> float:
    return (time.process_time() - began) * 1000


def _memory() -> int:
    """The memory of this process in bytes; its maximum if the system does not report the current value."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        return _most_memory()


def _most_memory() -> int:
    try:
        import resource
    except ImportError:  # Windows
        return 0
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024


_TASKS: Final[dict[str, Callable[[ProbeTask], Struct]]] = {"build": build, "start": start}


def main(words: Sequence[str]) -> int:
    """Carry out the task in this file."""
    task = msgspec.json.decode(Path(words[0]).read_bytes(), type=ProbeTask)
    Path(task.found).write_bytes(msgspec.json.encode(_TASKS[task.what](task)))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
