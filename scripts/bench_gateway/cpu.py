"""A running contender → processor time that a call costs it: a figure that a busy machine hardly moves."""

import time
from pathlib import Path

from .arena import Front, processes_of, read_proc

CALLS = 200
LONGEST = 10.0  # seconds; slow contenders are asked less often
LONGEST_SETTLING = 30.0
LOOK_EVERY = 0.5
IDLE = 0.03  # of one core
LAST_MOMENT = 0.05  # the last answer is out before its sender has gone back to sleep


def cpu_per_call(front: Front, server: str) -> float | None:
    """Microseconds of a gateway's threads, backends not counted; None where there is no gateway or no /proc."""
    gateway = _gateway(front)
    if not gateway:
        return None
    made, end = 0, time.perf_counter() + LONGEST
    before = sum(map(_on_cpu, gateway))
    while made < CALLS and time.perf_counter() < end:
        front.echo(server, f"message {made}")
        made += 1
    time.sleep(LAST_MOMENT)
    return (sum(map(_on_cpu, gateway)) - before) / made / 1000


def settle(*fronts: Front) -> None:
    """Wait until contenders have done what they do after a start (listing, indexing, storing)."""
    end = time.perf_counter() + LONGEST_SETTLING
    processes = [each for front in fronts for each in processes_of(front.stand.folder)]
    ran, before = IDLE + 1, sum(map(_on_cpu, processes))
    while ran > IDLE and time.perf_counter() < end:
        time.sleep(LOOK_EVERY)
        now = sum(map(_on_cpu, processes))
        ran, before = (now - before) / 1e9 / LOOK_EVERY, now


def _gateway(front: Front) -> list[int]:
    backends = {tuple(words) for words in front.stand.servers.values()}
    return [each for each in processes_of(front.stand.folder) if _words(each) not in backends]


def _words(process: int) -> tuple[str, ...]:
    line = read_proc(Path(f"/proc/{process}/cmdline")).decode(errors="replace")
    return tuple(line.rstrip("\0").split("\0"))


def _on_cpu(process: int) -> int:
    """Nanoseconds that its threads have run; none once it has ended."""
    tasks = Path(f"/proc/{process}/task").glob("*/schedstat")
    return sum(int((read_proc(path).split() or [b"0"])[0]) for path in tasks)
