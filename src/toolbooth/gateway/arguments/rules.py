"""The rules that put a broken keyword into words; a union is explained by the branch that was probably meant."""

from collections.abc import Iterable
from typing import Any

from toolbooth import limits, safetext, suggest
from toolbooth.gateway.arguments.inspection import (
    MAX_CHOICE_TEXT,
    STOP,
    Inspection,
    Mismatch,
    called,
    item,
    member,
    rule,
    shown,
    wrong_choice,
    wrong_type,
)
from toolbooth.schema import Node

_ALIKE = 75  # of 100: `titel` and `title` are 80
_BOUNDS = {
    "minimum": "must be at least {}",
    "maximum": "must be at most {}",
    "exclusiveMinimum": "must be more than {}",
    "exclusiveMaximum": "must be less than {}",
    "multipleOf": "must be a multiple of {}",
    "minLength": "must have at least {} character{s}",
    "maxLength": "must have at most {} character{s}",
    "pattern": "must match {}",
    "minItems": "must have at least {} item{s}",
    "maxItems": "must have at most {} item{s}",
    "uniqueItems": "must not contain the same item twice",
    "minProperties": "must have at least {} member{s}",
    "maxProperties": "must have at most {} member{s}",
}


def nearest(name: str, names: Iterable[str]) -> str | None:
    """The name that was probably meant."""
    known = [each for each in names if len(each) <= limits.MAX_WORD][: limits.MAX_PARAMETERS]
    if len(name) > limits.MAX_WORD:
        return None
    return next(iter(suggest.closest(name, known, alike=_ALIKE)), None)


@rule("type")
def types(look: Inspection, node: Node, value: Any, path: str) -> object:
    if look.keeps(node, ("type",), value):
        return None
    named = node.keywords["type"]
    look.report(wrong_type(path, [named] if isinstance(named, str) else named, value))
    return STOP


@rule("const")
def constant(look: Inspection, node: Node, value: Any, path: str) -> None:
    if not look.keeps(node, ("const",), value):
        look.report(wrong_choice(path, [shown(node.keywords["const"])]))


@rule("enum")
def choices(look: Inspection, node: Node, value: Any, path: str) -> None:
    if not look.keeps(node, ("enum",), value):
        look.report(wrong_choice(path, map(shown, node.keywords["enum"])))


def _bound(word: str, sentence: str) -> None:
    @rule(word)
    def bound(look: Inspection, node: Node, value: Any, path: str) -> None:
        if not look.keeps(node, (word,), value):
            limit = node.keywords[word]
            words = sentence.format(limit if word == "pattern" else shown(limit), s="" if limit == 1 else "s")
            look.report(Mismatch(path, f"{called(path)} {safetext.for_terminal(words, MAX_CHOICE_TEXT)}"))


for _word, _sentence in _BOUNDS.items():
    _bound(_word, _sentence)


@rule("required")
def required(look: Inspection, node: Node, value: Any, path: str) -> None:
    if isinstance(value, dict):
        _missing(look, node, node.keywords["required"], value, path)


@rule("dependentRequired")
def dependent_required(look: Inspection, node: Node, value: Any, path: str) -> None:
    if isinstance(value, dict):
        for name, names in node.keywords["dependentRequired"].items():
            if name in value:
                _missing(look, node, names, value, path)


def _missing(look: Inspection, node: Node, names: Iterable[str], value: dict[str, Any], path: str) -> None:
    closed = node.keywords.get("additionalProperties") is False  # then each stray gets a line of its own
    strays = [] if closed else [name for name in value if name not in node.keywords.get("properties", {})]
    for name in names:
        if name not in value:
            stray = nearest(name, strays)
            hint = f"; {called(member('', stray))} is not its name" if stray else ""
            look.report(Mismatch(path, f"missing required {called(member(path, name))}{hint}"))


@rule("additionalProperties")
def additional_properties(look: Inspection, node: Node, value: Any, path: str) -> None:
    if not isinstance(value, dict) or look.keeps(node, _MEMBERS, value):
        return
    schema = node.keywords["additionalProperties"]
    patterns = node.keywords.get("patternProperties", {})
    for name, inner in value.items():
        if name in node.keywords.get("properties", {}) or any(look.matches(each, name) for each in patterns):
            continue
        if schema is False:
            look.report(_unknown(node, name, value, path))
        else:
            look.visit(schema, inner, member(path, name))


_MEMBERS = ("properties", "patternProperties", "additionalProperties")


def _unknown(node: Node, name: str, value: dict[str, Any], path: str) -> Mismatch:
    meant = nearest(name, (each for each in node.keywords.get("properties", {}) if each not in value))
    hint = f"; did you mean {called(member('', meant))}?" if meant else ""
    kind = f"member {called(member(path, name))}" if path else f"parameter {called(member('', name))}"
    return Mismatch(path, f"unknown {kind}{hint}")


