"""A schema as slimming sees it: its nodes, whether they may move, and when two are written alike or can be one."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from toolbooth import catalog, limits, schema
from toolbooth.economics.slimming.keywords import DATA, FAR_REACHING, GROUPS, is_annotation
from toolbooth.schema import (
    Dialect,
    Holds,
    Node,
    NodeReader,
    Path,
    Ref,
    SchemaTooDeep,
    dialect_of,
    walk_nodes,
)


class Unslimmable(Exception):
    """The schema cannot be shown to stay the same, so it stays as it is."""


@dataclass(eq=False)
class Graph:
    """A schema as nodes. Where `movable` is false, something unreadable points into it, or parts of it stand
    where no validator checks them: nothing may move.
    """

    root: Node
    dialect: Dialect
    movable: bool = True
    has_refs: bool = False

    def nodes(self) -> Iterator[Node]:
        """Every node, parents first."""
        return walk_nodes(self.root)

    def uses(self) -> Counter[Node]:
        """How many references lead to each node."""
        refs = (node.keywords.get("$ref") for node in self.nodes()) if self.has_refs else ()
        return Counter(ref.target for ref in refs if isinstance(ref, Ref))


def read(schema: Mapping[str, Any]) -> Graph:
    """Read a schema; raises Unslimmable where it is too large, malformed, or depends on a wider scope."""
    _check_size(schema)
    dialect = dialect_of(schema)
    if dialect is None:
        raise Unslimmable("an unknown dialect")
    reader = _StrictReader(schema, dialect)
    try:
        root = reader.read()
    except SchemaTooDeep:
        raise Unslimmable("subschemas are nested too deeply") from None
    _check_cycles(reader.referring)
    return Graph(root, dialect, reader.movable, bool(reader.referring))


class _StrictReader(NodeReader):
    """Raises Unslimmable wherever the meaning of a schema is in doubt."""

    movable = True

    def node(self, schema: Mapping[str, Any], path: Path, key: str = "") -> Node:
        if not FAR_REACHING.isdisjoint(schema) or (path and ("$id" in schema or "$schema" in schema)):
            raise Unslimmable("its meaning depends on its base URI or dynamic scope")
        return super().node(schema, path, key)

    def plain(self, node: Node, word: str, value: Any) -> None:
        node.keywords[word] = value
        if word not in DATA and not isinstance(value, (str, int, float)) and _points(value):
            self.movable = False

    def hidden(self, node: Node, word: str, value: Any) -> None:
        self.plain(node, word, value)

    def malformed(self, _node: Node, word: str, _value: Any) -> None:
        raise Unslimmable(f"{word} has the wrong shape")

    def subschemas(self, node: Node, word: str, holds: Holds, value: Any) -> Any:
        if word == "$defs" and not self.dialect.since_2019:
            self.movable = (
                False  # an error that is ignored there would make the whole schema invalid elsewhere
            )
        return super().subschemas(node, word, holds, value)

    def lost(self, _node: Node, _ref: Any) -> None:
        raise Unslimmable("a $ref cannot be resolved within the schema")


def _check_cycles(refs: list[Node]) -> None:
    """Raise for a `$ref` that leads back to itself through references alone: it has no meaning."""
    done: set[Node] = set()
    for start in refs:
        chain: dict[Node, None] = {}
        here: Node | None = start
        while here is not None and here not in done:
            if here in chain:
                raise Unslimmable("references in a cycle")
            chain[here] = None
            ref = here.keywords.get("$ref")
            here = ref.target if isinstance(ref, Ref) else None
        done.update(chain)


def _points(value: Any) -> bool:
    """Whether any text in an opaque value looks like a reference into this schema."""
    waiting = [value]
    while waiting:
        here = waiting.pop()
        if isinstance(here, str) and here.startswith("#"):
            return True
        if isinstance(here, Mapping):
            waiting.extend(here.values())
        elif isinstance(here, (list, tuple)):
            waiting.extend(here)
    return False


def _check_size(schema: Mapping[str, Any]) -> None:
    waiting: list[tuple[Any, int]] = [(schema, 1)]
    count = 0
    while waiting:
        value, depth = waiting.pop()
        count += 1
        if count > limits.MAX_SCHEMA_VALUES or depth > limits.MAX_JSON_DEPTH:
            raise Unslimmable("too large or too deep")
        if isinstance(value, Mapping):
            waiting.extend((inner, depth + 1) for inner in value.values())
        elif isinstance(value, (list, tuple)):
            waiting.extend((inner, depth + 1) for inner in value)


def signature(value: Any) -> Any:
    """A value that is equal for two nodes exactly when they are written alike, whatever the order of keys."""
    if isinstance(value, Node):
        return ("schema", frozenset((word, signature(inner)) for word, inner in value.keywords.items()))
    if isinstance(value, Ref):
        return ("ref", id(value.target))
    if isinstance(value, dict):
        return ("object", frozenset((name, signature(inner)) for name, inner in value.items()))
    if isinstance(value, (list, tuple)):
        return ("array", tuple(signature(inner) for inner in value))
    return (type(value).__name__, value)  # 1, 1.0 and True are equal to Python


def length(value: Any) -> int:
    """Characters of a value in canonical JSON, references as they were written."""
    if isinstance(value, Node):
        return length(value.keywords)
    if isinstance(value, Ref):
        return len(value.text) + 2
    if isinstance(value, dict):
        return 1 + max(1, sum(length(name) + length(inner) + 2 for name, inner in value.items()))
    if isinstance(value, (list, tuple)):
        return 1 + max(1, sum(length(inner) + 1 for inner in value))
    return len(catalog.canonical(value))


def only_annotations(words: dict[str, Any]) -> bool:
    """Whether a validator reads nothing in these keywords."""
    return all(is_annotation(word) for word in words)


def without(node: schema.Node, word: str) -> dict[str, Any]:
    """The keywords of a node but one."""
    return {key: value for key, value in node.keywords.items() if key != word}


def can_merge(outer: dict[str, Any], inner: dict[str, Any]) -> bool:
    """Whether one schema with the keywords of both means the same as the two together.

    A keyword on both sides has to be the same, and no keyword of one side may read one of the other.
    """
    if not all(_same_plain(outer[word], inner[word]) for word in outer.keys() & inner.keys()):
        return False
    shared_groups = any(group & outer.keys() and group & inner.keys() for group in GROUPS)
    # Older readers skip whatever stands beside `$ref`, so no assertion may be moved there, nor from there.
    beside_ref = ("$ref" in inner and not only_annotations(outer)) or "$ref" in outer
    return not shared_groups and not beside_ref


def can_stand_beside_ref(beside: dict[str, Any], target: dict[str, Any]) -> bool:
    """Whether what stands beside `$ref` and what it leads to can be one schema, in every dialect."""
    return all(
        _same_plain(value, target[word])
        if word in target
        else is_annotation(word) or word in schema.DEFINITIONS
        for word, value in beside.items()
    )


def _same_plain(one: Any, other: Any) -> bool:
    """Equal, and no schemas: of two equal schemas one would be lost, and references may lead into it."""
    return signature(one) == signature(other) and next(schema.nodes_in(one), None) is None


def put_in_place(node: schema.Node, word: str, inner: dict[str, Any]) -> None:
    """Replace one keyword by others, at its place in the order."""
    merged: dict[str, Any] = {}
    for key, value in node.keywords.items():
        if key == word:
            merged.update(
                (name, new) for name, new in inner.items() if name not in node.keywords or name == word
            )
        else:
            merged[key] = value
    node.keywords = merged
