"""The gateway and the servers behind it → milliseconds from a start to the first `tools/list`, in turn."""

import time
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from toolbooth.bench.latency.connections import all_connected, list_all
from toolbooth.bench.latency.own_home import OwnHome
from toolbooth.catalog import ServerSpec
from toolbooth.errors import BackendCrashed


class Starts(NamedTuple):
    """In milliseconds, handshakes included."""

    gateway: list[float]
    servers: list[float]


async def measure_starts(
    home: OwnHome, specs: Sequence[ServerSpec], starts: int, told: Callable[[int], None]
) -> Starts:
    """The gateway alone, from its warm cache, then all servers at once; the first start of each is not counted."""
    taken = Starts([], [])
    for done in range(starts + 1):
        told(done)
        taken.gateway.append(await _first_list([home.gateway("search")], home.environ))
        taken.servers.append(await _first_list(specs, None))
    return Starts(taken.gateway[1:], taken.servers[1:])


async def _first_list(specs: Sequence[ServerSpec], environ: Mapping[str, str] | None) -> float:
    began = time.perf_counter()
    async with all_connected(specs, environ) as running:
        for name, fault in running.faults.items():
            raise BackendCrashed(fault, name)
        await list_all(list(running.links.values()))
        return (time.perf_counter() - began) * 1000
