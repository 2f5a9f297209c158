"""Ways to do things → milliseconds of each, in small blocks in turn, so that a busy moment of the machine meets all."""

import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

import anyio

from toolbooth.errors import BackendFault

Way = Callable[[], Awaitable[float]]
"""Does it once; gives back the milliseconds that it took."""

_BLOCK: Final = 20
_BLOCK_SECONDS: Final = 2.0  # a way that takes a second a time is not done twenty times in a row
_PAUSE: Final = (
    1.0  # seconds after the warm-up: what it set off in the background (the ledger's tokenizer) has ended
)


@dataclass
class Turns:
    """Times of each way, without the warm-up; `failed` says why a way ended before its time."""

    times: dict[str, list[float]] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)


async def take_turns(
    ways: Mapping[str, Way], rounds: int, warm_up: int, told: Callable[[int], None]
) -> Turns:
    """Each way `rounds` times; `told` hears how often the quick ones were done so far."""
    turns = Turns({name: [] for name in ways})
    for name, way in ways.items():
        await _block(turns, name, way, warm_up)
    for times in turns.times.values():
        times.clear()
    await anyio.sleep(_PAUSE if warm_up else 0)
    order = list(ways)
    for done in range(0, rounds, _BLOCK):
        told(done)
        for name in order:
            if name not in turns.failed:
                await _block(turns, name, ways[name], min(_BLOCK, rounds - done))
        order = order[1:] + order[:1]
    return turns


async def _block(turns: Turns, name: str, way: Way, size: int) -> None:
    times = turns.times[name]
    end = time.perf_counter() + _BLOCK_SECONDS
    try:
        for _ in range(size):
            times.append(await way())
            if time.perf_counter() > end:
                break
    except BackendFault as fault:
        turns.failed[name] = str(fault)
