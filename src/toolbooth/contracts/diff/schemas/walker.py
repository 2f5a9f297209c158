"""The walk over two schemas at once: pairs that wait, relations that are known, differences that were found."""

import re
from collections import deque
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final, NamedTuple

from toolbooth import catalog, limits, schema
from toolbooth.contracts.diff.schemas import flatten, model, operations, writer

PER_PAIR: Final = 5  # parts that could be read in the time that one pair takes
PER_QUESTION: Final = 50  # and a question to the engine
_REFERENCE: Final = re.compile(r'"\$(?:ref|dynamicRef|recursiveRef)":"([^"]*)"')


class SchemaPair(NamedTuple):
    """The old and the new schema of one place in the data; `only` is the one type that it can have."""

    before: model.Subschemas
    after: model.Subschemas
    label: str
    only: str = ""


class Walk:
    """Compares each pair once, however many paths lead to it, so cycles and shared parts cost no extra time."""

    def __init__(self, compare_pair: "PairComparer", outer: "Walk | None" = None) -> None:
        self._compare_pair = compare_pair
        self._flattener: flatten.Flattener = outer._flattener if outer else flatten.Flattener()
        self._writer: writer.Writer = outer._writer if outer else writer.Writer(self._flattener)
        self._supposed: set[tuple[model.Key, model.Key]] = outer._supposed if outer else set()
        self._references: dict[model.Key, list[str] | None] = outer._references if outer else {}
        self._relations: dict[tuple[model.Key, model.Key], model.Relation] = outer._relations if outer else {}
        self._waiting: deque[SchemaPair] = deque()
        self._seen: set[tuple[object, ...]] = set()
        self.found: list[model.Difference] = []

    def push(self, pair: SchemaPair) -> None:
        """Queue a pair for comparison, unless its sides cannot differ."""
        key = (self._flattener.key(pair.before), self._flattener.key(pair.after), pair.only)
        if (
            key not in self._seen
            and key[:2] not in self._supposed
            and not self.same_text(pair.before, pair.after)
        ):
            self._seen.add(key)
            self._waiting.append(pair)

    def run(self, *, until_found: bool = False) -> "Walk":
        """Compare all queued pairs, including those that are added on the way."""
        while self._waiting and not (until_found and self.found):
            self._flattener.spend(PER_PAIR)
            self._compare_pair(self, self._waiting.popleft())
        return self

    def flat(self, subschemas: model.Subschemas, only: str = "") -> model.FlatSchema:
        """The flat schema of these, limited to one type if `only` names it."""
        flat = self._flattener.flat(subschemas)
        return operations.settle(replace(flat, types=flat.types & {only})) if only else flat

    def written(self, what: model.Subschemas | model.Rest) -> writer.Written | None:
        """Normalized JSON Schema with the same meaning; None if it would be too long."""
        return self._writer.write(what)

    def text(self, what: model.Subschemas | model.Rest) -> str | None:
        """Normalized text: equal texts have equal meaning, and mostly the reverse; None if it would be too long."""
        written = self.written(what)
        return written.text if written else None

    def relation(self, before: model.Subschemas, after: model.Subschemas) -> model.Relation:
        """How the sets of values that two schemas accept are related."""
        key = (self._flattener.key(before), self._flattener.key(after))
        if key not in self._relations:
            self._flattener.spend(PER_QUESTION)
            old, new = self.written(before), self.written(after)
            same = old is not None and new is not None and old.text == new.text
            self._relations[key] = model.Relation.EQUAL if same else writer.contained(old, new)
        return self._relations[key]

    def same(self, before: model.Subschemas, after: model.Subschemas) -> bool:
        """Whether a walk finds no difference. A cycle back to the same two schemas counts as equal."""
        key = (self._flattener.key(before), self._flattener.key(after))
        if key in self._supposed:
            return True
        if len(self._supposed) > limits.MAX_SUPPOSED:
            return False
        inner = Walk(self._compare_pair, self)
        inner.push(SchemaPair(before, after, ""))
        self._supposed.add(key)
        try:
            return not inner.run(until_found=True).found
        finally:
            self._supposed.discard(key)

    def say(self, facet: str, relation: model.Relation, pair: SchemaPair, pointer: str, **more: Any) -> None:
        """Record a difference."""
        self.found.append(model.Difference(facet, relation, pair.label, pointer, **more))

    def same_text(self, before: model.Subschemas, after: model.Subschemas) -> bool:
        """Whether both have the same text, and so have the targets of all their references."""
        if len(before) != len(after):
            return False
        waiting, seen = list(zip(before, after, strict=True)), set()
        while waiting:
            one, other = waiting.pop()
            key = (id(one.schema), id(other.schema))
            if key in seen:
                continue
            self._flattener.spend()
            seen.add(key)
            references = self._alike(one, other)
            if references is None:
                return False
            for ref in references:
                targets = one.follow(ref), other.follow(ref)
                if targets[0] is None or targets[1] is None:
                    return False
                waiting.append((targets[0], targets[1]))
        return True

    def _alike(self, one: schema.Subschema, other: schema.Subschema) -> list[str] | None:
        """The references of two parts with the same text; None if their texts differ."""
        key = (id(one.schema), id(other.schema))
        if key not in self._references:
            text = catalog.canonical(one.schema)
            same = text == catalog.canonical(other.schema) and _read_alike(one, other)
            self._references[key] = _REFERENCE.findall(text) if same else None
        return self._references[key]


def _read_alike(one: schema.Subschema, other: schema.Subschema) -> bool:
    """Whether both dialects treat the siblings of `$ref` in the same way."""
    return one.dialect.ref_hides_siblings == other.dialect.ref_hides_siblings


PairComparer = Callable[[Walk, SchemaPair], None]
