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
    """What held before and what holds after for the same place in the data; `only` is the type that can stand there."""

    before: model.Subschemas
    after: model.Subschemas
    label: str
    only: str = ""


class Walk:
    """Each pair is compared once, whatever the number of ways to it, so cycles and shared parts cost nothing more."""

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
        """Compare this pair later, unless nothing can differ."""
        key = (self._flattener.key(pair.before), self._flattener.key(pair.after), pair.only)
        if (
            key not in self._seen
            and key[:2] not in self._supposed
            and not self.same_text(pair.before, pair.after)
        ):
            self._seen.add(key)
            self._waiting.append(pair)

    def run(self, *, until_found: bool = False) -> "Walk":
        """Compare all pairs that wait, and those that are added meanwhile."""
        while self._waiting and not (until_found and self.found):
            self._flattener.spend(PER_PAIR)
            self._compare_pair(self, self._waiting.popleft())
        return self

    def flat(self, subschemas: model.Subschemas, only: str = "") -> model.FlatSchema:
        """What these ask for, of values of one type if it is named."""
        flat = self._flattener.flat(subschemas)
        return operations.settle(replace(flat, types=flat.types & {only})) if only else flat

    def written(self, what: model.Subschemas | model.Rest) -> writer.Written | None:
        """The same in its plainest form."""
        return self._writer.write(what)

    def text(self, what: model.Subschemas | model.Rest) -> str | None:
        """The same for the same meaning, mostly; None where it would be too long."""
        written = self.written(what)
        return written.text if written else None

    def relation(self, before: model.Subschemas, after: model.Subschemas) -> model.Relation:
        """How two schemas stand to each other as a whole."""
        key = (self._flattener.key(before), self._flattener.key(after))
        if key not in self._relations:
            self._flattener.spend(PER_QUESTION)
            old, new = self.written(before), self.written(after)
            same = old is not None and new is not None and old.text == new.text
            self._relations[key] = model.Relation.EQUAL if same else writer.contained(old, new)
        return self._relations[key]

    def same(self, before: model.Subschemas, after: model.Subschemas) -> bool:
        """Whether a walk over these two finds nothing; where it comes back to them, they are assumed to be the same."""
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
        """Written alike, and every reference in it leads to what is written alike, too."""
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
        """The references in two parts that are written alike; None if they are not."""
        key = (id(one.schema), id(other.schema))
        if key not in self._references:
            text = catalog.canonical(one.schema)
            same = text == catalog.canonical(other.schema) and _read_alike(one, other)
            self._references[key] = _REFERENCE.findall(text) if same else None
        return self._references[key]


def _read_alike(one: schema.Subschema, other: schema.Subschema) -> bool:
    """Whether a validator would read what stands beside `$ref` in both or in neither."""
    return one.dialect.ref_hides_siblings == other.dialect.ref_hides_siblings


PairComparer = Callable[[Walk, SchemaPair], None]
