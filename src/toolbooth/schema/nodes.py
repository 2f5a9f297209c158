"""A schema as nodes that may be changed and written again, for readers that give back another schema.

A node is one schema object: its keywords in order, with nodes wherever subschemas stand. A reference is a link to its
target, so that parts may move without losing their way, and a schema that refers to itself is a cycle of nodes.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from toolbooth import limits
from toolbooth.schema import dialects, pointers, reading

_COMBINING: Final = frozenset(("anyOf", "oneOf", "allOf"))
_LINKING: Final = frozenset((*dialects.SUBSCHEMAS_IN_ANY, "$ref"))
_CONTAINERS: Final = (dict, list)  # `dict | list` takes three times as long


class SchemaTooDeep(Exception):
    """Subschemas nest deeper than any real schema."""


@dataclass(eq=False, slots=True)
class Node:
    """One schema object. `path` is where it was read; `key` is the property or definition that it describes."""

    keywords: dict[str, Any]
    path: pointers.Path = ()
    key: str = ""  # of an alternative too: it describes the same property

    @property
    def is_leaf(self) -> bool:
        """Whether no schema stands in this one; three of four have none."""
        return _LINKING.isdisjoint(self.keywords)

    def children(self) -> Iterator["Node"]:
        """The nodes that stand directly in this one, in order; references are not followed."""
        for word, value in self.keywords.items():
            if word in dialects.SUBSCHEMAS_IN_ANY:
                yield from nodes_in(value)

    def linked(self) -> Iterator["Node"]:
        """The children and the target of the reference."""
        if not self.is_leaf:
            for word in self.keywords:
                if word in _LINKING:
                    yield from self.inside(word)

    def in_place(self) -> Iterator["Node"]:
        """The nodes that are applied to the same value as this one."""
        if not self.is_leaf:
            for word in self.keywords:
                if word in dialects.IN_PLACE:
                    yield from self.inside(word)

    def inside(self, word: str) -> Iterator["Node"]:
        """The nodes that one keyword holds, or refers to."""
        value = self.keywords.get(word)
        return nodes_in(value.target if isinstance(value, Ref) else value)

    def replace(self, old: "Node", new: "Node") -> None:
        """Put another node wherever the old one stands in this one, or is referred to."""
        for word, value in self.keywords.items():
            if value is old:
                self.keywords[word] = new
            elif isinstance(value, Ref):
                value.target = new if value.target is old else value.target
            elif isinstance(value, list):
                self.keywords[word] = [new if each is old else each for each in value]
            elif isinstance(value, dict):
                self.keywords[word] = {name: new if each is old else each for name, each in value.items()}


@dataclass(eq=False, slots=True)
class Ref:
    """The value of `$ref`: its text as it was, and the node it leads to."""

    text: Any
    target: Node


def nodes_in(value: Any) -> Iterator[Node]:
    """The nodes that stand directly in the value of one keyword, in order."""
    if isinstance(value, Node):
        yield value
    elif isinstance(value, _CONTAINERS):
        for inner in value.values() if isinstance(value, dict) else value:
            if isinstance(inner, Node):
                yield inner


def walk_nodes(node: Node) -> Iterator[Node]:
    """A node and all nodes that stand in it, parents first."""
    waiting = [node]
    while waiting:
        here = waiting.pop()
        yield here
        waiting.extend(reversed(list(here.children())))


def reachable(root: Node) -> list[Node]:
    """A node and all that can be reached from it, references followed, each once."""
    found = {root: None}
    waiting = [root]
    while waiting:
        for child in waiting.pop().linked():
            if child not in found:
                found[child] = None
                waiting.append(child)
    return list(found)


class NodeReader:
    """Reads one schema into nodes. What becomes of plain, hidden and malformed keywords and of references that lead
    nowhere is for a subclass to say; here all of these are kept as they are.
    """

    def __init__(self, schema: Mapping[str, Any], dialect: dialects.Dialect) -> None:
        self.schema, self.dialect = schema, dialect
        self.holding = dialects.SUBSCHEMAS[dialect]
        self.at: dict[pointers.Path, Node] = {}
        self.referring: list[Node] = []
        self._ref_hides = dialect.ref_hides_siblings
        self._level = 0

    def read(self) -> Node:
        """The whole schema; raises SchemaTooDeep."""
        root = self.node(self.schema, ())
        for (
            node
        ) in self.referring:  # grows where a subclass reads targets that stand outside the schema proper
            ref: Ref = node.keywords["$ref"]
            target = self.target(ref.text)
            if target is None:
                self.lost(node, ref.text)
            else:
                ref.target = target
        return root

    def node(self, schema: Mapping[str, Any], path: pointers.Path, key: str = "") -> Node:
        """One schema object and all that stands in it."""
        if self._level >= limits.MAX_SCHEMA_LEVELS:
            raise SchemaTooDeep
        self._level += 1
        node = self.at[path] = Node({}, path, key)
        hides = self._ref_hides and "$ref" in schema
        for word, value in schema.items():
            if word == "$ref":
                node.keywords[word] = Ref(value, node)
                self.referring.append(node)
            elif hides and word not in dialects.DEFINITIONS:
                self.hidden(node, word, value)
            elif (holds := self.holding.get(word)) is None:
                self.plain(node, word, value)
            elif self.is_usable(holds, value):
                node.keywords[word] = self.subschemas(node, word, holds, value)
            else:
                self.malformed(node, word, value)
        self._level -= 1
        return node

    def subschemas(self, node: Node, word: str, holds: dialects.Holds, value: Any) -> Any:
        """The value of a keyword that holds subschemas, with nodes in their places."""
        path = (*node.path, word)
        key = node.key if word in _COMBINING else ""
        if isinstance(value, list):
            return [self.schema_at(inner, (*path, str(index)), key) for index, inner in enumerate(value)]
        if holds is dialects.Holds.MAP:
            return {name: self.schema_at(inner, (*path, name), name) for name, inner in value.items()}
        if holds is dialects.Holds.MAP_OF_SCHEMAS_OR_NAMES:
            return {
                name: self.names(inner)
                if isinstance(inner, list)
                else self.schema_at(inner, (*path, name), "")
                for name, inner in value.items()
            }
        return self.schema_at(value, path, key)

    def schema_at(self, value: Any, path: pointers.Path, key: str) -> Node | bool:
        """A subschema: `true` and `false` stay what they are."""
        return value if isinstance(value, bool) else self.node(value, path, key)

    def is_usable(self, holds: dialects.Holds, value: Any) -> bool:
        """Whether the value of a keyword holds subschemas as its dialect wants them."""
        if isinstance(value, list):
            return holds in (dialects.Holds.LIST, dialects.Holds.ONE_OR_LIST) and all(
                map(reading.is_schema, value)
            )
        if holds is dialects.Holds.MAP:
            return isinstance(value, Mapping) and all(map(reading.is_schema, value.values()))
        if holds is dialects.Holds.MAP_OF_SCHEMAS_OR_NAMES:
            return isinstance(value, Mapping) and all(
                reading.is_schema(each) or isinstance(each, list) for each in value.values()
            )
        return holds is not dialects.Holds.LIST and reading.is_schema(value)

    def plain(self, node: Node, word: str, value: Any) -> None:
        """A keyword that holds no subschemas in this dialect."""
        node.keywords[word] = value

    def hidden(self, node: Node, word: str, value: Any) -> None:
        """A keyword that a validator of this dialect does not read, because it stands beside `$ref`."""
        node.keywords[word] = value

    def malformed(self, node: Node, word: str, value: Any) -> None:
        """A keyword that should hold subschemas and does not."""
        node.keywords[word] = value

    def names(self, value: list[Any]) -> Any:
        """The names under `dependencies` that another name asks for."""
        return value

    def target(self, ref: Any) -> Node | None:
        """The node that a reference leads to; None where it leads nowhere."""
        path = pointers.pointer_parts(ref) if isinstance(ref, str) else None
        return None if path is None else self.at.get(path)

    def lost(self, node: Node, ref: Any) -> None:
        """A reference that leads nowhere."""
        node.keywords["$ref"] = ref
