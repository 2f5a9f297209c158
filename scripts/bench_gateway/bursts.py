"""Running contenders → calls a second when many are under way at once, and whether one was lost."""

import statistics
import time
from collections.abc import Sequence
from functools import partial
from typing import Any, NamedTuple

import orjson

from .arena import Arena, Front, attempt
from .backends import fakes
from .contenders import KEPT, Contender
from .cpu import settle
from .mux import FIRST_ID, Mux, post

CALLS, SERVERS = 200, 10
DEADLINE = 120.0


class Burst(NamedTuple):
    """One burst: how long it took and how many answers were right."""

    seconds: float
    answered: int


def burst(front: Front) -> Burst:
    """All calls are written at once; an answer counts when it carries its own message."""
    waiting = {number: f"Echo: call {number}" for number in range(FIRST_ID, FIRST_ID + CALLS)}
    start = last = time.perf_counter()
    for number in waiting:
        post(front, f"fake{number % SERVERS}", number, "echo", {"message": f"call {number}"})
    answered = 0
    with Mux(front.pipes.values()) as mux:
        while waiting and time.perf_counter() < start + DEADLINE:
            for arrived in mux.arrivals(1.0):
                message = orjson.loads(arrived.line)
                wanted = waiting.pop(message.get("id"), None)
                answered += wanted is not None and wanted in str(message.get("result"))
                last = arrived.at
    return Burst(last - start, answered)


def measure_bursts(arena: Arena, contenders: Sequence[Contender], repetitions: int) -> dict[str, Any]:
    """Bursts of every contender in turn."""
    print(f"\n{CALLS} calls at once over {SERVERS} servers, median of {repetitions} bursts in turn")
    fronts = {each.name: attempt(each, partial(reaching, arena, each, SERVERS)) for each in contenders}
    done: dict[str, list[Burst]] = {name: [] for name, front in fronts.items() if front}
    for _ in range(repetitions):
        for front in filter(None, fronts.values()):
            one = attempt(front.stand.contender, partial(burst, front))
            done[front.stand.contender.name] += [one] if one else []
    arena.clear()
    return {name: _row(name, each, done.get(KEPT.name, [])) for name, each in done.items() if each}


def reaching(arena: Arena, contender: Contender, servers: int) -> Front:
    """A contender that has reached every one of its small servers."""
    front = arena.start(arena.stand(contender, fakes(servers, 5)))
    for server in range(servers):
        front.echo(f"fake{server}", "ready")
    settle(front)
    return front


def _row(name: str, bursts: Sequence[Burst], peer: Sequence[Burst]) -> dict[str, Any]:
    rate, lost = _rate(bursts), sum(CALLS - one.answered for one in bursts)
    ratio = rate / _rate(peer) if peer else None
    shown = f"{ratio:6.2f}" if ratio else "-"
    print(f"  {name:24} {rate:9,.0f} calls/s   × {KEPT.name} {shown}   lost {lost}", flush=True)
    return {"calls_per_second": rate, "to_fastmcp_kept": ratio, "lost": lost}


def _rate(bursts: Sequence[Burst]) -> float:
    return CALLS / statistics.median(one.seconds for one in bursts)
