"""What a running gateway spends while servers list their tools one after the other, until all are in its cache.

The figures are CPU time for each server: they stay the same from 100 servers to 1,600 if saving is linear. `joins`
counts how often the whole catalog was joined for a search. A warm start is measured by `toolbooth bench growth`.
"""

import argparse
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from typing import Any, NamedTuple

import anyio

from toolbooth.bench.corpus import builtin_corpus
from toolbooth.bench.growth.sized_catalogs import made_up_servers
from toolbooth.catalog import Catalog, ServerSpec, ServerTools
from toolbooth.catalog.config import AnswerCaps, GatewaySettings
from toolbooth.gateway.cached_offer import from_bytes
from toolbooth.gateway.gateway import Gateway
from toolbooth.gateway.offer_cache import CacheFolder, OfferCache
from toolbooth.gateway.upstreams.upstream import Upstream
from toolbooth.search import SearchEngine

SIZES = (100, 400, 1_600)
TOOLS = 10  # of each server
BETWEEN = 0.01  # seconds between two servers that come up
LISTED: Any = SimpleNamespace(capabilities={})  # all that is read of a protocol and of an identity here


class Saved(NamedTuple):
    """The figures of one number of servers."""

    servers: int
    cpu_ms: float  # of each server
    joins: int
    indexed: int


def servers_of(real: Catalog, count: int) -> list[ServerTools]:
    """Made-up servers with a few tools each."""
    made = made_up_servers(real.tools, count * 100, seed=0, taken=())
    return [ServerTools(each.server, each.tools[:TOOLS], description=each.description) for each in made]


async def measure(offers: list[ServerTools], folder: Path) -> Saved:
    """List all of them to a gateway, and wait until it is done."""
    joins = 0
    join = SearchEngine._state

    def counted(engine: SearchEngine) -> Any:
        nonlocal joins
        joins += not engine.joined
        return join(engine)

    SearchEngine._state = counted  # type: ignore[method-assign,assignment]
    began = time.process_time()
    async with anyio.create_task_group() as tasks:
        upstreams = [
            Upstream(ServerSpec(each.server, "stdio", each.server), {}, 60, tasks) for each in offers
        ]
        cache = OfferCache(CacheFolder(folder))
        gateway = Gateway(GatewaySettings(), AnswerCaps(), upstreams, cache, tasks, lambda *_: upstreams[0])
        for upstream, offered in zip(upstreams, offers, strict=True):
            gateway.tools_listed(upstream, offered, LISTED, LISTED)
            await anyio.sleep(BETWEEN)
    spent = time.process_time() - began
    SearchEngine._state = join  # type: ignore[method-assign]
    return Saved(len(offers), 1000 * spent / len(offers), joins, indexed(folder))


def indexed(folder: Path) -> int:
    """How many entries of a cache have an index."""
    return sum(bool(from_bytes(path.read_bytes(), "any").index) for path in folder.glob("*.server"))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="*", default=SIZES, help="numbers of servers")
    sizes = parser.parse_args().sizes
    offers = servers_of(builtin_corpus().catalog, max(sizes))
    print(
        f"saving servers of {TOOLS} tools\n{'servers':>8} {'CPU ms each':>12} {'joins':>6} {'with index':>11}"
    )
    for size in sizes:
        with TemporaryDirectory(prefix="toolbooth-bench-") as folder:
            found = anyio.run(measure, offers[:size], Path(folder))
        print(f"{found.servers:>8,} {found.cpu_ms:>12.1f} {found.joins:>6,} {found.indexed:>11,}", flush=True)


if __name__ == "__main__":
    main()
