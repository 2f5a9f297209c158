"""A JSON Schema → nodes in which every `$ref` is a link, so that parts may move without losing their way."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from toolbooth.catalog import pointer_parts
from toolbooth.economics.slimming.keywords import DATA, FAR_REACHING, POSITIONS, Draft, Holds, draft_of
from toolbooth.limits import MAX_JSON_DEPTH, MAX_SCHEMA_LEVELS, MAX_SCHEMA_VALUES

Path = tuple[str, ...]
_BRANCHES: Final = frozenset(("anyOf", "oneOf", "allOf"))


class Unslimmable(Exception):
    """The schema cannot be shown to stay the same, so it stays as it is."""


@dataclass(eq=False, slots=True)
class Node:
    """One schema. `words` holds its keywords in order; values that are schemas are nodes themselves."""

    words: dict[str, Any]
    path: Path = ()
    key: str = ""  # the property or definition that this schema describes, also from inside its unions


@dataclass(eq=False, slots=True)
class Ref:
    """The value of `$ref`: its text as it was, and the node it leads to."""

    text: str
    target: Node


@dataclass(eq=False)
class Graph:
    """A schema as nodes. Where `movable` is false, something unreadable points into it, or parts of it stand
    where no validator checks them: nothing may move.
    """

    root: Node
    draft: Draft
    movable: bool = True
    has_refs: bool = False

    def nodes(self) -> Iterator[Node]:
        """Every node, parents first."""
        return walk(self.root)

    def uses(self) -> Counter[Node]:
        """How many references lead to each node."""
        refs = (node.words.get("$ref") for node in self.nodes()) if self.has_refs else ()
        return Counter(ref.target for ref in refs if isinstance(ref, Ref))


def children(node: Node) -> Iterator[Node]:
    """The nodes directly inside, in order."""
    for value in node.words.values():
        if isinstance(value, Node):
            yield value
        elif isinstance(value, (list, dict)):
            for inner in value.values() if isinstance(value, dict) else value:
                if isinstance(inner, Node):
                    yield inner


def walk(node: Node) -> Iterator[Node]:
    """A node and all nodes inside it, parents first."""
    waiting = [node]
    while waiting:
        here = waiting.pop()
        yield here
        waiting.extend(reversed(list(children(here))))


def read(schema: Mapping[str, Any]) -> Graph:
    """Take a schema apart; raises Unslimmable where it is too large, malformed, or reaches too far."""
    _check_size(schema)
    draft = draft_of(schema.get("$schema"))
    if draft is None:
        raise Unslimmable("an unknown draft")
    reader = _Reader(draft)
    root = reader.node(schema, (), "")
    reader.link()
    return Graph(root, draft, reader.movable, bool(reader.refs))


class _Reader:
    def __init__(self, draft: Draft) -> None:
        self.draft = draft
        self.at: dict[Path, Node] = {}
        self.refs: list[Node] = []
        self.movable = True
        self.level = 0

    def node(self, schema: Mapping[str, Any], path: Path, key: str) -> Node:
        self._check_identity(schema, path)
        self.level += 1
        if self.level > MAX_SCHEMA_LEVELS:
            raise Unslimmable("schemas too deep in schemas")
        node = self.at[path] = Node({}, path, key)
        node.words = {word: self._value(schema, word, node) for word in schema}
        self.level -= 1
        return node

    def _check_identity(self, schema: Mapping[str, Any], path: Path) -> None:
        if not FAR_REACHING.isdisjoint(schema) or (path and ("$id" in schema or "$schema" in schema)):
            raise Unslimmable("meaning from afar")

    def _value(self, schema: Mapping[str, Any], word: str, node: Node) -> Any:
        value = schema[word]
        hidden = "$ref" in schema and self.draft.ref_hides_siblings and word not in ("$defs", "definitions")
        if word == "$ref":
            return self._reference(value, node)
        holds = None if hidden else POSITIONS[self.draft].get(word)
        if holds is None:
            self._note_opaque(word, value)
            return value
        if word == "$defs" and not self.draft.checks_defs:
            self.movable = False  # a fault that nobody sees there would refuse the whole schema elsewhere
        return self._schemas(holds, value, (*node.path, word), node.key if word in _BRANCHES else "")

    def _reference(self, value: Any, node: Node) -> Ref:
        if not isinstance(value, str):
            raise Unslimmable("a reference that is no text")
        self.refs.append(node)
        return Ref(value, node)

    def _note_opaque(self, word: str, value: Any) -> None:
        if word not in DATA and not isinstance(value, (str, int, float)) and _points(value):
            self.movable = False

    def _schemas(self, holds: Holds, value: Any, path: Path, key: str) -> Any:
        if holds is Holds.ONE_OR_LIST:
            holds = Holds.LIST if isinstance(value, list) else Holds.ONE
        if holds is Holds.ONE:
            return self._schema(value, path, key)
        if holds is Holds.LIST and isinstance(value, list):
            return [self._schema(inner, (*path, str(index)), key) for index, inner in enumerate(value)]
        if holds is Holds.MAP and isinstance(value, Mapping):
            return {name: self._schema(inner, (*path, name), name) for name, inner in value.items()}
        if holds is Holds.MAP_OF_SCHEMAS_OR_NAMES and isinstance(value, Mapping):
            return {
                name: inner if isinstance(inner, list) else self._schema(inner, (*path, name), "")
                for name, inner in value.items()
            }
        raise Unslimmable("a keyword of the wrong shape")

    def _schema(self, value: Any, path: Path, key: str) -> Node | bool:
        if isinstance(value, bool):
            return value
        if not isinstance(value, Mapping):
            raise Unslimmable("no schema where one belongs")
        return self.node(value, path, key)

    def link(self) -> None:
        """Give every reference its target."""
        for node in self.refs:
            ref: Ref = node.words["$ref"]
            path = pointer_parts(ref.text)
            if path is None or path not in self.at:
                raise Unslimmable("a reference that leads out, or nowhere")
            ref.target = self.at[path]
        _check_circles(self.refs)


def _check_circles(refs: list[Node]) -> None:
    """A reference that leads by references alone back to itself means nothing, and must not be followed."""
    done: set[Node] = set()
    for start in refs:
        chain: dict[Node, None] = {}
        here: Node | None = start
        while here is not None and here not in done:
            if here in chain:
                raise Unslimmable("references in a circle")
            chain[here] = None
            ref = here.words.get("$ref")
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
        if count > MAX_SCHEMA_VALUES or depth > MAX_JSON_DEPTH:
            raise Unslimmable("too large or too deep")
        if isinstance(value, Mapping):
            waiting.extend((inner, depth + 1) for inner in value.values())
        elif isinstance(value, (list, tuple)):
            waiting.extend((inner, depth + 1) for inner in value)
