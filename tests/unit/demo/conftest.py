"""One running fleet of demo servers for each protocol version, for all tests of a module."""

from collections.abc import AsyncIterator

import pytest
from tests.unit.demo.fleet import Fleet, running


@pytest.fixture(scope="module")
async def modern(anyio_backend: str) -> AsyncIterator[Fleet]:
    async with running("auto") as fleet:
        yield fleet


@pytest.fixture(scope="module")
async def legacy(anyio_backend: str) -> AsyncIterator[Fleet]:
    async with running("legacy") as fleet:
        yield fleet
