"""The bound on the work that a check can cause, and the relaxing of schemas that exceed it.

The workload is the number of schemas and patterns that any one value can meet. It is counted from the outside in: a
step goes from all schemas that one value meets to all that one part of it meets, and a cycle ends where the same
schemas meet again. Relaxing removes demands, so that a schema accepts more. Inside `not`, `if` and `oneOf` a relaxed
schema would make the whole accept less; there the keyword itself is removed.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from toolbooth import limits
from toolbooth.gateway.arguments.schema_reading import NotCheckable, SchemaGraph, read_schema
from toolbooth.schema import IN_PLACE, UNEVALUATED, Node, reachable

_CONTAINERS = (dict, list)  # `dict | list` takes three times as long


class ArgumentsTooDeep(ValueError):
    """Arguments that nest deeper than any real call."""


class ArgumentsSize(NamedTuple):
    """Values, characters of text (names of members included), and levels."""

    values: int
    text: int
    depth: int


def measure_arguments(arguments: Any, most: int) -> ArgumentsSize | None:
    """The size; None where there are more than `most` values. Raises ArgumentsTooDeep."""
    values, text = 1, 0
    level: list[Any] = [arguments]
    for depth in range(1, limits.MAX_JSON_DEPTH + 1):
        below: list[Any] = []
        for value in level:
            if isinstance(value, str):
                text += len(value)
            elif isinstance(value, _CONTAINERS):
                values += len(value)
                if values > most:
                    return None
                below += value
                if isinstance(value, dict):
                    below += value.values()
        if not below:
            return ArgumentsSize(values, text, depth)
        level = below
    raise ArgumentsTooDeep(f"the arguments nest deeper than {limits.MAX_JSON_DEPTH} levels")


Met = Counter[Node]

_UNEVALUATED = frozenset(UNEVALUATED)
_UNEVALUATED_FACTOR = 4  # measured: each level asks the levels inside about 2.5 times
_OPTION = 10  # an option of an enum that is not all text is compared one by one: 0.1 to 0.25 µs
_CHARACTER = 100  # the worst pattern of the size that is taken: 2.5 µs a character
_UNIQUE = 20  # items are sorted, or hashed, to find two that are the same: 0.4 µs an item


class Workload(NamedTuple):
    """The most visits that one value causes, and the most patterns that are tried on one text."""

    visits: int
    patterns: int
    steps: int = 0

    def cost(self, size: ArgumentsSize) -> int:
        """The most work that values of this size cause, in visits of 25 ns."""
        return size.values * self.visits + size.text * self.patterns * _CHARACTER


class TooMuchWork(Exception):
    """A value could meet more schemas than can be counted, or than are worth checking."""


def workload(root: Node) -> Workload:
    """The load of the busiest value; raises TooMuchWork."""
    return _Count().of(root)


class _Count:
    def __init__(self) -> None:
        self.steps = 0
        self.closures: dict[Node, Met] = {}

    def of(self, root: Node) -> Workload:
        visits = patterns = 0
        waiting = [Counter([root])]
        seen = {frozenset(waiting[0].items())}
        while waiting:
            met = self.everything(waiting.pop())
            visits = max(visits, sum(times * _weight(node) for node, times in met.items()))
            patterns = max(patterns, sum(times * patterns_of(node) for node, times in met.items()))
            if visits > limits.MAX_VISITS:
                raise TooMuchWork
            for part in map(_direct, self.parts(met)):
                key = frozenset(part.items())
                if key not in seen:
                    seen.add(key)
                    waiting.append(part)
        return Workload(visits, patterns, self.steps)

    def step(self, count: int) -> None:
        self.steps += count
        if self.steps > limits.MAX_JUDGING:
            raise TooMuchWork

    def everything(self, met: Met) -> Met:
        """All that are applied to the same value, with those that they apply to it."""
        if all(node.is_leaf for node in met):
            return met
        whole: Met = Counter()
        for node, times in met.items():
            self._add(whole, self.closure(node), times)
        return whole

    def closure(self, node: Node) -> Met:
        """One schema and all it applies in place; there are no cycles among these."""
        waiting = [node]
        while waiting:
            here = waiting[-1]
            missing = [each for each in here.in_place() if each not in self.closures]
            self.step(1 + len(missing))
            if missing and here not in self.closures:
                waiting.extend(missing)
                continue
            waiting.pop()
            if here not in self.closures:
                self.closures[here] = self._joined(here)
        return self.closures[node]

    def _joined(self, node: Node) -> Met:
        met: Met = Counter([node])
        factor = 1 if _UNEVALUATED.isdisjoint(node.keywords) else _UNEVALUATED_FACTOR
        for below in node.in_place():
            self._add(met, self.closures[below], factor)
        return met

    def _add(self, to: Met, met: Met, times: int) -> None:
        self.step(len(met))
        for node, count in met.items():
            to[node] += count * times

    def parts(self, met: Met) -> Iterator[Met]:
        """What the parts of a value meet: its items, its names, each member that is named, and any other."""
        if all(node.is_leaf for node in met):
            return
        yield self._all(met, ("items", "prefixItems", "additionalItems", "contains", "unevaluatedItems"))
        yield self._all(met, ("propertyNames",))
        rest = self._all(met, ("patternProperties", "unevaluatedProperties"))
        other = self._all(met, ("additionalProperties",))
        other.update(rest)
        yield other
        named: dict[str, Met] = {}
        for node, times in met.items():
            self._members(node, times, other, named)
        yield from named.values()

    def _members(self, node: Node, times: int, other: Met, named: dict[str, Met]) -> None:
        rest = node.keywords.get("additionalProperties")
        for name, schema in node.keywords.get("properties", {}).items():
            self.step(1 + len(other))
            member = named.setdefault(name, other.copy())
            if isinstance(rest, Node):
                member[rest] -= times
            if isinstance(schema, Node):
                member[schema] += times

    def _all(self, met: Met, words: tuple[str, ...]) -> Met:
        found: Met = Counter()
        for node, times in met.items():
            for word in words:
                for below in node.inside(word):
                    self.step(1)
                    found[below] += times
        return found


def _direct(met: Met) -> Met:
    """The members with bare references replaced by their targets: members that share a target are counted as one."""
    if not any("$ref" in node.keywords for node in met):
        return met
    direct: Met = Counter()
    for node, times in met.items():
        direct[node.keywords["$ref"].target if node.keywords.keys() == {"$ref"} else node] += times
    return direct


def _weight(node: Node) -> int:
    options = node.keywords.get("enum", ())
    plain = all(isinstance(option, str) for option in options)
    unique = _UNIQUE if node.keywords.get("uniqueItems") else 0
    names = len(node.keywords.get("required", ())) + sum(
        map(len, node.keywords.get("dependentRequired", {}).values())
    )
    return 1 + names + unique + patterns_of(node) + (0 if plain else _OPTION * len(options))


def patterns_of(node: Node) -> int:
    """How many patterns one schema has of its own."""
    return ("pattern" in node.keywords) + len(node.keywords.get("patternProperties", ()))


Ways = Callable[[Node], Iterator[Node]]
_LONG = 100  # names or options, each of which is compared with every value
_COSTLY = IN_PLACE | {*UNEVALUATED, "contains", "patternProperties"}


def cut_cycles(graph: SchemaGraph, ways: Ways) -> None:
    """Put a node that accepts all wherever these ways lead back to where they came from."""
    nodes = reachable(graph.root)
    done = {node for node in nodes if node.is_leaf}
    for start in nodes:
        way = {start: ways(start)} if start not in done else {}
        while way:
            here = next(reversed(way))
            below = next(way[here], None)
            if below is None:
                done.add(here)
                del way[here]
            elif below in way:
                _cut(graph, here, below)
                way[here] = ways(here)
            elif below not in done:
                way[below] = ways(below)
    stay_permissive(graph)


def _cut(graph: SchemaGraph, node: Node, child: Node) -> None:
    anything = Node({})
    node.replace(child, anything)
    graph.relaxed.update((node, anything))


def keep_plain_keywords(graph: SchemaGraph) -> None:
    """Keep of every schema what it says of its own value and of that value's parts."""
    for node in reachable(graph.root):
        costly = {word for word in node.keywords if word in _COSTLY or _is_long(word, node.keywords[word])}
        if costly:
            graph.relaxed.add(node)
            rest = {"additionalProperties"} if "patternProperties" in costly else set()
            node.keywords = {
                word: value for word, value in node.keywords.items() if word not in costly | rest
            }


