"""The walk over every subschema of a schema, for readers that change nothing, and forgiving looks at one schema.

References are not followed here: each location is visited once, whatever refers to it. The input is anything a
server sent; what has the wrong shape says nothing.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from toolbooth.schema.dialects import SUBSCHEMAS_IN_ANY, Holds
from toolbooth.schema.pointers import Path

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
