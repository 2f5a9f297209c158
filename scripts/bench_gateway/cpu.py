"""The processor time of a call in a contender: a figure that a busy machine hardly changes."""

import time
from pathlib import Path

from .launcher import Session, processes_of, read_proc

CALLS = 200
LONGEST = 10.0  # seconds; slow contenders are asked less often
LONGEST_SETTLING = 30.0
LOOK_EVERY = 0.5
IDLE = 0.03  # of one core
LAST_MOMENT = 0.05  # the last answer arrives before its sender is idle again


def cpu_per_call(session: Session, server: str) -> float | None:
    """Microseconds of a gateway's threads, without the backends; None if there is no gateway or no /proc."""
    gateway = _gateway(session)
    if not gateway:
        return None
    made, end = 0, time.perf_counter() + LONGEST
    before = sum(map(_on_cpu, gateway))
    while made < CALLS and time.perf_counter() < end:
        session.echo(server, f"message {made}")
        made += 1
    time.sleep(LAST_MOMENT)
    return (sum(map(_on_cpu, gateway)) - before) / made / 1000


def settle(*sessions: Session) -> None:
    """Wait until contenders have finished their work after a start (listing, indexing, storing)."""
    end = time.perf_counter() + LONGEST_SETTLING
    processes = [each for session in sessions for each in processes_of(session.prepared.folder)]
    used, before = IDLE + 1, sum(map(_on_cpu, processes))
    while used > IDLE and time.perf_counter() < end:
        time.sleep(LOOK_EVERY)
        now = sum(map(_on_cpu, processes))
        used, before = (now - before) / 1e9 / LOOK_EVERY, now


def _gateway(session: Session) -> list[int]:
    backends = {tuple(words) for words in session.prepared.servers.values()}
    return [each for each in processes_of(session.prepared.folder) if _words(each) not in backends]


def _words(process: int) -> tuple[str, ...]:
    line = read_proc(Path(f"/proc/{process}/cmdline")).decode(errors="replace")
    return tuple(line.rstrip("\0").split("\0"))


def _on_cpu(process: int) -> int:
    """Nanoseconds that its threads have run; zero once it has ended."""
    tasks = Path(f"/proc/{process}/task").glob("*/schedstat")
    return sum(int((read_proc(path).split() or [b"0"])[0]) for path in tasks)
