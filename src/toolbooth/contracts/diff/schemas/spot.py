"""A schema and its place in a definition: children by pointer, local references followed, nothing ever fetched."""

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any, NamedTuple

from toolbooth.catalog import pointer_parts, resolve_local

_OLD = ("draft-03", "draft-04", "draft-06", "draft-07")
_UNCONDITIONAL = ("draft-03", "draft-04", "draft-06")
_LISTS = (*_OLD, "2019-09")


class Document:
    """One whole schema; `place` is its own pointer in the tool's wire object."""

    def __init__(self, root: Any, place: str) -> None:
        self.root, self.place = root, place
        said = root.get("$schema") if isinstance(root, Mapping) else None
        self.conditions = not (
            isinstance(said, str) and any(name in said for name in _UNCONDITIONAL)
        )  # has `if`
        # Up to draft 7 nothing that stands beside `$ref` counts. MCP reads a schema without `$schema` as 2020-12.
        self.old = isinstance(said, str) and any(name in said for name in _OLD)
        self.lists = isinstance(said, str) and any(name in said for name in _LISTS)  # `items` may be a list

    @property
    def whole(self) -> "Spot":
        """The schema itself."""
        return Spot(self, self.root, self.place)

    @cached_property
    def anchors(self) -> dict[str, "Spot"]:
        """Where `#name` leads; a name that stands twice leads nowhere."""
        found: dict[str, Spot | None] = {}
        for spot in self._all():
            for word in ("$anchor", "$dynamicAnchor"):
                name = spot.schema.get(word)
                if isinstance(name, str):
                    found[name] = None if name in found else spot
        return {name: spot for name, spot in found.items() if spot is not None}

    @cached_property
    def has_inner_ids(self) -> bool:
        """Whether a part of it has an address of its own, against which its references would be read."""
        return any(
            isinstance(spot.schema.get("$id"), str) and spot.schema is not self.root for spot in self._all()
        )

    def _all(self) -> Iterator["Spot"]:
        waiting = [self.whole]
        while waiting:
            spot = waiting.pop()
            if isinstance(spot.schema, Mapping):
                yield spot
                waiting += (spot.at(str(key)) for key in spot.schema)
            elif isinstance(spot.schema, list):
                waiting += (spot.at(index) for index in range(len(spot.schema)))


class Spot(NamedTuple):
    """One part of a document."""

    document: Document
    schema: Any
    pointer: str

    def at(self, *steps: str | int) -> "Spot":
        """A part of this one."""
        here, pointer = self.schema, self.pointer
        for step in steps:
            here = here[step]
            pointer += "/" + str(step).replace("~", "~0").replace("/", "~1")
        return Spot(self.document, here, pointer)

    def follow(self, ref: Any) -> "Spot | None":
        """What a local reference leads to; None for another document, or nowhere."""
        document = self.document
        if not isinstance(ref, str) or document.has_inner_ids:
            return None
        parts = pointer_parts(ref)
        if parts is None:
            return document.anchors.get(ref[1:]) if ref.startswith("#") else None
        target = resolve_local(document.root, ref)
        if not isinstance(target, Mapping | bool):
            return None
        escaped = (part.replace("~", "~0").replace("/", "~1") for part in parts)
        return Spot(document, target, "/".join((document.place, *escaped)))


Spots = tuple[Spot, ...]
"""Schemas that all hold for the same value; none at all is: anything."""


Key = tuple[int, ...]


def key_of(spots: Spots) -> Key:
    """What tells these spots from others while their documents live."""
    return tuple(id(spot.schema) for spot in spots)
