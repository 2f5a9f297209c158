"""The keywords of JSON Schema, and one schema as a node: its keywords, with nodes where schemas stand."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final

import jsonschema_rs as engine


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


class Draft(Enum):
    """The drafts that are checked; a schema of any other is the backend's to judge."""

    D6 = engine.Draft6Validator
    D7 = engine.Draft7Validator
    D2019 = engine.Draft201909Validator
    D2020 = engine.Draft202012Validator

    def validator(self, schema: Mapping[str, Any], patterns: engine.RegexOptions) -> engine.Validator:
        """A schema, compiled: formats are not asserted, nothing is fetched; raises ValueError."""
        make: type[engine.Validator] = self.value
        return make(dict(schema), pattern_options=patterns, validate_formats=False, offline=True)

    @property
    def ref_hides_siblings(self) -> bool:
        """Up to draft 7 nothing that stands beside `$ref` is read."""
        return self in (Draft.D6, Draft.D7)

    @property
    def definitions(self) -> str:
        """Where this draft keeps its definitions."""
        return "definitions" if self.ref_hides_siblings else "$defs"


ONE: Final = _words(
    "not if then else contains propertyNames items additionalItems additionalProperties "
    "unevaluatedItems unevaluatedProperties"
)
LIST: Final = _words("allOf anyOf oneOf items prefixItems")
MAP: Final = _words("properties patternProperties dependentSchemas dependencies")

HOLDING: Final = ONE | LIST | MAP | {"$ref"}  # schemas stand in these, and nowhere else
# Applied to the very value that their schema is applied to, not to a part of it.
IN_PLACE: Final = _words("$ref allOf anyOf oneOf not if then else dependentSchemas dependencies")
UNEVALUATED: Final = _words("unevaluatedItems unevaluatedProperties")
# Following a reference of these needs the way by which a schema was reached.
DYNAMIC: Final = _words("$dynamicRef $recursiveRef")

_NEW_WORDS: Final = _words("dependentSchemas dependentRequired minContains maxContains") | UNEVALUATED
NOT_READ: Final = {
    Draft.D6: _NEW_WORDS | _words("prefixItems if then else $dynamicRef $recursiveRef"),
    Draft.D7: _NEW_WORDS | _words("prefixItems $dynamicRef $recursiveRef"),
    Draft.D2019: _words("prefixItems dependencies $dynamicRef"),
    Draft.D2020: _words("additionalItems dependencies $recursiveRef"),
}

_DRAFTS: Final = {
    "http://json-schema.org/draft-06/schema": Draft.D6,
    "http://json-schema.org/draft-07/schema": Draft.D7,
    "http://json-schema.org/draft/2019-09/schema": Draft.D2019,
    "http://json-schema.org/draft/2020-12/schema": Draft.D2020,
}

TYPES: Final = _words("string integer number boolean null array object")
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
    **dict.fromkeys(_words("minimum maximum exclusiveMinimum exclusiveMaximum"), _is_number),
    **dict.fromkeys(
        _words("minLength maxLength minItems maxItems minProperties maxProperties minContains maxContains"),
        _is_count,
    ),
}


def draft_of(schema: Mapping[str, Any]) -> Draft | None:
    """The draft that `$schema` names; MCP reads a schema without it as 2020-12. None if it is another one."""
    named = schema.get("$schema", "http://json-schema.org/draft/2020-12/schema")
    if not isinstance(named, str):
        return None
    return _DRAFTS.get(named.removesuffix("#").replace("https://", "http://", 1))


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
