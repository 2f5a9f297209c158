"""The ledger → how long each server took for its calls of the last day."""

import time
from typing import NamedTuple

import anyio.to_thread

from toolbooth.gateway.ledger import Ledger

_DAY = 86_400.0


class Latency(NamedTuple):
    """Milliseconds within which so many of 100 calls were answered."""

    calls: int
    p50: float
    p95: float
    p99: float

    def __str__(self) -> str:
        counted = "1 call" if self.calls == 1 else f"{self.calls} calls"
        times = zip(("p50", "p95", "p99"), self[1:], strict=True)
        return f"{counted} in 24 h, {', '.join(f'{name} {milliseconds(ms)}' for name, ms in times)}"


def milliseconds(ms: float) -> str:
    """Tenths only where they tell something."""
    return f"{ms:.1f} ms" if ms < 10 else f"{ms:.0f} ms"


async def latencies(ledger: Ledger) -> dict[str, Latency]:
    """By server; those that were not called are not in it."""
    stats = await anyio.to_thread.run_sync(ledger.stats, time.time() - _DAY)
    return {
        each.server: Latency(each.calls, each.p50, each.p95, each.p99)
        for each in stats.servers
        if each.p50 is not None and each.p95 is not None and each.p99 is not None
    }