def _is_long(word: str, value: object) -> bool:
    return word in ("enum", "required") and isinstance(value, list) and len(value) > _LONG


def stay_permissive(graph: SchemaGraph) -> None:
    """Remove what would refuse more because something inside it accepts more."""
    if not graph.relaxed:
        return
    for node in _above(graph):
        affected = {word for word in _TURNS if graph.relaxed.intersection(node.inside(word))}
        for word in affected & node.keywords.keys():
            _TURNS[word](node.keywords)
    for node in reachable(graph.root):
        for word in _UNEVALUATED & node.keywords.keys():
            del node.keywords[word]


def _above(graph: SchemaGraph) -> set[Node]:
    """Every node from which one that accepts more can be reached; all of them then accept more."""
    parents: dict[Node, list[Node]] = {}
    for node in reachable(graph.root):
        for child in node.linked():
            parents.setdefault(child, []).append(node)
    waiting = list(graph.relaxed)
    while waiting:
        for parent in parents.get(waiting.pop(), ()):
            if parent not in graph.relaxed:
                graph.relaxed.add(parent)
                waiting.append(parent)
    return graph.relaxed


def _one_to_any(words: dict[str, object]) -> None:
    branches = words.pop("oneOf")
    words.setdefault("anyOf", branches)


_TURNS: dict[str, Callable[[dict[str, object]], object]] = {
    "not": lambda words: words.pop("not"),
    "if": lambda words: words.pop("if"),
    "oneOf": _one_to_any,
    "contains": lambda words: words.pop("maxContains", None),
}


class BoundedSchema(NamedTuple):
    """A schema that can be checked, and the load of the busiest value."""

    graph: SchemaGraph
    load: Workload

    @property
    def whole(self) -> bool:
        """Whether nothing had to be left out."""
        return not self.graph.relaxed


def _cut_cycles_through_parts(graph: SchemaGraph) -> None:
    cut_cycles(graph, Node.linked)


_STEPS: tuple[Callable[[SchemaGraph], None], ...] = (
    stay_permissive,
    _cut_cycles_through_parts,
    keep_plain_keywords,
)


def bound_schema(schema: Mapping[str, Any], patterns: bool = True) -> BoundedSchema:
    """Relax a schema until its check is bounded; raises NotCheckable where nothing of it is left."""
    graph = read_schema(schema, patterns)
    cut_cycles(graph, Node.in_place)
    for relax in _STEPS:
        relax(graph)
        try:
            return BoundedSchema(graph, workload(graph.root))
        except TooMuchWork:
            continue
    raise NotCheckable("checking it takes too long")
