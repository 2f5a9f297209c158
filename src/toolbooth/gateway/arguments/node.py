"""One schema as a node: its keywords, with nodes where schemas stand, and the ways from node to node."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from toolbooth.gateway.arguments.keywords import HOLDING, IN_PLACE


@dataclass(eq=False, slots=True)
class Node:
    """A schema that is read. `words` holds only keywords that are checked; `$ref` holds its target."""

    words: dict[str, Any]

    def inside(self, word: str) -> Iterator["Node"]:
        """The nodes that stand directly in one keyword."""
        value = self.words.get(word)
        for each in (value,) if isinstance(value, Node) else _members(value):
            if isinstance(each, Node):
                yield each

    def in_place(self) -> Iterator["Node"]:
        """The nodes that are applied to the same value as this one."""
        if not self.is_leaf:
            for word in self.words:
                if word in IN_PLACE:
                    yield from self.inside(word)

    def children(self) -> Iterator["Node"]:
        """Every node directly below, references followed."""
        if not self.is_leaf:
            for word in self.words:
                if word in HOLDING:
                    yield from self.inside(word)

    @property
    def is_leaf(self) -> bool:
        """Whether no schema stands in this one; three of four have none."""
        return HOLDING.isdisjoint(self.words)

    def replace(self, old: "Node", new: "Node") -> None:
        """Put another node wherever the old one stands in this one."""
        for word, value in self.words.items():
            if value is old:
                self.words[word] = new
            elif isinstance(value, list):
                self.words[word] = [new if each is old else each for each in value]
            elif isinstance(value, dict):
                self.words[word] = {name: new if each is old else each for name, each in value.items()}


def _members(value: Any) -> Any:
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()


def reachable(root: Node) -> list[Node]:
    """A node and all that can be reached from it, each once."""
    found = {root: None}
    waiting = [root]
    while waiting:
        for child in waiting.pop().children():
            if child not in found:
                found[child] = None
                waiting.append(child)
    return list(found)
