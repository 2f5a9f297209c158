"""Every contract test runs once for each implementation."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.contracts.stores.factories import FACTORIES, Place, Stores


@pytest.fixture(params=FACTORIES)
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    return Place(request.param, tmp_path / "place")


@pytest.fixture
def stores(place: Place) -> Iterator[Stores]:
    with place.opened() as stores:
        yield stores
