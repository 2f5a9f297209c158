"""The registry of slimming rules, and what a rule may know of the place where it is applied."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from toolbooth import schema
from toolbooth.economics.slimming.graph import Graph

RuleFunction = Callable[[schema.Node, "RuleContext"], str | None]


class Noise(NamedTuple):
    """One thing in a schema that carries no information: the rule that found it, where, and what it is."""

    kind: str
    path: str
    what: str


class DefinitionEntry(NamedTuple):
    """Where a definition stands: `owner.keywords[word][name]`."""

    owner: schema.Node
    word: str
    name: str


@dataclass(eq=False)
class RuleContext:
    """Where a rule is applied. `uses` and `reached` may hold too much, but never too little."""

    graph: Graph
    tool_name: str
    uses: Counter[schema.Node]
    entries: dict[schema.Node, DefinitionEntry]
    reached: frozenset[schema.Node]
    trail: list[schema.Node] = field(default_factory=list)
    found: list[Noise] = field(default_factory=list)

    @property
    def at_root(self) -> bool:
        """Whether the node is the whole schema."""
        return not self.trail

    def free(self, node: schema.Node) -> bool:
        """Whether no reference leads to a node or into it: it may be dropped."""
        return not self.uses or not any(self.uses[inner] for inner in schema.walk_nodes(node))


class Rule(NamedTuple):
    """One kind of noise. `apply` changes the node and returns what it found, or returns None."""

    id: str
    words: tuple[str, ...]
    apply: RuleFunction
    moves: bool


RULES: Final[list[Rule]] = []
RULES_ON: Final[dict[str, list[Rule]]] = {}


def rule(rule_id: str, *words: str, moves: bool = False) -> Callable[[RuleFunction], RuleFunction]:
    """Enter a function into the table, for schemas that have one of `words`.

    `moves` marks a rule that moves, drops or merges schemas, to which something may point.
    """

    def enter(function: RuleFunction) -> RuleFunction:
        entry = Rule(rule_id, words, function, moves)
        RULES.append(entry)
        for word in words:
            RULES_ON.setdefault(word, []).append(entry)
        return function

    return enter
