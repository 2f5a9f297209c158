"""The time that running code takes in a gateway process: its start, each call from it, many at once, and one alone."""

import json
import sys
import time
from functools import partial
from pathlib import Path
from typing import Any

from ..bench_gateway.backends import fakes
from ..bench_gateway.pipe import Pipe
from .gateway import BenchGateway
from .timing import (
    SETTLE,
    Rounds,
    Work,
    call_at_once,
    call_in_sequence,
    call_once,
    in_turn,
    ratio,
    run_code,
    spread,
)

WAITING = Path(__file__).with_name("waiting_server.py")
WAIT = 20  # ms that a call of the slow server takes
MANY = 100
SERVERS = {**fakes(1, 5), "slow": [sys.executable, "-IS", str(WAITING), str(WAIT)]}
# The check of a sum needs no stubs of Python; that of any call does, so its time shows whether a worker is warm.
TRIVIAL = {"1 + 1": "2", "sorted([2, 1])": "[1,2]"}
LOOP = """
for number in range({calls}):
    last = await fake0.echo(message=f"call {{number}}")
last
"""
GATHER = """
said = await asyncio.gather(*[{server}.echo(message=f"call {{number}}") for number in range({calls})])
[len(said), said[-1]]
"""


def measure_times(quick: bool) -> dict[str, Any]:
    """The surface `full` has `call_tool` and `call_tool_chain`, so that one process answers both."""
    rounds = 5 if quick else 30
    starts = measure_starts(rounds)
    with BenchGateway("full", SERVERS) as gateway:
        pipe = gateway.pipe
        for name in ("fake0", "slow"):
            call_in_sequence(pipe, f"{name}.echo", 5)
        run_code(pipe, "1 + 1", "2")
        found = {str(calls): measure_loop(pipe, calls, rounds) for calls in (1, 10, MANY)}
        gathers = {name: measure_gather(pipe, name, max(rounds // 3, 3)) for name in ("fake0", "slow")}
        return {"starts": starts, "calls": found, "gather": gathers, "single": measure_single(pipe, rounds)}


def measure_starts(rounds: int) -> dict[str, Any]:
    """Cold is the first run of a process; warm has a spare worker; at once has none ready yet."""
    print("\na run of code that calls no tool, by call_tool_chain on surface code, ms")
    found: dict[str, Any] = {}
    for code, holds in TRIVIAL.items():
        taken: Rounds = {"cold": [], "warm": [], "at once after another": []}
        for _ in range(3):
            with BenchGateway("code", SERVERS) as gateway:
                _start(taken, partial(run_code, gateway.pipe, code, holds), rounds)
        for name, times in taken.items():
            row = found[f"{code}, {name}"] = spread(times)
            shown = f"p50 {row['p50']:8.2f}   p95 {row['p95']:8.2f}   ({len(times)} runs)"
            print(f"  {code:16} {name:22} {shown}", flush=True)
    return found


def _start(taken: Rounds, run: Work, rounds: int) -> None:
    taken["cold"].append(run() * 1000)
    for _ in range(rounds):
        time.sleep(SETTLE)
        taken["warm"].append(run() * 1000)
    taken["at once after another"] += [run() * 1000 for _ in range(rounds)]


def measure_loop(pipe: Pipe, calls: int, rounds: int) -> dict[str, Any]:
    """One after the other, from code and as so many requests; the code's start is in its time."""
    if calls == 1:
        print(f"\ncalls one after the other, ms a call, p50 of {rounds} rounds in turn")
    code = LOOP.format(calls=calls)
    works = {
        "from code": partial(run_code, pipe, code, f"Echo: call {calls - 1}"),
        "call_tool": partial(call_in_sequence, pipe, "fake0.echo", calls),
    }
    taken = in_turn(works, rounds)
    return _as_json(f"{calls} calls", taken, "call_tool", calls)


def measure_gather(pipe: Pipe, server: str, rounds: int) -> dict[str, Any]:
    what = f"answers after {WAIT} ms" if server == "slow" else "answers at once"
    print(f"\n{MANY} calls in all, ms, a server that {what}, p50 of {rounds} rounds in turn")
    code = GATHER.format(server=server, calls=MANY)
    works = {
        "gather": partial(run_code, pipe, code, f"Echo: call {MANY - 1}"),
        "loop": partial(run_code, pipe, LOOP.format(calls=MANY).replace("fake0", server), "Echo: call"),
        "at once": partial(call_at_once, pipe, f"{server}.echo", MANY),
        "in sequence": partial(call_in_sequence, pipe, f"{server}.echo", MANY),
    }
    return _as_json("", in_turn(works, rounds), "in sequence", 1)


def measure_single(pipe: Pipe, rounds: int) -> dict[str, Any]:
    """Code that is only one call needs no sandbox."""
    print(f"\none call, ms, p50 of {rounds * 2} rounds in turn")
    body = json.dumps({"tool": "fake0.echo", "arguments": {"message": "call 0"}})
    works = {
        "JSON body": partial(run_code, pipe, body, "Echo: call 0"),
        "one line": partial(run_code, pipe, 'await fake0.echo(message="call 0")', "Echo: call 0"),
        "two lines": partial(run_code, pipe, 'x = "call 0"\nawait fake0.echo(message=x)', "Echo: call 0"),
        "call_tool": partial(call_once, pipe, "fake0.echo", 0),
    }
    return _as_json("", in_turn(works, rounds * 2), "call_tool", 1)


def _as_json(label: str, taken: Rounds, peer: str, calls: int) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, times in taken.items():
        found[name] = spread([each / calls for each in times]) | {f"to {peer}": ratio(taken, name, peer)}
        row = found[name]
        shown = f"p50 {row['p50']:8.3f}   p95 {row['p95']:8.3f}   × {peer} {row[f'to {peer}']:6.2f}"
        print(f"  {f'{label} {name}'.strip():22} {shown}", flush=True)
    return found
