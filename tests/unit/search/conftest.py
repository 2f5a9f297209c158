"""Engines over the shared catalog, with the table and without."""

import pytest
from tests.unit.search.sample_catalog import catalog

from toolbooth.search import SearchEngine


@pytest.fixture(scope="session")
def engine() -> SearchEngine:
    return SearchEngine.of(catalog())


@pytest.fixture(scope="session")
def words_alone() -> SearchEngine:
    return SearchEngine.of(catalog(), None)


@pytest.fixture(params=["table", "words alone"])
def either(request: pytest.FixtureRequest, engine: SearchEngine, words_alone: SearchEngine) -> SearchEngine:
    return engine if request.param == "table" else words_alone
