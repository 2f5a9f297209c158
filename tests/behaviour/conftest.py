"""The SDK's own server over HTTP, started once for all tests that want it."""

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.server_process import free_port, running

HTTP_SERVER = str(Path(__file__).with_name("http_server.py"))


@pytest.fixture(scope="session")
def sdk_http() -> Iterator[Callable[..., str]]:
    """`sdk_http("sse")` gives the base URL; a second word is the key that it wants."""
    with ExitStack() as stack:
        urls: dict[tuple[str, ...], str] = {}

        def url(*words: str) -> str:
            if words not in urls:
                port = free_port()
                stack.enter_context(running([sys.executable, HTTP_SERVER, str(port), *words], port))
                urls[words] = f"http://127.0.0.1:{port}"
            return urls[words]

        yield url
