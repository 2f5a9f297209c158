"""Whatever is asked of whatever catalog: the same answer each time, each tool once, never an exception."""

from hypothesis import given, settings, strategies as st
from tests.unit.search.sample_catalog import TOOLS, catalog

from toolbooth.catalog import Tool
from toolbooth.search import SearchEngine
from toolbooth.search.fusion import USAGE_LIMIT

ENGINES = (SearchEngine.of(catalog()), SearchEngine.of(catalog(), None))

WORDS = "read file isue create weather mail send delete 搜索 repository rows GitHub v2 zzzz"
telling = st.sampled_from(WORDS.split())
queries = st.one_of(st.text(max_size=200), st.lists(telling, max_size=8).map(" ".join))
names = st.one_of(
    st.text(min_size=1, max_size=20), st.sampled_from(["readFile", "send_mail", "x", "list-all"])
)
tools = st.builds(
    Tool,
    server=st.sampled_from(["a", "b", "c"]),
    name=names,
    description=st.one_of(st.text(max_size=80), telling),
    input_schema=st.none()
    | st.dictionaries(st.just("properties"), st.dictionaries(names, st.text() | st.none())),
)
catalogs = st.lists(tools, max_size=12)


@given(queries, st.integers(-1, 30), st.booleans(), st.booleans())
def test_any_query_gives_an_ordered_answer_with_each_tool_once(
    query: str, limit: int, read_only: bool, not_destructive: bool
) -> None:
    for engine in ENGINES:
        found = engine.search(query, limit, read_only=read_only, not_destructive=not_destructive)
        ids = [hit.tool.id for hit in found.hits]
        scores = [hit.score for hit in found.hits]
        assert len(ids) == len(set(ids)) <= max(limit, 0)
        assert scores == sorted(scores, reverse=True)
        assert all(0 <= score <= 1 for score in scores)
        assert len(found.try_also) <= 3
        assert not (found.hits and found.nearest)
        assert engine.search(query, limit, read_only=read_only, not_destructive=not_destructive) == found


@settings(deadline=None)
@given(catalogs, catalogs, queries)
def test_replacing_servers_equals_rebuilding(before: list[Tool], after: list[Tool], query: str) -> None:
    grown = SearchEngine.of(catalog(tuple(before)))
    grown.search(query)
    for server in "cab":
        mine = [each for each in after if each.server == server]
        grown.replace_server(server, mine) if mine else grown.remove_server(server)
    rebuilt = SearchEngine.of(catalog(tuple(after)))
    assert grown.search(query) == rebuilt.search(query)


@settings(deadline=None)
@given(catalogs.filter(bool), st.data())
def test_a_tool_is_first_for_its_own_name(some: list[Tool], data: st.DataObject) -> None:
    wanted = data.draw(st.sampled_from(some))
    for name in (wanted.id, wanted.name):
        if any(char.isalnum() for char in name) and len(name) <= 300:
            best = SearchEngine.of(catalog(tuple(some)), None).search(name).hits[0].tool
            assert name.strip() in (best.id.strip(), best.name.strip())


@given(queries, st.dictionaries(st.sampled_from([each.id for each in TOOLS]), st.integers(0, 10**9)))
def test_usage_reorders_only_what_is_nearly_equal(query: str, usage: dict[str, int]) -> None:
    for engine in ENGINES:
        plain = engine.search(query, len(TOOLS))
        used = engine.search(query, len(TOOLS), usage=usage)
        assert bool(plain.hits) == bool(used.hits)
        assert all(0 <= hit.why.usage_boost <= USAGE_LIMIT for hit in used.hits)
        places = {hit.tool.id: place for place, hit in enumerate(used.hits)}
        for place, better in enumerate(plain.hits):
            for worse in plain.hits[place + 1 :]:
                if usage.get(worse.tool.id, 0) <= usage.get(better.tool.id, 0) and worse.tool.id in places:
                    assert places[better.tool.id] < places[worse.tool.id]


@settings(deadline=None)
@given(catalogs, queries)
def test_an_index_that_was_stored_answers_as_a_fresh_one_does(some: list[Tool], query: str) -> None:
    fresh, restored = SearchEngine.of(catalog(tuple(some))), SearchEngine()
    for each in catalog(tuple(some)).servers:
        assert restored.replace_server(each.server, each.tools, stored=fresh.stored(each.server))
    assert restored.search(query) == fresh.search(query)
    assert restored.strength(query) == fresh.strength(query)
