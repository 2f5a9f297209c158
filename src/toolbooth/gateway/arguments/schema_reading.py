"""An input schema → nodes that hold only what can be checked; nodes → a compiled validator. Nothing is ever fetched."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import jsonschema_rs as engine

from toolbooth.catalog import resolve_local
from toolbooth.gateway.arguments.schema_nodes import (
    DYNAMIC,
    LIST,
    MAP,
    NOT_READ,
    ONE,
    READABLE,
    Draft,
    Node,
    draft_of,
    reachable,
)
from toolbooth.limits import (
    MAX_CHECKED_TEXT,
    MAX_CHECKED_VALUES,
    MAX_JSON_DEPTH,
    MAX_PATTERN,
    MAX_PATTERNS,
    MAX_SCHEMA_LEVELS,
    PATTERN_SIZE,
)

LINEAR = engine.RegexOptions(size_limit=PATTERN_SIZE, dfa_size_limit=PATTERN_SIZE)
_MAX_REF = 1_000  # characters of a reference that is followed


class NotCheckable(Exception):
    """A schema that is not checked, and why."""


@dataclass(eq=False)
class SchemaGraph:
    """A schema as nodes. `loosened` are those that accept more than the schema that was sent."""

    root: Node
    draft: Draft
    relaxed: set[Node] = field(default_factory=set)


def read_schema(schema: Mapping[str, Any], patterns: bool = True) -> SchemaGraph:
    """Take a schema apart; raises NotTame where it is too large, too deep, or of an unknown draft."""
    documents = count_documents(schema)
    draft = draft_of(schema)
    if draft is None:
        raise NotCheckable("an unknown draft")
    return _Reader(schema, draft, MAX_PATTERNS if patterns else 0, documents == 1).graph()


def count_documents(schema: Mapping[str, Any]) -> int:
    """How many parts have an `$id` of their own, the whole being one.

    Raises NotTame at once where there is too much text, too many values, or they nest too deep.
    """
    level: list[Any] = [schema]
    documents, count, text, depth = 1, 1, 0, 1
    while level:
        below: list[Any] = []
        for value in level:
            if isinstance(value, Mapping | list):
                count += len(value)
                if count > MAX_CHECKED_VALUES or depth > MAX_JSON_DEPTH:
                    raise NotCheckable("too large or too deep")
                documents += depth > 1 and isinstance(value, Mapping) and isinstance(value.get("$id"), str)
                below.extend(value)
                below.extend(value.values() if isinstance(value, Mapping) else ())
            elif isinstance(value, str):
                text += len(value)
        if text > MAX_CHECKED_TEXT:
            raise NotCheckable("too much text")
        level, depth = below, depth + 1
    return documents


@lru_cache(maxsize=4_096)
def is_linear(pattern: str) -> bool:
    """Whether the linear-time engine takes a pattern, and its compiled size is bounded."""
    try:
        Draft.D2020.validator({"pattern": pattern}, LINEAR)
    except ValueError:
        return False
    return True


class _Reader:
    def __init__(self, schema: Mapping[str, Any], draft: Draft, most_patterns: int, follow: bool) -> None:
        self.schema, self.draft, self.most_patterns, self.follow = schema, draft, most_patterns, follow
        self.nodes: dict[int, Node] = {}
        self.refs: list[tuple[Node, Any]] = []
        self.relaxed: set[Node] = set()
        self.patterns: dict[str, bool] = {}
        self.level = 0

    def graph(self) -> SchemaGraph:
        root = self.node(self.schema)
        self._accept_objects(root)
        for node, ref in self.refs:  # grows while targets are read
            self._link(node, ref)
        return SchemaGraph(root, self.draft, self.relaxed)

    def node(self, schema: Mapping[str, Any]) -> Node:
        known = self.nodes.get(id(schema))
        if known is not None:
            return known
        if self.level >= MAX_SCHEMA_LEVELS:
            raise NotCheckable("schemas too deep in schemas")
        node = self.nodes[id(schema)] = Node({})
        self.level += 1
        alone = self.draft.ref_hides_siblings and "$ref" in schema
        for word in ("$ref",) if alone else schema:
            self._read_word(node, word, schema[word])
        self.level -= 1
        if node in self.relaxed:
            self._let_go_of_rests(node, schema)
        return node

    def _read_word(self, node: Node, word: str, value: Any) -> None:
        if word in NOT_READ[self.draft]:
            return
        if word == "$ref":
            self.refs.append((node, value))
        elif word in READABLE:
            usable = READABLE[word](value) and (word != "pattern" or self._takes(value))
            self._keep(node, word, value if usable else None, usable)
        elif word in ONE or word in LIST or word in MAP:
            read = self._schemas(node, word, value)
            self._keep(node, word, read, read is not None)
        elif word in DYNAMIC:
            self.relaxed.add(node)

    def _keep(self, node: Node, word: str, value: Any, usable: bool) -> None:
        if usable:
            node.words[word] = value
        else:
            self.relaxed.add(node)

    def _schemas(self, node: Node, word: str, value: Any) -> Any:
        if word in ONE and isinstance(value, Mapping | bool):
            return self._schema(value)
        if word in LIST and isinstance(value, list) and value and not self._is_new_items(word):
            return [self._schema(each) for each in value] if _are_schemas(value) else None
        if word in MAP and isinstance(value, Mapping):
            return self._map(node, word, value)
        return None

    def _is_new_items(self, word: str) -> bool:
        return word == "items" and self.draft is Draft.D2020

    def _map(self, node: Node, word: str, value: Mapping[str, Any]) -> dict[str, Any] | None:
        if word == "dependencies":
            return {name: self._dependency(each) for name, each in value.items()} if _depend(value) else None
        if not _are_schemas(value.values()):
            return None
        if word == "patternProperties":
            usable = {name: each for name, each in value.items() if self._takes(name)}
            self.relaxed.update([node] if len(usable) < len(value) else [])
            value = usable
        return {name: self._schema(each) for name, each in value.items()}

    def _dependency(self, value: Any) -> Node | bool:
        return Node({"required": value}) if isinstance(value, list) else self._schema(value)

    def _schema(self, value: Any) -> Node | bool:
        return value if isinstance(value, bool) else self.node(value)

    def _takes(self, pattern: str) -> bool:
        if pattern not in self.patterns:
            worth_trying = len(self.patterns) < self.most_patterns and len(pattern) <= MAX_PATTERN
            self.patterns[pattern] = worth_trying and is_linear(pattern)
        return self.patterns[pattern]

    def _let_go_of_rests(self, node: Node, schema: Mapping[str, Any]) -> None:
        """What a lost keyword allowed must not fall to the one that speaks of the rest."""
        for lost, rest in _RESTS:
            before, after = schema.get(lost), node.words.get(lost)
            part = lost == "patternProperties" and before and len(after or ()) < len(before)
            if rest in node.words and (part or (lost in schema and after is None)):
                del node.words[rest]

    def _accept_objects(self, root: Node) -> None:
        """Arguments are an object whatever a schema says, so a type that rules objects out is a slip."""
        types = root.words.get("type", "object")
        if "object" not in ([types] if isinstance(types, str) else types):
            del root.words["type"]
            self.relaxed.add(root)

    def _link(self, node: Node, ref: Any) -> None:
        short = isinstance(ref, str) and len(ref) <= _MAX_REF
        target = resolve_local(self.schema, ref) if short and self.follow else None
        if isinstance(target, bool):
            node.words["$ref"] = Node({} if target else {"not": Node({})})
        elif isinstance(target, Mapping):
            node.words["$ref"] = self.node(target)
        else:
            self.relaxed.add(node)


_RESTS = (
    ("properties", "additionalProperties"),
    ("patternProperties", "additionalProperties"),
    ("prefixItems", "items"),
    ("items", "additionalItems"),
    ("minContains", "contains"),
)


def _are_schemas(values: Iterable[Any]) -> bool:
    return all(isinstance(each, Mapping | bool) for each in values)


def _depend(value: Mapping[str, Any]) -> bool:
    names = [each for each in value.values() if isinstance(each, list)]
    return all(map(READABLE["required"], names)) and _are_schemas(
        each for each in value.values() if not isinstance(each, list)
    )


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
