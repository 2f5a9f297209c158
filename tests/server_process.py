"""Starts a server for the tests, waits until it listens, and kills it with its children afterwards."""

import os
import random
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from filelock import FileLock, Timeout

_draw = random.SystemRandom()  # the usual one has the same seed in all workers where Hypothesis runs
_locks: list[FileLock] = []


def free_port() -> int:
    """A port for a server that is started later: nobody else gets it until this process ends.

    It is below the ports of outgoing connections, and locked against the other workers.
    """
    folder = Path(tempfile.gettempdir(), "toolbooth-test-ports")
    folder.mkdir(exist_ok=True)
    while True:
        port = _draw.randrange(10_000, 32_000)
        lock = FileLock(folder / str(port))
        with suppress(Timeout, OSError), socket.socket() as probe:
            lock.acquire(timeout=0)
            _locks.append(lock)
            probe.bind(("127.0.0.1", port))
            return port


@contextmanager
def running(command: Sequence[str], port: int, environ: Mapping[str, str] | None = None) -> Iterator[None]:
    process = subprocess.Popen(
        list(command),
        env={**os.environ, **(environ or {})},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        _wait_for(port, process)
        yield
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def _wait_for(port: int, process: subprocess.Popen[bytes]) -> None:
    for _ in range(4800):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        assert process.poll() is None, "the server under test ended at once"
        time.sleep(0.05)
    raise AssertionError("the server under test did not open its port")
