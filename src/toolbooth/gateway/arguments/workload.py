"""Nodes → how many schemas, and patterns, any one value can meet: counted by following every way into a value.

A step goes from all the schemas that one value meets to all that one part of it meets, so circles through
parts of a value end where the same schemas meet again, and those that branch are seen to grow.
"""

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from toolbooth.gateway.arguments.keywords import UNEVALUATED
from toolbooth.gateway.arguments.node import Node
from toolbooth.gateway.arguments.size import Size
from toolbooth.limits import MAX_JUDGING, MAX_VISITS

Met = Counter[Node]

_UNEVALUATED_FACTOR = 4  # measured: each level asks the levels inside about 2.5 times
_OPTION = 10  # an option of an enum that is not all text is compared one by one: 0.1 to 0.25 µs
_CHARACTER = 100  # the worst pattern of the size that is taken: 2.5 µs a character
_UNIQUE = 20  # items are sorted, or hashed, to find two that are the same: 0.4 µs an item


class Workload(NamedTuple):
    """The most visits that one value causes, and the most patterns that are tried on one text."""

    visits: int
    patterns: int
    steps: int = 0

    def cost(self, size: Size) -> int:
        """The most work that values of this size cause, in visits of 25 ns."""
        return size.values * self.visits + size.text * self.patterns * _CHARACTER


class TooMuch(Exception):
    """A value could meet more schemas than can be counted, or than are worth checking."""


def workload(root: Node) -> Workload:
    """The load of the busiest value; raises TooMuch."""
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
            if visits > MAX_VISITS:
                raise TooMuch
            for part in map(_direct, self.parts(met)):
                key = frozenset(part.items())
                if key not in seen:
                    seen.add(key)
                    waiting.append(part)
        return Workload(visits, patterns, self.steps)

    def step(self, count: int) -> None:
        self.steps += count
        if self.steps > MAX_JUDGING:
            raise TooMuch

    def everything(self, met: Met) -> Met:
        """All that are applied to the same value, with those that they apply to it."""
        if all(node.is_leaf for node in met):
            return met
        whole: Met = Counter()
        for node, times in met.items():
            self._add(whole, self.closure(node), times)
        return whole

    def closure(self, node: Node) -> Met:
        """One schema and all it applies in place; there are no circles among these."""
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
        factor = 1 if UNEVALUATED.isdisjoint(node.words) else _UNEVALUATED_FACTOR
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
        rest = node.words.get("additionalProperties")
        for name, schema in node.words.get("properties", {}).items():
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
    """Many members that refer to one schema mean one thing to count, not many."""
    if not any("$ref" in node.words for node in met):
        return met
    direct: Met = Counter()
    for node, times in met.items():
        direct[node.words["$ref"] if node.words.keys() == {"$ref"} else node] += times
    return direct


def _weight(node: Node) -> int:
    options = node.words.get("enum", ())
    plain = all(isinstance(option, str) for option in options)
    unique = _UNIQUE if node.words.get("uniqueItems") else 0
    names = len(node.words.get("required", ())) + sum(
        map(len, node.words.get("dependentRequired", {}).values())
    )
    return 1 + names + unique + patterns_of(node) + (0 if plain else _OPTION * len(options))


def patterns_of(node: Node) -> int:
    """How many patterns one schema has of its own."""
    return ("pattern" in node.words) + len(node.words.get("patternProperties", ()))
