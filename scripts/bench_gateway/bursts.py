"""Calls per second when many are under way at once, and whether one was lost."""

import statistics
import time
from collections.abc import Sequence
from functools import partial
from typing import Any, NamedTuple

import orjson

from .backends import fakes
from .connection_reader import FIRST_ID, ConnectionReader, post
from .contenders import KEPT, Contender
from .cpu import settle
from .launcher import Launcher, Session, attempt
from .pipe import PROTOCOL

CALLS, SERVERS = 200, 10
DEADLINE = 120.0


class Burst(NamedTuple):
    """One burst: how long it took and how many answers were right."""

    seconds: float
    answered: int


def burst(session: Session) -> Burst:
    """All calls are written at once; an answer counts when it carries its own message."""
    waiting = {number: f"Echo: call {number}" for number in range(FIRST_ID, FIRST_ID + CALLS)}
    start = last = time.perf_counter()
    for number in waiting:
        post(session, f"fake{number % SERVERS}", number, "echo", {"message": f"call {number}"})
    answered = 0
    with ConnectionReader(session.pipes.values()) as reader:
        while waiting and time.perf_counter() < start + DEADLINE:
            for arrived in reader.arrivals(1.0):
                message = orjson.loads(arrived.line)
                wanted = waiting.pop(message.get("id"), None)
                answered += wanted is not None and wanted in str(message.get("result"))
                last = arrived.at
    return Burst(last - start, answered)


def measure_bursts(launcher: Launcher, contenders: Sequence[Contender], repetitions: int) -> dict[str, Any]:
    """Bursts of every contender in turn."""
    print(f"\n{CALLS} calls at once over {SERVERS} servers, median of {repetitions} bursts in turn")
    sessions = {each.name: attempt(each, partial(reaching, launcher, each, SERVERS)) for each in contenders}
    done: dict[str, list[Burst]] = {name: [] for name, session in sessions.items() if session}
    for _ in range(repetitions):
        for session in filter(None, sessions.values()):
            one = attempt(session.prepared.contender, partial(burst, session))
            done[session.prepared.contender.name] += [one] if one else []
    launcher.clear()
    return {name: _row(name, each, done.get(KEPT.name, [])) for name, each in done.items() if each}


def reaching(
    launcher: Launcher,
    contender: Contender,
    servers: int,
    client_version: str = PROTOCOL,
    server_version: str = PROTOCOL,
) -> Session:
    """A contender that has reached every one of its small servers."""
    backends = fakes(servers, 5, "" if server_version == PROTOCOL else server_version)
    session = launcher.start(launcher.prepare(contender, backends), client_version)
    for server in range(servers):
        session.echo(f"fake{server}", "ready")
    settle(session)
    return session


def _row(name: str, bursts: Sequence[Burst], peer: Sequence[Burst]) -> dict[str, Any]:
    rate, lost = _rate(bursts), sum(CALLS - one.answered for one in bursts)
    ratio = rate / _rate(peer) if peer else None
    shown = f"{ratio:6.2f}" if ratio else "-"
    print(f"  {name:24} {rate:9,.0f} calls/s   × {KEPT.name} {shown}   lost {lost}", flush=True)
    return {"calls_per_second": rate, "to_fastmcp_kept": ratio, "lost": lost}


def _rate(bursts: Sequence[Burst]) -> float:
    return CALLS / statistics.median(one.seconds for one in bursts)
