"""Real servers over HTTP, started for the tests and stopped after them."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import pytest

HTTP_SERVER = str(Path(__file__).with_name("http_server.py"))
StartHttp = Callable[..., str]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_for(port: int, process: subprocess.Popen[bytes]) -> None:
    for _ in range(600):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        assert process.poll() is None, "the server under test ended at once"
        time.sleep(0.05)
    raise AssertionError("the server under test did not open its port")


@pytest.fixture(scope="session")
def start_http() -> Iterator[Callable[[Sequence[str], int, Mapping[str, str]], None]]:
    processes: list[subprocess.Popen[bytes]] = []

    def start(command: Sequence[str], port: int, environ: Mapping[str, str]) -> None:
        process = subprocess.Popen(
            list(command),
            env={**os.environ, **environ},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        processes.append(process)
        wait_for(port, process)

    yield start
    for process in processes:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


@pytest.fixture(scope="session")
def sdk_http(start_http: Callable[[Sequence[str], int, Mapping[str, str]], None]) -> Callable[..., str]:
    """Start the SDK's own server: `sdk_http("sse")` gives its base URL."""
    running: dict[tuple[str, ...], str] = {}

    def url(kind: str, *key: str) -> str:
        if (kind, *key) not in running:
            port = free_port()
            start_http([sys.executable, HTTP_SERVER, str(port), kind, *key], port, {})
            running[kind, *key] = f"http://127.0.0.1:{port}"
        return running[kind, *key]

    return url
