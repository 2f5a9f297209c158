"""A whole schema as it was sent, and its parts with their pointers, for readers that change nothing."""

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any, NamedTuple

from toolbooth.schema.dialects import Dialect, nearest_dialect
from toolbooth.schema.pointers import escaped, pointer, pointer_parts, resolve_path


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
