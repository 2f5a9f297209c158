"""How long small calls wait while a sibling server sends answers of 16 MB."""

import statistics
import time
from collections.abc import Sequence
from functools import partial
from typing import Any, NamedTuple

import orjson

from .bursts import reaching
from .connection_reader import FIRST_ID, Arrived, ConnectionReader, post
from .contenders import Contender
from .launcher import Launcher, Session, attempt
from .pipe import PROTOCOL, STATELESS, ContenderFailed
from .rounds import percentile

DEADLINE = 120.0
FAT_LINE = 1_000_000  # a longer line can only be a large answer
FEWEST_FAT = 3
PING_EVERY = 0.005
MOST_WAITING = 100  # more would fill the pipe of a contender that hangs, and block this client


class SiblingDelay(NamedTuple):
    """Milliseconds of the small calls, and the size and seconds of a large one."""

    pings: list[float]
    fat_bytes: int
    fat_seconds: float


class DelayProbe:
    """One large call after the other to `busy`, and small ones at a steady pace to `watched`."""

    def __init__(self, busy: Session, watched: Session, seconds: float) -> None:
        self._busy, self._watched = busy, watched
        self._start = time.perf_counter()
        self._end = self._start + seconds
        self._waiting: dict[int, float] = {}
        self._pings: list[float] = []
        self._fats, self._fat_bytes, self._fat_seconds = 0, 0, 0.0
        self._last_id = FIRST_ID

    def run(self) -> SiblingDelay:
        self._post_fat()
        due = self._start
        with ConnectionReader({*self._busy.pipes.values(), *self._watched.pipes.values()}) as reader:
            while self._on() or self._waiting:
                if time.perf_counter() >= due and self._on() and len(self._waiting) < MOST_WAITING:
                    self._post_small()
                    due = max(due + PING_EVERY, time.perf_counter())
                wait = due - time.perf_counter()
                for arrived in reader.arrivals(wait if 0 < wait < PING_EVERY else PING_EVERY):
                    self._take(arrived)
        return SiblingDelay(self._pings, self._fat_bytes // self._fats, self._fat_seconds / self._fats)

    def _on(self) -> bool:
        now = time.perf_counter()
        if now > self._start + DEADLINE:
            raise ContenderFailed(f"{self._fats} fat answers within {DEADLINE:.0f} s")
        return self._fats < FEWEST_FAT or now < self._end

    def _post_small(self) -> None:
        self._last_id += 1
        self._waiting[self._last_id] = time.perf_counter()
        post(self._watched, "fake1", self._last_id, "echo", {"message": "small"})

    def _post_fat(self) -> None:
        self._last_id += 1
        self._fat_id, self._fat_sent = self._last_id, time.perf_counter()
        post(self._busy, "fake0", self._fat_id, "fat", {})

    def _take(self, arrived: Arrived) -> None:
        known = self._fat_id if len(arrived.line) > FAT_LINE else orjson.loads(arrived.line).get("id")
        if known in self._waiting:
            self._pings.append((arrived.at - self._waiting.pop(known)) * 1000)
        elif known == self._fat_id:
            self._fats += 1
            self._fat_bytes += len(arrived.line)
            self._fat_seconds += arrived.at - self._fat_sent
            if self._on():
                self._post_fat()


def measure_sibling_delays(
    launcher: Launcher, contenders: Sequence[Contender], seconds: float, rounds: int
) -> dict[str, Any]:
    """Those of one pair of protocol versions in turn, each for a short time, because 16 MB keep the cores busy."""
    pace = f"a small call every {PING_EVERY * 1000:.0f} ms"
    print(f"\n{pace} for {rounds} × {seconds:.1f} s beside answers of 16 MB from a sibling server, ms")
    found: dict[str, Any] = {}
    for pair in PAIRS:
        print(f"  client {pair.client}, servers {pair.server}", flush=True)
        able = [each for each in contenders if each.stateless or pair == PAIRS[0]]
        probes = [
            probe for each in able for probe in attempt(each, partial(_probes, launcher, each, pair)) or []
        ]
        parts: dict[str, list[SiblingDelay]] = {probe.label: [] for probe in probes}
        for _ in range(rounds):
            for probe in probes:
                one = attempt(probe.busy.prepared.contender, partial(probe.run, seconds))
                parts[probe.label] += [one] if one else []
        launcher.clear()
        found |= {f"{label}, {pair}": _row(label, each) for label, each in parts.items() if each}
    return found


class Pair(NamedTuple):
    """The protocol versions of both sides."""

    client: str
    server: str

    def __str__(self) -> str:
        return f"{self.client} to {self.server}"


PAIRS = [Pair(client, server) for client in (PROTOCOL, STATELESS) for server in (PROTOCOL, STATELESS)]


class Probe(NamedTuple):
    """One row: the session that asks for 16 MB, and the one whose small calls are timed."""

    label: str
    busy: Session
    watched: Session

    def run(self, seconds: float) -> SiblingDelay:
        return DelayProbe(self.busy, self.watched, seconds).run()


def _probes(launcher: Launcher, contender: Contender, pair: Pair) -> list[Probe]:
    """Over the same connection; with a daemon also from a second client, whose pipe the 16 MB do not fill."""
    busy = reaching(launcher, contender, 2, *pair)
    probes = [Probe(contender.name, busy, busy)]
    if contender.stop and pair == PAIRS[0]:
        watched = launcher.start(busy.prepared, pair.client)
        watched.echo("fake1", "ready")
        probes.append(Probe(f"{contender.name}, 2nd client", busy, watched))
    return probes


def _row(label: str, parts: Sequence[SiblingDelay]) -> dict[str, Any]:
    pings = [ping for part in parts for ping in part.pings]
    fat_bytes = statistics.mean(part.fat_bytes for part in parts)
    fat_seconds = statistics.mean(part.fat_seconds for part in parts)
    p50, p99, most = statistics.median(pings), percentile(pings, 99), max(pings)
    fat = f"{fat_bytes / 1e6:5.2f} MB in {fat_seconds * 1000:6.0f} ms"
    calls = f"{len(pings):5} small calls, a fat answer {fat}"
    print(f"    {label:28} p50 {p50:8.2f}   p99 {p99:8.2f}   max {most:8.2f}   {calls}", flush=True)
    return {"p50": p50, "p99": p99, "max": most, "fat_bytes": fat_bytes, "fat_seconds": fat_seconds}
