"""One sandbox for all tests of a module: its workers take longer to start than most tests to run."""

from collections.abc import AsyncIterator

import pytest

from toolbooth.sandbox import Sandbox


@pytest.fixture(scope="module")
async def sandbox(anyio_backend: str) -> AsyncIterator[Sandbox]:
    opened = Sandbox()
    yield opened
    await opened.close()
