"""An input schema read into nodes that hold only what can be checked, and the validator compiled from them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final

import jsonschema_rs as engine

from toolbooth import limits
from toolbooth.schema import (
    ASSERTED_SINCE_2019,
    DEFINITIONS,
    DYNAMIC_REFERENCES,
    SUBSCHEMAS,
    TYPES,
    Dialect,
    Holds,
    Node,
    NodeReader,
    Path,
    SchemaTooDeep,
    dialect_of,
    pointer_parts,
    resolve_path,
    write_with_definitions,
)

LINEAR = engine.RegexOptions(size_limit=limits.PATTERN_SIZE, dfa_size_limit=limits.PATTERN_SIZE)
_MAX_REF = 1_000  # characters of a reference that is followed
_VALIDATORS: Final = {
    Dialect.D6: engine.Draft6Validator,
    Dialect.D7: engine.Draft7Validator,
    Dialect.D2019: engine.Draft201909Validator,
    Dialect.D2020: engine.Draft202012Validator,
}
# Definitions are read where a reference leads to them, and nowhere else.
_HOLDING: Final = {
    dialect: {word: holds for word, holds in table.items() if word not in DEFINITIONS}
    for dialect, table in SUBSCHEMAS.items()
}


class NotCheckable(Exception):
    """A schema that is not checked, and why."""


@dataclass(eq=False)
class SchemaGraph:
    """A schema as nodes. `relaxed` are those that accept more than the schema that was sent."""

    root: Node
    dialect: Dialect
    relaxed: set[Node] = field(default_factory=set)


def read_schema(schema: Mapping[str, Any], patterns: bool = True) -> SchemaGraph:
    """Take a schema apart; raises NotCheckable where it is too large, too deep, or of an unknown dialect."""
    documents = count_documents(schema)
    dialect = dialect_of(schema)
    if dialect is None:
        raise NotCheckable("an unknown dialect")
    try:
        return _CheckableReader(
            schema, dialect, limits.MAX_PATTERNS if patterns else 0, documents == 1
        ).graph()
    except SchemaTooDeep:
        raise NotCheckable("subschemas are nested too deeply") from None


def count_documents(schema: Mapping[str, Any]) -> int:
    """How many parts have an `$id` of their own, the whole being one.

    Raises NotCheckable at once where there is too much text, too many values, or they nest too deep.
    """
    level: list[Any] = [schema]
    documents, count, text, depth = 1, 1, 0, 1
    while level:
        below: list[Any] = []
        for value in level:
            if isinstance(value, Mapping | list):
                count += len(value)
                if count > limits.MAX_CHECKED_VALUES or depth > limits.MAX_JSON_DEPTH:
                    raise NotCheckable("too large or too deep")
                documents += depth > 1 and isinstance(value, Mapping) and isinstance(value.get("$id"), str)
                below.extend(value)
                below.extend(value.values() if isinstance(value, Mapping) else ())
            elif isinstance(value, str):
                text += len(value)
        if text > limits.MAX_CHECKED_TEXT:
            raise NotCheckable("too much text")
        level, depth = below, depth + 1
    return documents


@lru_cache(maxsize=4_096)
def is_linear(pattern: str) -> bool:
    """Whether the linear-time engine takes a pattern, and its compiled size is bounded."""
    try:
        _validator({"pattern": pattern}, Dialect.D2020)
    except ValueError:
        return False
    return True


class _CheckableReader(NodeReader):
    """Leaves out what cannot be checked; a node that loses a demand accepts more and is `relaxed`."""

    def __init__(self, schema: Mapping[str, Any], dialect: Dialect, most_patterns: int, follow: bool) -> None:
        super().__init__(schema, dialect)
        self.holding = _HOLDING[dialect]
        self.most_patterns, self.follow = most_patterns, follow
        self.relaxed: set[Node] = set()
        self.patterns: dict[str, bool] = {}
        self._unknown = frozenset() if dialect.since_2019 else ASSERTED_SINCE_2019
        self._dynamic = DYNAMIC_REFERENCES[dialect]

    def graph(self) -> SchemaGraph:
        root = self.read()
        self._accept_objects(root)
        return SchemaGraph(root, self.dialect, self.relaxed)

    def node(self, schema: Mapping[str, Any], path: Path, key: str = "") -> Node:
        known = self.at.get(path)
        if known is not None:  # a reference may lead to a map of schemas, and read it as a schema
            return known
        node = super().node(schema, path, key)
        if node in self.relaxed:
            self._let_go_of_rests(node, schema)
        return node

    def plain(self, node: Node, word: str, value: Any) -> None:
        usable = READABLE.get(word)
        if usable is None:
            if word in self._dynamic:
                self.relaxed.add(node)
        elif word not in self._unknown:
            if usable(value) and (word != "pattern" or self._takes(value)):
                node.keywords[word] = value
            else:
                self.relaxed.add(node)

    def hidden(self, node: Node, word: str, value: Any) -> None:
        pass

    def malformed(self, node: Node, _word: str, _value: Any) -> None:
        self.relaxed.add(node)

    def is_usable(self, holds: Holds, value: Any) -> bool:
        if not super().is_usable(holds, value) or value == []:
            return False
        if holds is not Holds.MAP_OF_SCHEMAS_OR_NAMES:
            return True
        return all(_are_names(each) for each in value.values() if isinstance(each, list))

    def subschemas(self, node: Node, word: str, holds: Holds, value: Any) -> Any:
        if word == "patternProperties":
            usable = {name: each for name, each in value.items() if self._takes(name)}
            if len(usable) < len(value):
                self.relaxed.add(node)
            value = usable
        return super().subschemas(node, word, holds, value)

    def names(self, value: list[Any]) -> Node:
        return Node({"required": value})

    def _takes(self, pattern: str) -> bool:
        if pattern not in self.patterns:
            worth_trying = len(self.patterns) < self.most_patterns and len(pattern) <= limits.MAX_PATTERN
            self.patterns[pattern] = worth_trying and is_linear(pattern)
        return self.patterns[pattern]

    def _let_go_of_rests(self, node: Node, schema: Mapping[str, Any]) -> None:
        """What a lost keyword allowed must not fall to the one that speaks of the rest."""
        for lost, rest in _RESTS:
            before, after = schema.get(lost), node.keywords.get(lost)
            part = lost == "patternProperties" and before and len(after or ()) < len(before)
            if rest in node.keywords and (part or (lost in schema and after is None)):
                del node.keywords[rest]

    def _accept_objects(self, root: Node) -> None:
        """Arguments are an object whatever a schema says, so a type that rules objects out is a slip."""
        types = root.keywords.get("type", "object")
        if "object" not in ([types] if isinstance(types, str) else types):
            del root.keywords["type"]
            self.relaxed.add(root)

    def target(self, ref: Any) -> Node | None:
        short = isinstance(ref, str) and len(ref) <= _MAX_REF
        path = pointer_parts(ref) if short and self.follow else None
        if path is None or path in self.at:
            return None if path is None else self.at[path]
        found = resolve_path(self.schema, path)
        if isinstance(found, bool):
            return Node({} if found else {"not": Node({})})
        return self.node(found, path) if isinstance(found, Mapping) else None

    def lost(self, node: Node, _ref: Any) -> None:
        del node.keywords["$ref"]
        self.relaxed.add(node)


_RESTS = (
    ("properties", "additionalProperties"),
    ("patternProperties", "additionalProperties"),
    ("prefixItems", "items"),
    ("items", "additionalItems"),
    ("minContains", "contains"),
)


def compiled(root: Node, dialect: Dialect) -> engine.Validator | None:
    """The validator of a schema; None where the engine does not take it."""
    try:
        return _validator(root.keywords if root.is_leaf else write_with_definitions(root, dialect), dialect)
    except (ValueError, engine.ReferencingError):
        return None


def _validator(schema: Mapping[str, Any], dialect: Dialect) -> engine.Validator:
    """A schema, compiled: formats are not asserted, nothing is fetched; raises ValueError."""
    make: type[engine.Validator] = _VALIDATORS[dialect]
    return make(dict(schema), pattern_options=LINEAR, validate_formats=False, offline=True)


def _word_set(text: str) -> frozenset[str]:
    return frozenset(text.split())


_MOST: Final = 1e300  # a longer number is no bound that anything reaches


def _is_type(value: Any) -> bool:
    return isinstance(value, str) and value in TYPES


def _are_types(value: Any) -> bool:
    return _is_type(value) or (
        isinstance(value, list)
        and bool(value)
        and all(map(_is_type, value))
        and len(set(value)) == len(value)
    )


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < _MOST


def _is_count(value: Any) -> bool:
    return _is_number(value) and value >= 0 and value == int(value)


def _are_names(value: Any) -> bool:
    return (
        isinstance(value, list)
        and all(isinstance(each, str) for each in value)
        and len(set(value)) == len(value)
    )


def _are_name_lists(value: Any) -> bool:
    return isinstance(value, Mapping) and all(map(_are_names, value.values()))


# Keywords that hold no schemas, and whether a value of theirs can be used.
READABLE: Final[dict[str, Callable[[Any], bool]]] = {
    "type": _are_types,
    "enum": lambda value: isinstance(value, list) and bool(value),
    "const": lambda _: True,
    "pattern": lambda value: isinstance(value, str),
    "multipleOf": lambda value: _is_number(value) and value > 0,
    "uniqueItems": lambda value: isinstance(value, bool),
    "required": _are_names,
    "dependentRequired": _are_name_lists,
    **dict.fromkeys(_word_set("minimum maximum exclusiveMinimum exclusiveMaximum"), _is_number),
    **dict.fromkeys(
        _word_set(
            "minLength maxLength minItems maxItems minProperties maxProperties minContains maxContains"
        ),
        _is_count,
    ),
}
