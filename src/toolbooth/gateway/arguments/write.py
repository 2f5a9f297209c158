"""Nodes → a JSON Schema for the engine, and from it the compiled validator; nothing is ever fetched."""

from collections import Counter
from typing import Any

import jsonschema_rs as engine

from toolbooth.gateway.arguments.keywords import Draft
from toolbooth.gateway.arguments.node import Node, reachable
from toolbooth.gateway.arguments.read import LINEAR


def compiled(root: Node, draft: Draft) -> engine.Validator | None:
    """The validator of a schema; None where the engine does not take it."""
    try:
        return draft.validator(root.words if root.is_leaf else _Writer(root, draft).schema(), LINEAR)
    except (ValueError, engine.ReferencingError):
        return None


class _Writer:
    """Whatever is reached in more than one way becomes a definition, so the text is as short as the nodes."""

    def __init__(self, root: Node, draft: Draft) -> None:
        self.root, self.draft = root, draft
        nodes = reachable(root)
        ways = Counter(child for node in nodes for child in node.children())
        linked = {node.words["$ref"] for node in nodes if "$ref" in node.words}
        shared = (node for node in nodes if node is not root and (ways[node] > 1 or node in linked))
        self.names = {node: str(number) for number, node in enumerate(shared)}

    def schema(self) -> dict[str, Any]:
        whole = self._words(self.root)
        definitions = {name: self._words(node) for node, name in self.names.items()}
        if not definitions:
            return whole
        if self.draft.ref_hides_siblings and "$ref" in whole:
            whole = {"allOf": [whole]}
        return {**whole, self.draft.definitions: definitions}

    def _words(self, node: Node) -> dict[str, Any]:
        return {word: self._value(value, word) for word, value in node.words.items()}

    def _value(self, value: Any, word: str) -> Any:
        if word == "$ref":
            return self._link(value)
        if isinstance(value, Node):
            return self._node(value)
        if isinstance(value, list) and any(isinstance(each, Node) for each in value):
            return [self._node(each) for each in value]
        if isinstance(value, dict) and any(isinstance(each, Node) for each in value.values()):
            return {name: self._node(each) for name, each in value.items()}
        return value

    def _node(self, node: Node | bool) -> Any:
        if isinstance(node, bool):
            return node
        linked = node is self.root or node in self.names
        return {"$ref": self._link(node)} if linked else self._words(node)

    def _link(self, node: Node) -> str:
        return "#" if node is self.root else f"#/{self.draft.definitions}/{self.names[node]}"
