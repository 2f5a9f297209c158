"""Schemas that hold together → one settled flat: references followed, `allOf` merged, plain choices joined."""

from collections.abc import Iterator, Mapping
from typing import Any

from toolbooth.catalog import canonical
from toolbooth.contracts.diff.schemas.difference import TooMuch
from toolbooth.contracts.diff.schemas.flat import ATOMS, Flat, Rest
from toolbooth.contracts.diff.schemas.joining import join
from toolbooth.contracts.diff.schemas.meet import meet, without_repeats
from toolbooth.contracts.diff.schemas.reading import WORDS_FOR_PEOPLE, own_flat
from toolbooth.contracts.diff.schemas.settling import asks_nothing, settle
from toolbooth.contracts.diff.schemas.spot import Key, Spot, Spots, key_of
from toolbooth.limits import MAX_COMPARED_PARTS, MAX_SCHEMA_LEVELS

_REFERENCES = ("$ref", "$dynamicRef", "$recursiveRef")
_CHOICES = ("anyOf", "oneOf")
_SOMETIMES = (*_CHOICES, "not", "if", "contains", "dependentSchemas", "$ref", "additionalProperties", "odd")


class Flattener:
    """Flattens the schemas of one comparison, each once; raises TooMuch past a ceiling."""

    def __init__(self) -> None:
        self._known: dict[Key, Flat] = {}
        self._keys: dict[Key, Key] = {}
        self._open: set[Key] = set()
        self._left = MAX_COMPARED_PARTS

    def spend(self, parts: int = 1) -> None:
        """Count work that is about to be done."""
        self._left -= parts
        if self._left < 0:
            raise TooMuch

    def flat(self, spots: Spots) -> Flat:
        """What all of these ask for together."""
        key = self.key(spots)
        if key not in self._known:
            if len(self._open) > MAX_SCHEMA_LEVELS:
                raise TooMuch
            self._open.add(key)
            self._known[key] = self._flatten(spots)
            self._open.discard(key)
        return self._known[key]

    def key(self, spots: Spots) -> Key:
        """The same for all ways that lead to the same schemas: a mere reference is what it leads to."""
        short = key_of(spots)
        if short not in self._keys:
            found = (id(spot.schema) for spot in self._in_place(spots) if not _mere_reference(spot))
            self._keys[short] = tuple(sorted(set(found)))
        return self._keys[short]

    def _flatten(self, spots: Spots) -> Flat:
        met = Flat(spots[0].pointer if spots else "")
        for spot in self._in_place(spots):
            if not _only_refers(spot):
                met = meet(met, own_flat(spot))
            met.rest += tuple(_applied(spot))
        met.rest = without_repeats(met.rest)
        flat = settle(self._simplified(settle(met)))
        return _evaluated(flat) if len(spots) == 1 else flat

    def _in_place(self, spots: Spots) -> Iterator[Spot]:
        """These schemas and all that hold with them, each once."""
        waiting, seen = list(reversed(spots)), set[int | str]()
        while waiting:
            spot = waiting.pop()
            alone = not seen and not waiting
            marks: set[int | str] = {id(spot.schema)}
            if not alone:
                marks.add(canonical(spot.schema))
            if marks & seen and not isinstance(spot.schema, bool):
                continue
            seen |= marks
            self.spend(1 + (len(spot.schema) if isinstance(spot.schema, Mapping) else 0))
            waiting += reversed(list(_beside(spot)))
            yield spot

    def _simplified(self, flat: Flat) -> Flat:
        """Choices and negations that can be said by plain keywords are."""
        kept: list[Rest] = []
        plain: list[Flat] = []
        for rest in flat.rest:
            branches = self._branches(rest)
            said = _said_plainly(rest, branches) if branches else None
            if said is None:
                kept.append(rest)
                said = _implied(rest, branches)
            plain.append(said)
        flat.rest = tuple(kept)
        for each in plain:
            flat = meet(flat, each)
        return flat

    def _branches(self, rest: Rest) -> list[Flat]:
        """Empty where there are none, or where they lead back to what is being flattened."""
        if rest.kind not in (*_CHOICES, "not") or any(self.key(part) in self._open for part in rest.parts):
            return []
        self.spend(len(rest.parts))
        return [self.flat(part) for part in rest.parts]


