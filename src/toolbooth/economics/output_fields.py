"""The names of the fields that each row of an answer carries, as far as its output schema names them."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from toolbooth import limits
from toolbooth.schema import properties_of, resolve_local

# Deeper lists in lists no longer change the risk tier, and a schema may be recursive.
MAX_DEPTH: Final = 8
# A list of these is MCP's own content of one answer (a text, a picture), and no list of rows.
_CONTENT: Final = frozenset({"type", "mimeType"})
_IN_PLACE: Final = ("allOf", "anyOf", "oneOf")

Schema = Mapping[str, Any]


def row_fields(schema: Schema | None) -> tuple[str, ...] | None:
    """The lists of objects at the top of an answer, and the properties of their items; None where there are none.

    The number of rows makes an answer large, and a list is where a schema describes rows. One object, a text or a list
    of texts may have any size; the schema says nothing about it that an estimate could use.
    """
    if not schema:
        return None
    names = tuple(_Walk(schema).rows(schema))[: limits.MAX_OUTPUT_FIELDS]
    return names or None


class _Walk:
    def __init__(self, root: Schema) -> None:
        self.root = root
        self.budget = limits.MAX_OUTPUT_FIELDS

    def rows(self, schema: Schema) -> Iterator[str]:
        """Each list by its name and its rows' fields, without the properties beside it; a name counts once."""
        seen: set[str] = set()
        for part, reached in self.branches(schema, ()):
            yield from self.item_fields(part, reached)
            for name, value in properties_of(part).items():
                if name not in seen:
                    seen.add(name)
                    found = list(self.items(value, reached))
                    if found and not (name == "content" and {*found} >= _CONTENT):
                        yield from (name, *found)

    def fields(self, schema: Any, trail: tuple[int, ...]) -> Iterator[str]:
        """The properties of an object, or of the items of a list."""
        seen: set[str] = set()
        for part, reached in self.branches(schema, trail):
            for name, value in properties_of(part).items():
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


def _schemas(value: Any) -> Sequence[Any]:
    if isinstance(value, Mapping):
        return (value,)
    return value if isinstance(value, Sequence) and not isinstance(value, str) else ()
