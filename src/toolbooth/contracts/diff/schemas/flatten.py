"""Flattening: schemas that apply together become one; references are followed, and `allOf` is merged."""

from collections.abc import Iterator, Mapping
from typing import Any

from toolbooth import catalog, limits
from toolbooth.contracts.diff.schemas import keywords, model, operations
from toolbooth.schema import ANNOTATIONS, REFERENCES, UNEVALUATED, Subschema

_CHOICES = ("anyOf", "oneOf")
_SOMETIMES = (*_CHOICES, "not", "if", "contains", "dependentSchemas", "$ref", "additionalProperties", "odd")


class Flattener:
    """Flattens the schemas of one comparison, each once; raises ComparisonTooLarge past a ceiling."""

    def __init__(self) -> None:
        self._known: dict[model.Key, model.FlatSchema] = {}
        self._keys: dict[model.Key, model.Key] = {}
        self._open: set[model.Key] = set()
        self._left = limits.MAX_COMPARED_PARTS

    def spend(self, parts: int = 1) -> None:
        """Count work that is about to be done."""
        self._left -= parts
        if self._left < 0:
            raise model.ComparisonTooLarge

    def flat(self, subschemas: model.Subschemas) -> model.FlatSchema:
        """The flat schema that means all of these schemas together."""
        key = self.key(subschemas)
        if key not in self._known:
            if len(self._open) > limits.MAX_SCHEMA_LEVELS:
                raise model.ComparisonTooLarge
            self._open.add(key)
            self._known[key] = self._flatten(subschemas)
            self._open.discard(key)
        return self._known[key]

    def key(self, subschemas: model.Subschemas) -> model.Key:
        """An identity that bare references share with their targets."""
        short = model.key_of(subschemas)
        if short not in self._keys:
            found = (
                id(subschema.schema)
                for subschema in self._in_place(subschemas)
                if not _mere_reference(subschema)
            )
            self._keys[short] = tuple(sorted(set(found)))
        return self._keys[short]

    def _flatten(self, subschemas: model.Subschemas) -> model.FlatSchema:
        met = model.FlatSchema(subschemas[0].pointer if subschemas else "")
        for subschema in self._in_place(subschemas):
            if not _only_refers(subschema):
                met = operations.meet(met, keywords.flat_of_keywords(subschema))
            met.rest += tuple(_applied(subschema))
        met.rest = operations.without_repeats(met.rest)
        flat = operations.settle(self._simplified(operations.settle(met)))
        return _evaluated(flat) if len(subschemas) == 1 else flat

    def _in_place(self, subschemas: model.Subschemas) -> Iterator[Subschema]:
        """These schemas and all that apply with them, each once."""
        waiting, seen = list(reversed(subschemas)), set[int | str]()
        while waiting:
            subschema = waiting.pop()
            alone = not seen and not waiting
            marks: set[int | str] = {id(subschema.schema)}
            if not alone:
                marks.add(catalog.canonical(subschema.schema))
            if marks & seen and not isinstance(subschema.schema, bool):
                continue
            seen |= marks
            self.spend(1 + (len(subschema.schema) if isinstance(subschema.schema, Mapping) else 0))
            waiting += reversed(list(_beside(subschema)))
            yield subschema

    def _simplified(self, flat: model.FlatSchema) -> model.FlatSchema:
        """Rewrite choices and negations as plain keywords where possible."""
        kept: list[model.Rest] = []
        plain: list[model.FlatSchema] = []
        for rest in flat.rest:
            branches = self._branches(rest)
            said = _said_plainly(rest, branches) if branches else None
            if said is None:
                kept.append(rest)
                said = _implied(rest, branches)
            plain.append(said)
        flat.rest = tuple(kept)
        for each in plain:
            flat = operations.meet(flat, each)
        return flat

    def _branches(self, rest: model.Rest) -> list[model.FlatSchema]:
        """The flattened branches; empty if there are none, or if they refer back to what is being flattened."""
        if rest.kind not in (*_CHOICES, "not") or any(self.key(part) in self._open for part in rest.parts):
            return []
        self.spend(len(rest.parts))
        return [self.flat(part) for part in rest.parts]


