"""`python -m toolbooth.bench.growth.probe JOB`: one catalog → its figures, in a process that has done nothing else.

Two jobs a size: `build` reads the catalog's file, makes the index and leaves the gateway's cache behind; `start` begins
with that cache, as `toolbooth serve` does, so that its memory is that of a gateway and of nothing else. All of it is
the work of one thread and is timed on its CPU: whatever else the machine does would bend the curve.
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

from toolbooth.bench.corpus import load_corpus
from toolbooth.bench.latency.spread import spread
from toolbooth.bench.report import Spread
from toolbooth.catalog import Catalog
from toolbooth.gateway.offline import OfflineGateway
from toolbooth.gateway.warm_start import Book, keep_catalog, recalled_book
from toolbooth.search import SearchEngine
from toolbooth.tokens import weigh

_MIB: Final = 1024 * 1024
_WARM_UP: Final = 20
_READS: Final = 3  # the quickest counts: milliseconds of a small file are easily disturbed


class Job(Struct, frozen=True):
    """What to measure; `found` is the file for the figures."""

    what: str
    catalog: str
    cache: str
    found: str
    servers: tuple[str, ...]
    queries: tuple[str, ...]
    searches: int


class Built(Struct, frozen=True):
    """Figures of the job `build`."""

    read_ms: float
    build_ms: float
    baseline_tokens: int
    menu_tokens: int


class Started(Struct, frozen=True):
    """Figures of the job `start`."""

    start_ms: float
    search: Spread
    memory_mb: float


def build(job: Job) -> Built:
    """From the file to an index, then the tokens of every definition and of the menu instead of them."""
    read_ms, catalog = min((_read(job) for _ in range(_READS)), key=itemgetter(0))
    began = time.process_time()
    SearchEngine.of(catalog).search(job.queries[0])
    build_ms = _since(began)
    tokens, menu = weigh(catalog).total_tokens, _menu_tokens(catalog)
    keep_catalog(catalog, Path(job.cache))
    return Built(read_ms, build_ms, tokens, menu)


def start(job: Job) -> Started:
    """From the cache to the first answer, then further answers, then the memory that all of it takes."""
    gc.collect()
    before = _memory()
    began = time.process_time()
    book = recalled_book(job.servers, Path(job.cache))
    book.search(job.queries[0])
    start_ms = _since(began)
    times = [_search(book, query) for query in islice(cycle(job.queries), _WARM_UP + job.searches)]
    return Started(start_ms, spread(times[_WARM_UP:]), (_memory() - before) / _MIB)


def _read(job: Job) -> tuple[float, Catalog]:
    began = time.process_time()
    catalog = load_corpus(Path(job.catalog)).catalog
    return _since(began), catalog


def _menu_tokens(catalog: Catalog) -> int:
    return weigh(OfflineGateway(catalog).menu("search")).total_tokens


def _search(book: Book, query: str) -> float:
    began = time.process_time()
    book.search(query)
    return _since(began)


def _since(began: float) -> float:
    return (time.process_time() - began) * 1000


def _memory() -> int:
    """Bytes that this process holds now; where the system does not say, the most that it ever held."""
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


_JOBS: Final[dict[str, Callable[[Job], Struct]]] = {"build": build, "start": start}


def main(words: Sequence[str]) -> int:
    """Do the job of this file."""
    job = msgspec.json.decode(Path(words[0]).read_bytes(), type=Job)
    Path(job.found).write_bytes(msgspec.json.encode(_JOBS[job.what](job)))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
