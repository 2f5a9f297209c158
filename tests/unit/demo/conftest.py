"""One running fleet of demo servers per protocol era for all tests of this room."""

from collections.abc import AsyncIterator

import pytest
from tests.unit.demo.fleet import Fleet, running


@pytest.fixture(scope="package")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="package")
async def modern(anyio_backend: str) -> AsyncIterator[Fleet]:
    async with running("auto") as fleet:
        yield fleet


@pytest.fixture(scope="package")
async def legacy(anyio_backend: str) -> AsyncIterator[Fleet]:
    async with running("legacy") as fleet:
        yield fleet
