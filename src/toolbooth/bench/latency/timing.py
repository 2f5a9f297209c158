"""Timed actions, repeated in small blocks in turn, and the percentiles of their times.

Because actions take turns, a busy moment of the machine affects all of them alike.
"""

import time
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

import anyio

from toolbooth import errors, store
from toolbooth.bench.report import Spread

TimedAction = Callable[[], Awaitable[float]]
"""Carries out the action once and returns its milliseconds."""

_BLOCK: Final = 20
_BLOCK_SECONDS: Final = 2.0  # an action that takes a second is not repeated twenty times in a row
_PAUSE: Final = 1.0  # seconds after the warm-up, until its background work (the ledger's tokenizer) has ended


@dataclass
class Turns:
    """Times of each action, without the warm-up; `failed` says why an action ended early."""

    times: dict[str, list[float]] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)


async def take_turns(
    actions: Mapping[str, TimedAction], rounds: int, warm_up: int, progress: Callable[[int], None]
) -> Turns:
    """Repeat each action `rounds` times; `progress` gets the number of rounds done so far."""
    turns = Turns({name: [] for name in actions})
    for name, action in actions.items():
        await _block(turns, name, action, warm_up)
    for times in turns.times.values():
        times.clear()
    await anyio.sleep(_PAUSE if warm_up else 0)
    order = list(actions)
    for done in range(0, rounds, _BLOCK):
        progress(done)
        for name in order:
            if name not in turns.failed:
                await _block(turns, name, actions[name], min(_BLOCK, rounds - done))
        order = order[1:] + order[:1]
    return turns


async def _block(turns: Turns, name: str, action: TimedAction, size: int) -> None:
    times = turns.times[name]
    end = time.perf_counter() + _BLOCK_SECONDS
    try:
        for _ in range(size):
            times.append(await action())
            if time.perf_counter() > end:
                break
    except errors.BackendFault as fault:
        turns.failed[name] = str(fault)


_NANOSECONDS: Final = 1_000_000  # in a millisecond: a search of a small catalog takes some ten thousand


def spread(milliseconds: Iterable[float]) -> Spread:
    """Percentiles by nearest rank, exact to a thousandth; the maximum is exact. Raises ValueError without times."""
    times = [round(each * _NANOSECONDS) for each in milliseconds]
    if not times:
        raise ValueError("there are no times for percentiles")
    return Spread(len(times), *store.percentiles(((each, 1) for each in times), _NANOSECONDS))
