"""A running contender → processor time that a call costs it: a figure that a busy machine hardly moves."""

import time
from pathlib import Path

from .arena import Front, processes_of

CALLS = 200
LONGEST = 10.0  # seconds; slow contenders are asked less often
SETTLE = 0.05  # the last answer is out before its sender has gone back to sleep


def cpu_per_call(front: Front, server: str) -> float | None:
    """Microseconds of a gateway's threads, backends not counted; None where there is no gateway or no /proc."""
    backends = {tuple(words) for words in front.stand.servers.values()}
    gateway = [each for each in processes_of(front.stand.folder) if _words(each) not in backends]
    if not gateway:
        return None
    made, end = 0, time.perf_counter() + LONGEST
    before = sum(map(_on_cpu, gateway))
    while made < CALLS and time.perf_counter() < end:
        front.echo(server, f"message {made}")
        made += 1
    time.sleep(SETTLE)
    return (sum(map(_on_cpu, gateway)) - before) / made / 1000


def _words(process: int) -> tuple[str, ...]:
    line = Path(f"/proc/{process}/cmdline").read_bytes().decode(errors="replace")
    return tuple(line.rstrip("\0").split("\0"))


def _on_cpu(process: int) -> int:
    """Nanoseconds that its threads have run."""
    tasks = Path(f"/proc/{process}/task").glob("*/schedstat")
    return sum(int(path.read_text().split()[0]) for path in tasks)
