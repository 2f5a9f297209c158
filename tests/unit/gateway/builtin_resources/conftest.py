"""A gateway whose servers are never started: what four of them offer is known, and one cannot be had."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from tests.unit.gateway.builtin_resources.idle_gateway import GONE, IdleGateway, open_idle_gateway

from toolbooth.gateway.ledger import Ledger
from toolbooth.gateway.session import Session
from toolbooth.gateway.surfaces.view import View


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    made = Ledger(tmp_path / "ledger")
    yield made
    made.close()


@pytest.fixture
async def idle_gateway(tmp_path: Path, ledger: Ledger) -> AsyncIterator[IdleGateway]:
    async with open_idle_gateway(tmp_path, ledger, unknown=[GONE]) as idle_gateway:
        yield idle_gateway


@pytest.fixture
def view(idle_gateway: IdleGateway) -> View:
    return idle_gateway.view


@pytest.fixture
def session(idle_gateway: IdleGateway) -> Session:
    return idle_gateway.session
