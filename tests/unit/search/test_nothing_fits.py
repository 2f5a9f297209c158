"""A query that no tool can serve gets no hits, and the nearest terms."""

import pytest
from tests.unit.search.sample_catalog import catalog

from toolbooth.search import SearchEngine


@pytest.mark.parametrize(
    "query",
    ["qzxv wkjhq", "bake sourdough bread", "knit a sweater", "asdfghjkl", "who won the world cup in 1998"],
)
def test_nothing_is_padded(engine: SearchEngine, query: str) -> None:
    found = engine.search(query)
    assert found.hits == ()
    assert found.try_also == ()
    assert 0 < len(found.nearest) <= 5


def test_words_alone_reject_what_no_tool_mentions(words_alone: SearchEngine) -> None:
    found = words_alone.search("bake sourdough bread")
    assert found.hits == ()
    assert found.nearest


def test_the_nearest_terms_are_near_in_meaning(engine: SearchEngine) -> None:
    assert {"storm", "weather", "flood", "forecast", "region"} & set(engine.search("skiing holiday").nearest)


@pytest.mark.parametrize("query", ["", "   ", "\n", "🙂", "???", "how do I", "the of and", ".*", "()[]{}"])
def test_a_query_without_a_telling_word_gets_nothing_but_a_hint(either: SearchEngine, query: str) -> None:
    found = either.search(query)
    assert found.hits == ()
    assert found.nearest


def test_an_empty_catalog_has_nothing_to_offer() -> None:
    for engine in (SearchEngine(), SearchEngine(None), SearchEngine.of(catalog(()))):
        found = engine.search("anything")
        assert (found.hits, found.nearest, found.try_also, dict(found.corrected)) == ((), (), (), {})
