"""The walk over every subschema of a schema, for readers that change nothing, and forgiving looks at one schema.

References are not followed here: each location is visited once, whatever refers to it. The input is anything a
server sent; what has the wrong shape says nothing.
"""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from toolbooth.schema.dialects import SUBSCHEMAS_IN_ANY, Holds
from toolbooth.schema.pointers import Path


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
        if isinstance(here.schema, Mapping):
            waiting += reversed([*_inside(here, table)])


def _inside(here: Located, table: Mapping[str, Holds]) -> Iterator[Located]:
    for word, value in here.schema.items():
        holds = table.get(word)
        if holds is not None:
            for steps, inner in subschemas_in(holds, value):
                yield Located((*here.path, word, *steps), inner)


def subschemas_in(holds: Holds, value: Any) -> Iterator[Located]:
    """The subschemas in the value of one keyword, with the steps from the keyword to each."""
    if isinstance(value, Mapping) and holds in (Holds.MAP, Holds.MAP_OF_SCHEMAS_OR_NAMES):
        yield from (Located((str(name),), inner) for name, inner in value.items() if is_schema(inner))
    elif isinstance(value, list) and holds in (Holds.LIST, Holds.ONE_OR_LIST):
        yield from (Located((str(at),), inner) for at, inner in enumerate(value) if is_schema(inner))
    elif is_schema(value) and holds in (Holds.ONE, Holds.ONE_OR_LIST):
        yield Located((), value)


def is_schema(value: Any) -> bool:
    """Whether a value has the shape of a schema: an object or a boolean."""
    return isinstance(value, Mapping | bool)


def mapping(value: Any) -> Mapping[str, Any]:
    """An object as it is, anything else as an empty one."""
    return value if isinstance(value, Mapping) else {}


def listed(value: Any) -> list[Any]:
    """A list as it is, anything else as an empty one."""
    return value if isinstance(value, list) else []


def texts_in(value: Any) -> list[str]:
    """The texts in a list; none in anything else."""
    return [each for each in listed(value) if isinstance(each, str)]


def properties_of(schema: Any) -> Mapping[str, Any]:
    """The properties that a schema itself describes."""
    return mapping(mapping(schema).get("properties"))


def required_by(schema: Any) -> list[str]:
    """The names that a schema itself requires."""
    return texts_in(mapping(schema).get("required"))


def types_of(schema: Any) -> list[str]:
    """The types that a schema itself names."""
    named = mapping(schema).get("type")
    return [named] if isinstance(named, str) else texts_in(named)