def _said_plainly(rest: Rest, branches: list[Flat]) -> Flat | None:
    if rest.kind in _CHOICES:
        return join(rest, branches)
    return Flat(rest.pointer, types=ATOMS - branches[0].types) if asks_nothing(branches[0]) else None


def _implied(rest: Rest, branches: list[Flat]) -> Flat:
    """What a choice that stays one asks for in any case: a type that one of its branches takes."""
    if rest.kind not in _CHOICES or not branches:
        return Flat(rest.pointer)
    return Flat(rest.pointer, types=frozenset[str]().union(*(branch.types for branch in branches)))


def _beside(spot: Spot) -> Iterator[Spot]:
    """Schemas that hold wherever this one does."""
    schema = spot.schema
    if not isinstance(schema, Mapping):
        return
    for word in _REFERENCES:
        target = spot.follow(schema[word]) if word in schema else None
        if target is not None:
            yield target
    if _only_refers(spot):
        return
    for word in ("allOf", *_CHOICES):
        inner = schema.get(word)
        if isinstance(inner, list) and (word == "allOf" or len(inner) == 1):
            yield from (spot.at(word, index) for index in range(len(inner)))


def _applied(spot: Spot) -> Iterator[Rest]:
    """What of it applies in place, but not always."""
    schema = spot.schema
    if not isinstance(schema, Mapping):
        return
    for word in _REFERENCES:
        if word in schema and spot.follow(schema[word]) is None:
            yield _lost_reference(spot, word)
    if _only_refers(spot):
        return
    for word in _CHOICES:
        branches = schema.get(word)
        if isinstance(branches, list) and len(branches) != 1:
            parts = tuple((spot.at(word, index),) for index in range(len(branches)))
            yield Rest(word, parts, "", f"{spot.pointer}/{word}")
    if "not" in schema:
        yield Rest("not", ((spot.at("not"),),), "", f"{spot.pointer}/not")
    if spot.document.conditions and "if" in schema and ("then" in schema or "else" in schema):
        conditions = tuple(_there(spot, word) for word in ("if", "then", "else"))
        yield Rest("if", conditions, "", f"{spot.pointer}/if")


def _there(spot: Spot, word: str) -> Spots:
    return (spot.at(word),) if word in spot.schema else ()


def _mere_reference(spot: Spot) -> bool:
    """A reference with nothing beside it that a validator reads, or with words for people alone."""
    beside = spot.schema.keys() - WORDS_FOR_PEOPLE if isinstance(spot.schema, Mapping) else ()
    return beside == {"$ref"} and spot.follow(spot.schema["$ref"]) is not None


def _only_refers(spot: Spot) -> bool:
    """Up to draft 7 nothing beside `$ref` counts."""
    return spot.document.old and isinstance(spot.schema, Mapping) and "$ref" in spot.schema


def _lost_reference(spot: Spot, word: str) -> Rest:
    """Into its own document it may mean anything there; to another one, it means what that says."""
    ref: Any = spot.schema[word]
    local = isinstance(ref, str) and ref.startswith("#")
    text = canonical([ref, spot.document.root if local or spot.document.has_inner_ids else None])
    return Rest("$ref", (), text, f"{spot.pointer}/{word}")


def _evaluated(flat: Flat) -> Flat:
    """Where nothing applies only sometimes, what is not evaluated is what is not named."""
    if any(rest.kind in _SOMETIMES for rest in flat.rest):
        return flat
    for word, spoken_of in (("unevaluatedProperties", flat.additional), ("unevaluatedItems", flat.items)):
        own = [rest for rest in flat.rest if rest.kind == word and rest.pointer == f"{flat.pointer}/{word}"]
        if len(own) == 1 and not spoken_of:
            flat.rest = tuple(rest for rest in flat.rest if rest is not own[0])
            setattr(flat, "additional" if word.endswith("Properties") else "items", own[0].parts[0])
            flat.at["additionalProperties" if word.endswith("Properties") else "items"] = own[0].pointer
    return flat
