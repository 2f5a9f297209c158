"""What a client pays for a menu, for what its model reads first and for a search: counted on real catalogs."""

from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from statistics import mean

import pytest

from tests.catalogs import CATALOGS, RETRIEVAL
from toolbooth.bench import load_golden
from toolbooth.catalog import ServerSpec, ServerTools, decode, read_catalog
from toolbooth.catalog.config import GatewaySettings
from toolbooth.catalog.loading import Sources, load
from toolbooth.demo import DEMO_SERVERS, demo_command
from toolbooth.gateway.builtin_tools import SEARCH_TOOLS
from toolbooth.gateway.reduce.output_shape import listed_schema
from toolbooth.gateway.surfaces import build, surface_instructions
from toolbooth.gateway.tool_registry import ToolRegistry
from toolbooth.tokens import count, weigh

BUDGETS = {"search": 190, "full": 420, "code": 240}
QUERIES = [
    "read a file",
    "make an appointment",
    "who changed this line",
    "open tickets",
    "rain tomorrow",
    "find a mail",
]
QUESTIONS = 60
SETS = [
    ("mcpproxy/corpus_v2.tools.json", "mcpproxy/retrieval_golden_v1.json"),
    ("livemcpbench/corpus.tools.json", "livemcpbench/golden.json"),
    ("mcpzero/corpus.tools.json", "mcpzero/golden.json"),
    ("etom/corpus.tools.json", "etom/golden.l1.json"),
    ("etom/corpus.tools.json", "etom/golden.l3.json"),
    ("metatool/corpus.tools.json", "metatool/golden.json"),
    ("sealtools/corpus.tools.json", "sealtools/golden.json"),
]


def registry_of(servers: Iterable[ServerTools]) -> ToolRegistry:
    listed = {each.server: each for each in servers}
    registry = ToolRegistry(listed)
    for each in listed.values():
        registry.put(each)
    return registry


@cache
def real_registry() -> ToolRegistry:
    """Every recorded public server at once."""
    return registry_of(
        each for path in CATALOGS for each in read_catalog(decode(path.read_bytes()), path).servers
    )


def repeated(servers: int) -> ToolRegistry:
    """The recorded servers again and again, each time under another name."""
    real = real_registry().catalog.servers
    rounds = -(-servers // len(real))
    copies = [replace(each, server=f"{each.server}-{again}") for again in range(rounds) for each in real]
    return registry_of(copies[:servers])


@cache
def corpus_registry(name: str) -> ToolRegistry:
    path = RETRIEVAL / name
    return registry_of(read_catalog(decode(path.read_bytes()), path).servers)


@pytest.fixture(scope="module")
async def demo_registry() -> ToolRegistry:
    commands = {name: demo_command(name) for name in DEMO_SERVERS}
    specs = tuple(ServerSpec(name, "stdio", command[0], command[1:]) for name, command in commands.items())
    loaded = await load(Sources(servers=specs))
    assert len(loaded.catalog.servers) == len(DEMO_SERVERS)
    return registry_of(loaded.catalog.servers)


@pytest.mark.promise("surface:budget")
@pytest.mark.parametrize("surface", BUDGETS)
def test_a_menu_keeps_its_budget_whatever_stands_behind_it(surface: str) -> None:
    assert weigh(build(surface, ToolRegistry(), GatewaySettings()).menu()).total_tokens <= BUDGETS[surface]
    allowed = GatewaySettings(manage_servers=True)
    assert weigh(build(surface, ToolRegistry(), allowed).menu()).total_tokens <= BUDGETS[surface]


@pytest.mark.promise("surface:instructions")
@pytest.mark.anyio
async def test_instructions_name_all_demo_servers(demo_registry: ToolRegistry) -> None:
    text = surface_instructions(demo_registry, "search")
    assert count(text) <= 120
    assert all(name in text for name in DEMO_SERVERS)


@pytest.mark.promise("surface:instructions")
@pytest.mark.parametrize("servers", [1, 5, 20, 114])
def test_instructions_keep_their_ceiling_on_real_servers(servers: int) -> None:
    registry = repeated(servers)
    for surface in ("search", "full", "direct"):
        assert count(surface_instructions(registry, surface)) <= 120


@pytest.mark.promise("surface:answers")
@pytest.mark.anyio
async def test_a_search_of_the_demo_servers_is_short(demo_registry: ToolRegistry) -> None:
    assert mean(_costs(demo_registry, QUERIES)) <= 350


@pytest.mark.promise("surface:answers")
@pytest.mark.parametrize(("corpus", "golden"), SETS)
def test_an_answer_of_eight_hits_costs_at_most_350_tokens_on_average_in_its_own_corpus(
    corpus: str, golden: str
) -> None:
    assert mean(_costs(corpus_registry(corpus), _queries(golden))) <= 350


@pytest.mark.promise("surface:answers")
def test_an_answer_of_eight_hits_costs_at_most_350_tokens_on_average_in_front_of_all_recorded_servers() -> (
    None
):
    queries = [query for _, golden in SETS for query in _queries(golden)]
    assert mean(_costs(real_registry(), queries)) <= 350


def _queries(golden: str) -> list[str]:
    return [question.query for question in load_golden(RETRIEVAL / golden).questions[:QUESTIONS]]


def _costs(registry: ToolRegistry, queries: list[str]) -> list[int]:
    """Tokens of those answers alone that hold eight hits: shorter ones would flatter the average."""
    assert SEARCH_TOOLS.answer is not None
    found = [
        SEARCH_TOOLS.answer(registry, {"query": query})
        for query in queries
        if len(registry.search(query, 8).hits) == 8
    ]
    assert len(found) >= len(queries) // 2
    return [count(answer) for answer in found]


@pytest.mark.promise("surface:direct")
def test_the_direct_menu_holds_every_tool_and_costs_less_than_what_the_servers_sent() -> None:
    registry = real_registry()
    slim, whole = (build("direct", registry, GatewaySettings(slim=slim)) for slim in (True, False))
    assert len(slim.tools) == len(registry.catalog)
    assert weigh(slim.menu()).total_tokens < 0.95 * weigh(whole.menu()).total_tokens
    reading, *listed = whole.menu()
    assert reading["name"] == "read_result"
    for entry, tool in zip(listed, registry.catalog, strict=True):
        sent = {**tool.raw, "inputSchema": entry["inputSchema"]}
        if tool.output_schema is not None:
            sent["outputSchema"] = listed_schema(tool.output_schema)
        assert {**entry, "name": tool.name} == sent
