"""An output schema → the names of the fields that an answer carries, as far as the schema says them."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from toolbooth.catalog import resolve_local
from toolbooth.limits import MAX_OUTPUT_FIELDS

# Deeper lists in lists no longer change the risk tier, and a schema may be recursive.
MAX_DEPTH: Final = 8
_IN_PLACE: Final = ("allOf", "anyOf", "oneOf")

Schema = Mapping[str, Any]


def output_fields(schema: Schema | None) -> tuple[str, ...] | None:
    """The top-level properties, and for each list among them the properties of its items; None where unknown.

    A plain object inside counts as one field. The same name in two branches of a union counts once.
    """
    if not schema:
        return None
    names = tuple(_Walk(schema).fields(schema, ()))[:MAX_OUTPUT_FIELDS]
    return names or None


class _Walk:
    def __init__(self, root: Schema) -> None:
        self.root = root
        self.budget = MAX_OUTPUT_FIELDS

    def fields(self, schema: Any, trail: tuple[int, ...]) -> Iterator[str]:
        """The properties of an object, or of the items of a list."""
        seen: set[str] = set()
        for part, reached in self.branches(schema, trail):
            for name, value in _mapping(part.get("properties")).items():
                if name not in seen and self.budget > 0:
                    seen.add(name)
                    self.budget -= 1
                    yield name
                    yield from self.items(value, reached)
            yield from self.item_fields(part, reached)

    def items(self, schema: Any, trail: tuple[int, ...]) -> Iterator[str]:
        """The properties of the items of a list; nothing for anything else."""
        for part, reached in self.branches(schema, trail):
            yield from self.item_fields(part, reached)

    def item_fields(self, part: Schema, trail: tuple[int, ...]) -> Iterator[str]:
        for key in ("items", "prefixItems"):
            for item in _schemas(part.get(key)):
                yield from self.fields(item, trail)

    def branches(self, schema: Any, trail: tuple[int, ...]) -> Iterator[tuple[Schema, tuple[int, ...]]]:
        """The schema itself, what it refers to, and the branches of its unions."""
        if not isinstance(schema, Mapping) or id(schema) in trail or len(trail) >= MAX_DEPTH:
            return
        trail = (*trail, id(schema))
        yield schema, trail
        yield from self.branches(resolve_local(self.root, schema.get("$ref")), trail)
        for key in _IN_PLACE:
            for branch in _schemas(schema.get(key)):
                yield from self.branches(branch, trail)


def _mapping(value: Any) -> Schema:
    return value if isinstance(value, Mapping) else {}


def _schemas(value: Any) -> Sequence[Any]:
    if isinstance(value, Mapping):
        return (value,)
    return value if isinstance(value, Sequence) and not isinstance(value, str) else ()
