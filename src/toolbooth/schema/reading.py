"""A schema for readers that change nothing: the document as it was sent, its subschemas, and forgiving looks at one.

The walk follows no references: each location is visited once, whatever refers to it. The input is anything a server
sent; what has the wrong shape says nothing.
"""

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any, Final, NamedTuple

from toolbooth.schema.dialects import SUBSCHEMAS_IN_ANY, Dialect, Holds, nearest_dialect
from toolbooth.schema.pointers import Path, escaped, pointer, pointer_parts, resolve_path


class SchemaDocument:
    """One whole schema; `place` is its own pointer in the object that it was sent in."""

    def __init__(self, root: Any, place: str = "") -> None:
        self.root, self.place = root, place
        self.dialect = nearest_dialect(root)

    @property
    def whole(self) -> "Subschema":
        """The schema itself."""
        return Subschema(self, self.root, self.place)

    @cached_property
    def anchors(self) -> dict[str, "Subschema"]:
        """Where `#name` leads; a name that stands twice leads nowhere."""
        found: dict[str, Subschema | None] = {}
        for part in self._objects():
            for word in ("$anchor", "$dynamicAnchor"):
                name = part.schema.get(word)
                if isinstance(name, str):
                    found[name] = None if name in found else part
        return {name: part for name, part in found.items() if part is not None}

    @cached_property
    def has_inner_ids(self) -> bool:
        """Whether a part of it has an address of its own, against which its references would be read."""
        parts = (part.schema for part in self._objects())
        return any(isinstance(schema.get("$id"), str) and schema is not self.root for schema in parts)

    def _objects(self) -> Iterator["Subschema"]:
        """Every object in it, also where no validator would look for a schema."""
        waiting = [self.whole]
        while waiting:
            part = waiting.pop()
            if isinstance(part.schema, Mapping):
                yield part
                waiting += (part.at(key) for key in part.schema)
            elif isinstance(part.schema, list):
                waiting += (part.at(index) for index in range(len(part.schema)))


class Subschema(NamedTuple):
    """One part of a document, and its pointer."""

    document: SchemaDocument
    schema: Any
    pointer: str

    @property
    def dialect(self) -> Dialect:
        """The dialect in which it is read."""
        return self.document.dialect

    def at(self, *steps: str | int) -> "Subschema":
        """A part of this one."""
        here, place = self.schema, self.pointer
        for step in steps:
            here = here[step]
            place += "/" + escaped(str(step))
        return Subschema(self.document, here, place)

    def follow(self, ref: Any) -> "Subschema | None":
        """What a local reference leads to; None for another document, or nowhere."""
        document = self.document
        if not isinstance(ref, str) or document.has_inner_ids:
            return None
        path = pointer_parts(ref)
        if path is None:
            return document.anchors.get(ref[1:]) if ref.startswith("#") else None
        target = resolve_path(document.root, path)
        if not isinstance(target, Mapping | bool):
            return None
        return Subschema(document, target, document.place + pointer(path))


_MAPS: Final = (Holds.MAP, Holds.MAP_OF_SCHEMAS_OR_NAMES)
_OBJECTS: Final = (dict, Mapping)  # `Mapping` alone takes three times as long for a dict
_SHAPES: Final = (*_OBJECTS, bool)


class Located(NamedTuple):
    """A subschema and the path to it. `schema` is an object or a boolean."""

    path: Path
    schema: Any


def walk(schema: Any, table: Mapping[str, Holds] = SUBSCHEMAS_IN_ANY) -> Iterator[Located]:
    """A schema and every subschema in it, each once, parents first and in the order of the schema."""
    waiting = [Located((), schema)] if is_schema(schema) else []
    while waiting:
        here = waiting.pop()
        yield here
        if not isinstance(here.schema, bool):
            waiting += reversed(_inside(here.path, here.schema, table))


def _inside(path: Path, schema: Mapping[str, Any], table: Mapping[str, Holds]) -> list[Located]:
    found: list[Located] = []
    for word, value in schema.items():
        holds = table.get(word)
        if holds is None:
            continue
        if holds in _MAPS:
            parts = value.items() if isinstance(value, Mapping) else ()
            found += [Located((*path, word, str(name)), part) for name, part in parts if is_schema(part)]
        elif isinstance(value, list) and holds is not Holds.ONE:
            found += [
                Located((*path, word, str(at)), part) for at, part in enumerate(value) if is_schema(part)
            ]
        elif holds is not Holds.LIST and is_schema(value):
            found.append(Located((*path, word), value))
    return found


def is_schema(value: Any) -> bool:
    """Whether a value has the shape of a schema: an object or a boolean."""
    return isinstance(value, _SHAPES)


def mapping(value: Any) -> Mapping[str, Any]:
    """An object as it is, anything else as an empty one."""
    return value if isinstance(value, _OBJECTS) else {}


def listed(value: Any) -> list[Any]:
    """A list as it is, anything else as an empty one."""
    return value if isinstance(value, list) else []


def texts_in(value: Any) -> list[str]:
    """The texts in a list; none in anything else."""
    return [each for each in value if isinstance(each, str)] if isinstance(value, list) else []


def properties_of(schema: Any) -> Mapping[str, Any]:
    """The properties that a schema itself describes."""
    found = schema.get("properties") if isinstance(schema, _OBJECTS) else None
    return found if isinstance(found, _OBJECTS) else {}


def required_by(schema: Any) -> list[str]:
    """The names that a schema itself requires."""
    return texts_in(schema.get("required")) if isinstance(schema, _OBJECTS) else []


def types_of(schema: Any) -> list[str]:
    """The types that a schema itself names."""
    named = schema.get("type") if isinstance(schema, _OBJECTS) else None
    return [named] if isinstance(named, str) else texts_in(named)
