"""Tools that a model would confuse, within one server and across servers, and servers that repeat another one."""

import math
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final, NamedTuple

from toolbooth import catalog, limits
from toolbooth.economics.tool_words import (
    Purpose,
    brands,
    description_words,
    purpose,
    split_name,
    without_server,
)

# How similar two descriptions must be (cosine of their words, rare words counting more), depending on the names.
# Set by reading every pair between 0.05 and 0.6 among the 2,994 tools of 114 public servers.
SAME_NAME: Final = 0.25
SAME_WORDS: Final = 0.35
SAME_WORDS_ONE_SERVER: Final = 0.4  # two similar tools of one server usually differ on purpose
# From here on, tools with the same name may replace each other. `create_issue` of two products stays below.
INTERCHANGEABLE: Final = 0.8
SAME_INPUTS: Final = 0.8  # share of input names that both tools have
SHORTEST_DESCRIPTION: Final = 20  # characters; shorter ones are similar by coincidence
# From the strongest reason to the weakest. A cluster has the weakest reason of its pairs.
WHY: Final = (
    "same name",
    "same description, similar name",
    "same words in name, similar description",
    "same name, described differently",
)


@dataclass(frozen=True)
class Cluster:
    """Tools that look alike, in the order of the catalog. `score` is the similarity of the two least similar.

    `saving_tokens` is 0 unless name, inputs and description agree; only then may one tool replace the others.
    """

    tools: tuple[str, ...]
    servers: tuple[str, ...]
    score: float
    why: str
    tokens: int = 0
    saving_tokens: int = 0

    @property
    def within_one_server(self) -> bool:
        """Whether all of them belong to the same server."""
        return len(self.servers) == 1


class _Entry(NamedTuple):
    number: int
    server_index: int
    tool: catalog.Tool
    name: tuple[str, ...]
    across: Purpose
    within: Purpose
    description: frozenset[str]
    text: str


class _Pair(NamedTuple):
    score: float
    first: int
    second: int
    why: str


def near_duplicates(
    tools: catalog.Catalog | Iterable[catalog.Tool], weights: Mapping[str, int] | None = None
) -> tuple[Cluster, ...]:
    """Find clusters of look-alikes, the largest saving first, and the most similar first among equals."""
    entries = _read(tools)
    pairs = {(pair.first, pair.second): pair for pair in _pairs(entries)}
    groups = _complete_clusters(pairs)
    clusters = [_cluster([entries[index] for index in group], pairs, weights or {}) for group in groups]
    return tuple(
        sorted(clusters, key=lambda cluster: (-cluster.saving_tokens, -cluster.score, cluster.tools))
    )


def _read(tools: catalog.Catalog | Iterable[catalog.Tool]) -> list[_Entry]:
    entries: list[_Entry] = []
    for server_index, (server, own) in enumerate(_by_server(tools)):
        names = [split_name(tool.name) for tool in own]
        first = len(entries)
        server_words = frozenset(split_name(server))
        product_words = server_words | brands(names)
        entries.extend(
            _Entry(
                number=first + place,
                server_index=server_index,
                tool=tool,
                name=name,
                across=purpose(without_server(name, product_words)),
                within=purpose(without_server(name, server_words), plurals=True),
                description=description_words(tool.description),
                text=" ".join(tool.description.lower().split()),
            )
            for place, (tool, name) in enumerate(zip(own, names, strict=True))
        )
    return entries


def _by_server(tools: catalog.Catalog | Iterable[catalog.Tool]) -> list[tuple[str, Sequence[catalog.Tool]]]:
    if isinstance(tools, catalog.Catalog):
        return [(server.server, server.tools) for server in tools.servers]
    grouped: dict[str, list[catalog.Tool]] = defaultdict(list)
    for tool in tools:
        grouped[tool.server].append(tool)
    return list(grouped.items())


def _pairs(entries: list[_Entry]) -> Iterator[_Pair]:
    likeness = _Likeness(entries)
    for one, other in sorted(_candidates(entries)):
        pair = _judge(entries[one], entries[other], likeness)
        if pair is not None:
            yield pair


def _candidates(entries: list[_Entry]) -> set[tuple[int, int]]:
    """Pairs that share a name, its meaning, or a description. No other pairs are compared."""
    groups: dict[Hashable, list[int]] = defaultdict(list)
    for entry in entries:
        keys = {("name", entry.name), ("across", entry.across), ("within", entry.within)}
        if len(entry.text) >= SHORTEST_DESCRIPTION:
            keys.add(("text", (entry.across.action, entry.text)))
        for key in keys:
            groups[key].append(entry.number)
    return {
        pair
        for group in groups.values()
        if len(group) <= limits.MAX_LOOK_ALIKES
        for pair in combinations(group, 2)
    }


