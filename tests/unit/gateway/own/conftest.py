"""A gateway whose servers are never started: what four of them offer is known, and one cannot be had."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from tests.unit.gateway.own.street import GONE, Street, opened

from toolbooth.gateway.caller import Session
from toolbooth.gateway.ledger import Ledger
from toolbooth.gateway.view import View


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    made = Ledger(tmp_path / "ledger")
    yield made
    made.close()


@pytest.fixture
async def street(tmp_path: Path, ledger: Ledger) -> AsyncIterator[Street]:
    async with opened(tmp_path, ledger, unknown=[GONE]) as street:
        yield street


@pytest.fixture
def view(street: Street) -> View:
    return street.view


@pytest.fixture
def session(street: Street) -> Session:
    return street.session