def _said_plainly(rest: model.Rest, branches: list[model.FlatSchema]) -> model.FlatSchema | None:
    if rest.kind in _CHOICES:
        return operations.join(rest, branches)
    return (
        model.FlatSchema(rest.pointer, types=model.ATOMS - branches[0].types)
        if operations.asks_nothing(branches[0])
        else None
    )


def _implied(rest: model.Rest, branches: list[model.FlatSchema]) -> model.FlatSchema:
    """What every branch of a choice implies: the value has a type that at least one branch accepts."""
    if rest.kind not in _CHOICES or not branches:
        return model.FlatSchema(rest.pointer)
    return model.FlatSchema(
        rest.pointer, types=frozenset[str]().union(*(branch.types for branch in branches))
    )


def _beside(subschema: Subschema) -> Iterator[Subschema]:
    """The schemas that apply wherever this one does: targets of references and parts of `allOf`."""
    schema = subschema.schema
    if not isinstance(schema, Mapping):
        return
    for word in REFERENCES:
        target = subschema.follow(schema[word]) if word in schema else None
        if target is not None:
            yield target
    if _only_refers(subschema):
        return
    for word in ("allOf", *_CHOICES):
        inner = schema.get(word)
        if isinstance(inner, list) and (word == "allOf" or len(inner) == 1):
            yield from (subschema.at(word, index) for index in range(len(inner)))


def _applied(subschema: Subschema) -> Iterator[model.Rest]:
    """The parts that apply conditionally: choices, negations and conditions, and references that cannot be resolved."""
    schema = subschema.schema
    if not isinstance(schema, Mapping):
        return
    for word in REFERENCES:
        if word in schema and subschema.follow(schema[word]) is None:
            yield _lost_reference(subschema, word)
    if _only_refers(subschema):
        return
    for word in _CHOICES:
        branches = schema.get(word)
        if isinstance(branches, list) and len(branches) != 1:
            parts = tuple((subschema.at(word, index),) for index in range(len(branches)))
            yield model.Rest(word, parts, "", f"{subschema.pointer}/{word}")
    if "not" in schema:
        yield model.Rest("not", ((subschema.at("not"),),), "", f"{subschema.pointer}/not")
    if subschema.dialect.has_conditions and "if" in schema and ("then" in schema or "else" in schema):
        conditions = tuple(_there(subschema, word) for word in ("if", "then", "else"))
        yield model.Rest("if", conditions, "", f"{subschema.pointer}/if")


def _there(subschema: Subschema, word: str) -> model.Subschemas:
    return (subschema.at(word),) if word in subschema.schema else ()


def _mere_reference(subschema: Subschema) -> bool:
    """Whether the schema is only a `$ref`, apart from annotations."""
    beside = subschema.schema.keys() - ANNOTATIONS if isinstance(subschema.schema, Mapping) else ()
    return beside == {"$ref"} and subschema.follow(subschema.schema["$ref"]) is not None


def _only_refers(subschema: Subschema) -> bool:
    """Whether validators read only its `$ref`: up to draft 7 they ignore its siblings."""
    return (
        subschema.dialect.ref_hides_siblings
        and isinstance(subschema.schema, Mapping)
        and "$ref" in subschema.schema
    )


def _lost_reference(subschema: Subschema, word: str) -> model.Rest:
    """A reference that cannot be resolved. Local ones are equal only within equal documents, others if the URL is."""
    ref: Any = subschema.schema[word]
    local = isinstance(ref, str) and ref.startswith("#")
    text = catalog.canonical(
        [ref, subschema.document.root if local or subschema.document.has_inner_ids else None]
    )
    return model.Rest("$ref", (), text, f"{subschema.pointer}/{word}")


def _evaluated(flat: model.FlatSchema) -> model.FlatSchema:
    """Treat `unevaluated…` as `additional…` if no part is conditional: the two then mean the same."""
    if any(rest.kind in _SOMETIMES for rest in flat.rest):
        return flat
    for word, spoken_of in zip(UNEVALUATED, (flat.additional, flat.items), strict=True):
        own = [rest for rest in flat.rest if rest.kind == word and rest.pointer == f"{flat.pointer}/{word}"]
        if len(own) == 1 and not spoken_of:
            flat.rest = tuple(rest for rest in flat.rest if rest is not own[0])
            setattr(flat, "additional" if word.endswith("Properties") else "items", own[0].parts[0])
            flat.at["additionalProperties" if word.endswith("Properties") else "items"] = own[0].pointer
    return flat