def _judge(one: _Entry, other: _Entry, likeness: "_Likeness") -> _Pair | None:
    score = likeness.of(one, other)
    same_server = one.server_index == other.server_index
    meaning, least = ("within", SAME_WORDS_ONE_SERVER) if same_server else ("across", SAME_WORDS)
    same_words = getattr(one, meaning) == getattr(other, meaning) and bool(one.across.things)
    same_text = one.text == other.text and len(one.text) >= SHORTEST_DESCRIPTION
    if one.name == other.name and (score >= SAME_NAME or not (one.text and other.text)):
        return _Pair(score, one.number, other.number, WHY[0])
    if same_text and set(one.across.things) & set(other.across.things):
        return _Pair(score, one.number, other.number, WHY[1])
    if same_words and score >= least:
        return _Pair(score, one.number, other.number, WHY[2])
    # Both are needed, but the name alone does not identify one
    if one.name == other.name and not same_server:
        return _Pair(score, one.number, other.number, WHY[3])
    return None


class _Likeness:
    """The similarity of two descriptions: the cosine of their words, weighted by rarity."""

    def __init__(self, entries: list[_Entry]) -> None:
        counts = Counter(word for entry in entries for word in entry.description)
        self.weights = {word: math.log(1 + len(entries) / count) ** 2 for word, count in counts.items()}

    def of(self, one: _Entry, other: _Entry) -> float:
        lengths = self._sum(one.description) * self._sum(other.description)
        shared = self._sum(one.description & other.description)
        return min(1.0, round(shared / math.sqrt(lengths), 4)) if lengths else 0.0

    def _sum(self, words: frozenset[str]) -> float:
        return math.fsum(self.weights[word] for word in words)  # fsum does not depend on the order of the set


def _complete_clusters(pairs: dict[tuple[int, int], _Pair]) -> list[list[int]]:
    """Join the most similar first, and only if every tool of one side pairs with every tool of the other.

    Tools that share only a name are never joined with tools that have more in common.
    """
    of: dict[int, list[int]] = {}
    alike = [pair for pair in pairs.values() if pair.why != WHY[3]]
    _join(alike, pairs, of)
    rest = [
        pair for pair in pairs.values() if pair.why == WHY[3] and not {pair.first, pair.second} & of.keys()
    ]
    _join(rest, pairs, of)
    unique = {id(group): sorted(group) for group in of.values() if len(group) > 1}
    return list(unique.values())


def _join(some: list[_Pair], pairs: dict[tuple[int, int], _Pair], of: dict[int, list[int]]) -> None:
    for pair in sorted(some, key=lambda pair: (-pair.score, pair.first, pair.second)):
        one, other = of.setdefault(pair.first, [pair.first]), of.setdefault(pair.second, [pair.second])
        if one is not other and all((min(a, b), max(a, b)) in pairs for a in one for b in other):
            one.extend(other)
            of.update(dict.fromkeys(other, one))


def _cluster(
    members: list[_Entry], pairs: dict[tuple[int, int], _Pair], weights: Mapping[str, int]
) -> Cluster:
    inner = [pairs[one.number, other.number] for one, other in combinations(members, 2)]
    tokens = [weights.get(entry.tool.id, 0) for entry in members]
    servers = {entry.server_index: entry.tool.server for entry in members}
    why = max((pair.why for pair in inner), key=WHY.index)
    score = min(pair.score for pair in inner)
    one_would_do = why == WHY[0] and score >= INTERCHANGEABLE and _same_inputs(members)
    return Cluster(
        tools=tuple(entry.tool.id for entry in members),
        servers=tuple(servers.values()),
        score=score,
        why=why,
        tokens=sum(tokens),
        saving_tokens=sum(tokens) - min(tokens) if one_would_do else 0,
    )


def _same_inputs(members: list[_Entry]) -> bool:
    inputs = [_input_names(entry.tool) for entry in members]
    return all(len(one & other) >= SAME_INPUTS * len(one | other) for one, other in combinations(inputs, 2))


def _input_names(tool: catalog.Tool) -> frozenset[str]:
    properties = tool.input_schema.get("properties") if tool.input_schema else None
    return frozenset(properties) if isinstance(properties, Mapping) else frozenset()


Definitions = frozenset[str]


class Repeated(NamedTuple):
    """`spare` servers have no tool that `kept` lacks. Whether they reach the same data is unknown."""

    kept: catalog.ServerTools
    spare: tuple[catalog.ServerTools, ...]

    @property
    def equal(self) -> bool:
        """Whether all these servers have the same tools."""
        return len(self.kept.tools) == len(self.spare[0].tools)


def repeated_servers(servers: Sequence[catalog.ServerTools]) -> tuple[Repeated, ...]:
    """One group for each set of tools that several servers have. A kept server is never spare in another group."""
    by_tools: dict[Definitions, list[catalog.ServerTools]] = {}
    for server in servers:
        if server.tools:
            by_tools.setdefault(_definitions(server), []).append(server)
    groups = (_group(own, by_tools) for own in by_tools)
    return tuple(group for group in groups if group.spare)


def _group(own: Definitions, by_tools: dict[Definitions, list[catalog.ServerTools]]) -> Repeated:
    largest = max((each for each in by_tools if own <= each), key=len)
    alike = by_tools[own]
    return Repeated(by_tools[largest][0], tuple(alike[1:] if largest == own else alike))


def _definitions(server: catalog.ServerTools) -> Definitions:
    return frozenset(
        catalog.canonical([tool.name, tool.description, tool.input_schema]) for tool in server.tools
    )
