"""Made-up tools: all different, the same every time, and of the make of the real ones."""

from tests.unit.bench.growth.samples import CATALOG

from toolbooth.bench.growth.sized_catalogs import Sampler, made_up_servers
from toolbooth.catalog import Tool

SCHEMA = {
    "type": "object",
    "properties": {"city": {"type": "string"}, "days": {"type": "integer", "minimum": 1}},
    "required": ["city"],
}
REAL = (
    Tool("weather", "forecast", "Get the forecast. Days are counted from today", SCHEMA),
    Tool("weather", "stations", "List stations. There are eight of them in the harbour"),
)


def tools(count: int, seed: int = 0) -> list[Tool]:
    return [tool for server in made_up_servers(REAL, count, seed, ()) for tool in server.tools]


def test_there_are_as_many_as_wanted_and_all_are_different() -> None:
    made = tools(1_234)
    assert len({tool.id for tool in made}) == 1_234
    assert len({tool.description for tool in made}) > 1_000


def test_the_same_seed_makes_the_same_tools() -> None:
    assert tools(150) == tools(150)
    assert tools(150, seed=1) != tools(150)


def test_about_as_many_have_a_schema_as_of_the_real_ones() -> None:
    bare = sum(1 for tool in tools(1_000) if tool.input_schema is None)
    assert 400 < bare < 600


def test_parameters_and_sentences_are_those_of_real_tools() -> None:
    known = SCHEMA["properties"]
    assert isinstance(known, dict)
    for tool in tools(200):
        assert set((tool.input_schema or {}).get("properties", {})) <= set(known)
    assert any("eight of them in the harbour" in tool.description for tool in tools(200))


def test_no_server_is_called_like_a_real_one() -> None:
    first = next(made_up_servers(REAL, 1, 0, ()))
    assert next(made_up_servers(REAL, 1, 0, {first.server})).server != first.server


def test_the_vocabulary_grows_with_the_catalog() -> None:
    def words(count: int) -> int:
        return len({word for tool in tools(count) for word in tool.description.lower().split()})

    assert words(2_000) > words(1_000) + 100


def test_real_tools_without_any_words_are_enough() -> None:
    (server,) = made_up_servers((Tool("s", "t"),), 5, 0, ())
    assert len(server.tools) == 5


def ids(size: int, seed: int = 0) -> set[str]:
    return {each.id for each in Sampler(CATALOG, seed).catalog(size).catalog}


def test_a_sample_has_the_wanted_size_and_only_tools_of_the_catalog() -> None:
    assert len(ids(7)) == 7
    assert ids(7) < {each.id for each in CATALOG}
    assert Sampler(CATALOG, 0).catalog(7).made_up == 0


def test_each_size_is_the_beginning_of_the_next() -> None:
    assert ids(5) < ids(17) < ids(30) < ids(45) < ids(170)


def test_another_seed_draws_other_tools() -> None:
    assert ids(7, seed=1) != ids(7, seed=0) == ids(7, seed=0)


def test_what_is_missing_is_made_up_and_counted() -> None:
    sized = Sampler(CATALOG, 0).catalog(250)
    assert len(sized.catalog) == len({each.id for each in sized.catalog}) == 250
    assert sized.made_up == 220
    assert {each.id for each in CATALOG} < {each.id for each in sized.catalog}


def test_what_was_set_aside_is_in_no_sample() -> None:
    assert not Sampler(CATALOG, 0).catalog(30).catalog.set_aside