@rule("properties")
def properties(look: Inspection, node: Node, value: Any, path: str) -> None:
    if isinstance(value, dict):
        for name, schema in node.keywords["properties"].items():
            if name in value:
                look.visit(schema, value[name], member(path, name))


@rule("patternProperties")
def pattern_properties(look: Inspection, node: Node, value: Any, path: str) -> None:
    for pattern, schema in node.keywords["patternProperties"].items() if isinstance(value, dict) else ():
        for name, inner in value.items():
            if look.matches(pattern, name):
                look.visit(schema, inner, member(path, name))


@rule("prefixItems")
def prefix_items(look: Inspection, node: Node, value: Any, path: str) -> None:
    _one_by_one(look, node.keywords["prefixItems"], value, path)


@rule("items")
def items(look: Inspection, node: Node, value: Any, path: str) -> None:
    schema = node.keywords["items"]
    if isinstance(schema, list):
        _one_by_one(look, schema, value, path)
    else:
        _rest(look, schema, value, path, len(node.keywords.get("prefixItems", ())))


@rule("additionalItems")
def additional_items(look: Inspection, node: Node, value: Any, path: str) -> None:
    if isinstance(node.keywords.get("items"), list):
        _rest(look, node.keywords["additionalItems"], value, path, len(node.keywords["items"]))


def _one_by_one(look: Inspection, schemas: list[Any], value: Any, path: str) -> None:
    if isinstance(value, list):
        for index, (schema, each) in enumerate(zip(schemas, value, strict=False)):
            look.visit(schema, each, item(path, index))


def _rest(look: Inspection, schema: Any, value: Any, path: str, start: int) -> None:
    if isinstance(value, list):
        for index in range(start, len(value)):
            look.visit(schema, value[index], item(path, index))


@rule("$ref")
def reference(look: Inspection, node: Node, value: Any, path: str) -> None:
    look.visit(node.keywords["$ref"].target, value, path)


@rule("allOf")
def all_of(look: Inspection, node: Node, value: Any, path: str) -> None:
    for schema in node.keywords["allOf"]:
        look.visit(schema, value, path)


@rule("dependentSchemas", "dependencies")
def dependent_schemas(look: Inspection, node: Node, value: Any, path: str) -> None:
    for word in ("dependentSchemas", "dependencies") if isinstance(value, dict) else ():
        for name, schema in node.keywords.get(word, {}).items():
            if name in value:
                look.visit(schema, value, path)


@rule("if")
def condition(look: Inspection, node: Node, value: Any, path: str) -> None:
    branch = "then" if look.fits(node.keywords["if"], value) else "else"
    look.visit(node.keywords.get(branch, True), value, path)


def _asked(words: tuple[str, ...], sentence: str) -> None:
    @rule(words[0])
    def asked(look: Inspection, node: Node, value: Any, path: str) -> None:
        if not look.keeps(node, words, value):
            look.report(Mismatch(path, f"{called(path)} {sentence}"))


_asked(("not",), "is excluded by the tool's schema")
_asked(("contains", "minContains", "maxContains"), "must contain the items that the tool's schema requires")
_asked(("propertyNames",), "must not have a member of this name")


@rule("anyOf", "oneOf")
def union(look: Inspection, node: Node, value: Any, path: str) -> None:
    for word in ("anyOf", "oneOf"):
        if word in node.keywords and not look.keeps(node, (word,), value):
            _explain(look, node.keywords[word], value, path)


def _explain(look: Inspection, branches: list[Node | bool], value: Any, path: str) -> None:
    if any(look.fits(branch, value) for branch in branches):
        look.report(
            Mismatch(
                path,
                f"{called(path)} must match exactly one alternative of the tool's schema; it matches several",
            )
        )
        return
    trials = [look.trial(branch, value, path) for branch in branches]
    for mismatch in _meant(trials, value, path):
        look.report(mismatch)


def _meant(trials: list[list[Mismatch]], value: Any, path: str) -> list[Mismatch]:
    """What all branches say together if none takes such a value, else what the nearest one says."""
    near = [trial for trial in trials if not _says(trial, path, "types")]
    if not near:
        wanted = [kind for trial in trials for each in trial if each.path == path for kind in each.types]
        return [wrong_type(path, wanted, value)] if wanted else []
    chosen = [trial for trial in near if _says(trial, path, "choices")]
    if len(chosen) == len(near):
        wanted = [
            option for trial in chosen for each in trial if each.path == path for option in each.choices
        ]
        return [wrong_choice(path, wanted)]
    return min((trial for trial in near if trial), key=_distance, default=[])


def _says(trial: list[Mismatch], path: str, what: str) -> bool:
    return any(each.path == path and getattr(each, what) for each in trial)


def _distance(trial: list[Mismatch]) -> tuple[int, int]:
    """A value of another choice (`kind: "a"`) means another branch, whatever else is wrong."""
    return sum(bool(each.choices) for each in trial), len(trial)
