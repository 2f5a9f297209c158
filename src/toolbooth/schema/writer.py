"""Nodes written as JSON Schema again, in one of two layouts.

`write_in_place` keeps every node where it stands. `write_with_definitions` writes nodes that form a graph: whatever is
reached in more than one way becomes a definition, so that the text is as short as the nodes.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from toolbooth.schema import dialects, pointers
from toolbooth.schema.nodes import Node, Ref, reachable


class TargetGone(Exception):
    """A reference leads to a node that no longer stands anywhere in the schema."""


def write_in_place(root: Node) -> dict[str, Any]:
    """The schema that the nodes stand for; shares no object or list of subschemas with the one that was read.

    A reference whose target did not move keeps its text. Raises TargetGone.
    """
    paths = dict(_paths(root))
    return {word: _plain(value, paths) for word, value in root.keywords.items()}


def _paths(root: Node) -> Iterator[tuple[Node, pointers.Path]]:
    waiting: list[tuple[Node, pointers.Path]] = [(root, ())]
    while waiting:
        node, path = waiting.pop()
        yield node, path
        for word, value in node.keywords.items():
            here = (*path, word)
            if isinstance(value, Node):
                waiting.append((value, here))
            elif isinstance(value, dict):
                waiting.extend((v, (*here, name)) for name, v in value.items() if isinstance(v, Node))
            elif isinstance(value, list):
                waiting.extend((v, (*here, str(i))) for i, v in enumerate(value) if isinstance(v, Node))


def _plain(value: Any, paths: dict[Node, pointers.Path]) -> Any:
    if isinstance(value, Node):
        return {word: _plain(inner, paths) for word, inner in value.keywords.items()}
    if isinstance(value, Ref):
        now = paths.get(value.target)
        if now is None:
            raise TargetGone
        return value.text if now == value.target.path else pointers.reference(now)
    if isinstance(value, dict):
        return {name: _plain(inner, paths) for name, inner in value.items()}
    if isinstance(value, list):
        return [_plain(inner, paths) for inner in value]
    return value


def write_with_definitions(root: Node, dialect: dialects.Dialect) -> dict[str, Any]:
    """The schema that a graph of nodes stands for, cycles and shared nodes included."""
    return _GraphWriter(root, dialect).schema()


class _GraphWriter:
    def __init__(self, root: Node, dialect: dialects.Dialect) -> None:
        self.root, self.dialect = root, dialect
        nodes = reachable(root)
        ways = Counter(child for node in nodes for child in node.linked())
        refs = (node.keywords.get("$ref") for node in nodes)
        targets = {ref.target for ref in refs if isinstance(ref, Ref)}
        shared = (node for node in nodes if node is not root and (ways[node] > 1 or node in targets))
        self.names = {node: str(number) for number, node in enumerate(shared)}

    def schema(self) -> dict[str, Any]:
        whole = self._keywords(self.root)
        definitions = {name: self._keywords(node) for node, name in self.names.items()}
        if not definitions:
            return whole
        if self.dialect.ref_hides_siblings and "$ref" in whole:
            whole = {"allOf": [whole]}
        return {**whole, self.dialect.definitions: definitions}

    def _keywords(self, node: Node) -> dict[str, Any]:
        if node.is_leaf:
            return dict(node.keywords)
        return {word: self._value(value) for word, value in node.keywords.items()}

    def _value(self, value: Any) -> Any:
        if isinstance(value, Ref):
            return self._link(value.target)
        if isinstance(value, Node):
            return self._node(value)
        if isinstance(value, list) and any(isinstance(each, Node) for each in value):
            return [self._node(each) for each in value]
        if isinstance(value, dict) and any(isinstance(each, Node) for each in value.values()):
            return {name: self._node(each) for name, each in value.items()}
        return value

    def _node(self, node: Any) -> Any:
        if not isinstance(node, Node):  # `true`, `false`, or names under `dependencies`
            return node
        shared = node is self.root or node in self.names
        return {"$ref": self._link(node)} if shared else self._keywords(node)

    def _link(self, node: Node) -> str:
        return "#" if node is self.root else f"#/{self.dialect.definitions}/{self.names[node]}"
