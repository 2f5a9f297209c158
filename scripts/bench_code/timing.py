"""Timed calls of one gateway, one by one or at once; every answer is checked, and the actions take turns."""

import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import orjson

from ..bench_gateway.connection_reader import FIRST_ID, ConnectionReader
from ..bench_gateway.pipe import ContenderFailed, Pipe
from ..bench_gateway.rounds import percentile

SETTLE = 0.2  # seconds until the spare worker is ready: it is made after each run of code
DEADLINE = 60.0
Work = Callable[[], float]
Rounds = dict[str, list[float]]


def run_code(pipe: Pipe, code: str, holds: str) -> float:
    """Seconds of one run of code, its answer as expected."""
    answer = pipe.call("call_tool_chain", {"code": code})
    _expect(answer.result, holds)
    return answer.seconds


def call_once(pipe: Pipe, name: str, number: int) -> float:
    answer = pipe.call("call_tool", _echo(name, number))
    _expect(answer.result, f"Echo: call {number}")
    return answer.seconds


def call_in_sequence(pipe: Pipe, name: str, calls: int) -> float:
    start = time.perf_counter()
    for number in range(calls):
        call_once(pipe, name, number)
    return time.perf_counter() - start


def call_at_once(pipe: Pipe, name: str, calls: int) -> float:
    """All calls are written before the first answer is read."""
    waiting = {FIRST_ID + number: f"Echo: call {number}" for number in range(calls)}
    written = [
        pipe.request(FIRST_ID + number, "tools/call", {"name": "call_tool", "arguments": _echo(name, number)})
        for number in range(calls)
    ]
    start = last = time.perf_counter()
    pipe.write(b"".join(written))
    with ConnectionReader([pipe]) as reader:
        while waiting and time.perf_counter() < start + DEADLINE:
            for arrived in reader.arrivals(1.0):
                message = orjson.loads(arrived.line)
                if wanted := waiting.pop(message.get("id"), ""):
                    _expect(message["result"], wanted)
                    last = arrived.at
    if waiting:
        raise ContenderFailed(f"{len(waiting)} of {calls} calls at once were not answered")
    return last - start


def _echo(name: str, number: int) -> dict[str, Any]:
    return {"name": name, "arguments": {"message": f"call {number}"}}


def _expect(result: Mapping[str, Any], holds: str) -> None:
    if holds not in str(result.get("content")):
        raise ContenderFailed(f"expected {holds!r}, got {str(result)[:160]}")


def in_turn(works: Mapping[str, Work], rounds: int) -> Rounds:
    """Milliseconds of each, round by round; the order changes, and the spare worker is ready."""
    taken: Rounds = {name: [] for name in works}
    order = list(works)
    for _ in range(rounds):
        for name in order:
            time.sleep(SETTLE)
            taken[name].append(works[name]() * 1000)
        order = order[1:] + order[:1]
    return taken


def spread(times: Sequence[float]) -> dict[str, float]:
    return {"p50": statistics.median(times), "p95": percentile(times, 95), "runs": len(times)}


def ratio(taken: Rounds, name: str, peer: str) -> float:
    """The median over the rounds: a slow moment of the machine affects both sides."""
    return statistics.median(one / other for one, other in zip(taken[name], taken[peer], strict=True))
