"""Tools that a model would confuse, within one server and across servers, and servers that repeat another one."""

import math
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final, NamedTuple

from toolbooth.catalog import Catalog, ServerTools, Tool, canonical
from toolbooth.economics.tool_words import (
    Purpose,
    brands,
    description_words,
    purpose,
    split_name,
    without_server,
)
from toolbooth.limits import MAX_LOOK_ALIKES

# How alike two descriptions must be (cosine of their words, rare ones counting more), by how alike the names
# are. Set by reading every pair of the 2,994 tools of 114 public servers between 0.05 and 0.6.
SAME_NAME: Final = 0.25
SAME_WORDS: Final = 0.35
SAME_WORDS_ONE_SERVER: Final = 0.4  # a server that says a thing twice mostly means two things
# From here on two tools of one name may stand for each other: `create_issue` of two products stays below it.
INTERCHANGEABLE: Final = 0.8
SAME_INPUTS: Final = 0.8  # share of the inputs' names that both tools have
SHORTEST_DESCRIPTION: Final = 20  # characters; shorter ones are alike by chance
# From the plainest reason to the weakest; a cluster gives the weakest that holds it together.
WHY: Final = (
    "same name",
    "same description, similar name",
    "same words in name, similar description",
    "same name, described differently",
)


@dataclass(frozen=True)
class Cluster:
    """Tools that look alike, in the order of the catalog. `score` is the likeness of the least alike two.

    `saving_tokens` is 0 unless they share name and inputs and are described alike: only then one may do for all.
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
    home: int
    tool: Tool
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
    tools: Catalog | Iterable[Tool], weights: Mapping[str, int] | None = None
) -> tuple[Cluster, ...]:
    """Clusters of look-alikes; the most tokens that could go stand first, without weights the most alike."""
    entries = _read(tools)
    pairs = {(pair.first, pair.second): pair for pair in _pairs(entries)}
    groups = _complete_clusters(pairs)
    clusters = [_cluster([entries[index] for index in group], pairs, weights or {}) for group in groups]
    return tuple(
        sorted(clusters, key=lambda cluster: (-cluster.saving_tokens, -cluster.score, cluster.tools))
    )


def _read(tools: Catalog | Iterable[Tool]) -> list[_Entry]:
    entries: list[_Entry] = []
    for home, (server, own) in enumerate(_by_server(tools)):
        names = [split_name(tool.name) for tool in own]
        first = len(entries)
        server_words = frozenset(split_name(server))
        product_words = server_words | brands(names)
        entries.extend(
            _Entry(
                number=first + place,
                home=home,
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


def _by_server(tools: Catalog | Iterable[Tool]) -> list[tuple[str, Sequence[Tool]]]:
    if isinstance(tools, Catalog):
        return [(server.server, server.tools) for server in tools.servers]
    grouped: dict[str, list[Tool]] = defaultdict(list)
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
    """Pairs that share a whole name, its meaning, or a description; all others are never compared."""
    groups: dict[Hashable, list[int]] = defaultdict(list)
    for entry in entries:
        keys = {("name", entry.name), ("across", entry.across), ("within", entry.within)}
        if len(entry.text) >= SHORTEST_DESCRIPTION:
            keys.add(("text", (entry.across.action, entry.text)))
        for key in keys:
            groups[key].append(entry.number)
    return {
        pair for group in groups.values() if len(group) <= MAX_LOOK_ALIKES for pair in combinations(group, 2)
    }


def _judge(one: _Entry, other: _Entry, likeness: "_Likeness") -> _Pair | None:
    score = likeness.of(one, other)
    same_home = one.home == other.home
    meaning, least = ("within", SAME_WORDS_ONE_SERVER) if same_home else ("across", SAME_WORDS)
    same_words = getattr(one, meaning) == getattr(other, meaning) and bool(one.across.things)
    same_text = one.text == other.text and len(one.text) >= SHORTEST_DESCRIPTION
    if one.name == other.name and (score >= SAME_NAME or not (one.text and other.text)):
        return _Pair(score, one.number, other.number, WHY[0])
    if same_text and set(one.across.things) & set(other.across.things):
        return _Pair(score, one.number, other.number, WHY[1])
    if same_words and score >= least:
        return _Pair(score, one.number, other.number, WHY[2])
    if (
        one.name == other.name and not same_home
    ):  # both are needed, but a bare name no longer tells which is meant
        return _Pair(score, one.number, other.number, WHY[3])
    return None


class _Likeness:
    """How alike two descriptions are: cosine of their words, each weighed by how rare it is."""

    def __init__(self, entries: list[_Entry]) -> None:
        counts = Counter(word for entry in entries for word in entry.description)
        self.weights = {word: math.log(1 + len(entries) / count) ** 2 for word, count in counts.items()}

    def of(self, one: _Entry, other: _Entry) -> float:
        lengths = self._sum(one.description) * self._sum(other.description)
        shared = self._sum(one.description & other.description)
        return min(1.0, round(shared / math.sqrt(lengths), 4)) if lengths else 0.0

    def _sum(self, words: frozenset[str]) -> float:
        return math.fsum(self.weights[word] for word in words)  # fsum: the order of a set changes nothing


def _complete_clusters(pairs: dict[tuple[int, int], _Pair]) -> list[list[int]]:
    """Join the most alike first, and only where every tool of one side pairs with every tool of the other.

    Tools that only share a name join none that are alike beyond it.
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
    homes = {entry.home: entry.tool.server for entry in members}
    why = max((pair.why for pair in inner), key=WHY.index)
    score = min(pair.score for pair in inner)
    one_would_do = why == WHY[0] and score >= INTERCHANGEABLE and _same_inputs(members)
    return Cluster(
        tools=tuple(entry.tool.id for entry in members),
        servers=tuple(homes.values()),
        score=score,
        why=why,
        tokens=sum(tokens),
        saving_tokens=sum(tokens) - min(tokens) if one_would_do else 0,
    )


def _same_inputs(members: list[_Entry]) -> bool:
    inputs = [_input_names(entry.tool) for entry in members]
    return all(len(one & other) >= SAME_INPUTS * len(one | other) for one, other in combinations(inputs, 2))


def _input_names(tool: Tool) -> frozenset[str]:
    properties = tool.input_schema.get("properties") if tool.input_schema else None
    return frozenset(properties) if isinstance(properties, Mapping) else frozenset()


Definitions = frozenset[str]


class Repeated(NamedTuple):
    """`spare` servers offer nothing that `kept` does not; whether they reach the same thing nobody can see."""

    kept: ServerTools
    spare: tuple[ServerTools, ...]

    @property
    def equal(self) -> bool:
        """Whether `kept` offers no more than the others either."""
        return len(self.kept.tools) == len(self.spare[0].tools)


def repeated_servers(servers: Sequence[ServerTools]) -> tuple[Repeated, ...]:
    """One group for each set of tools that stands more than once; a server that is kept is spare nowhere."""
    by_tools: dict[Definitions, list[ServerTools]] = {}
    for server in servers:
        if server.tools:
            by_tools.setdefault(_definitions(server), []).append(server)
    groups = (_group(own, by_tools) for own in by_tools)
    return tuple(group for group in groups if group.spare)


def _group(own: Definitions, by_tools: dict[Definitions, list[ServerTools]]) -> Repeated:
    largest = max((each for each in by_tools if own <= each), key=len)
    alike = by_tools[own]
    return Repeated(by_tools[largest][0], tuple(alike[1:] if largest == own else alike))


def _definitions(server: ServerTools) -> Definitions:
    return frozenset(canonical([tool.name, tool.description, tool.input_schema]) for tool in server.tools)
