"""Rules for `anyOf`, `oneOf` and `allOf` whose branches amount to one schema."""

from collections.abc import Iterable
from typing import Any, Final

from toolbooth import schema
from toolbooth.economics.slimming import graph, keywords
from toolbooth.economics.slimming.rule import RuleContext, rule

_NUMERIC: Final = frozenset(("integer", "number"))
_LIFTED: Final = frozenset(("title", "description"))  # a default inside a branch is not one of the whole


def _branches(node: schema.Node, word: str) -> list[schema.Node]:
    """The branches of a union, or nothing if one of them is true or false, or hidden beside an old `$ref`."""
    value = node.keywords.get(word)
    if not isinstance(value, list) or not all(isinstance(branch, schema.Node) for branch in value):
        return []
    return value


@rule("one-branch", "anyOf", "oneOf", "allOf", moves=True)
def one_branch(node: schema.Node, context: RuleContext) -> str | None:
    for word in ("anyOf", "oneOf", "allOf"):
        branches = _branches(node, word)
        if len(branches) != 1 or context.uses[branches[0]]:
            continue
        inner = branches[0].keywords
        if ("default" in inner and word != "allOf") or not graph.can_merge(graph.without(node, word), inner):
            continue
        graph.put_in_place(node, word, inner)
        return f"{word} of one branch"
    return None


@rule("duplicate-branch", "anyOf", "allOf", moves=True)
def duplicate_branch(node: schema.Node, context: RuleContext) -> str | None:
    for word in ("anyOf", "allOf"):
        seen: set[Any] = set()
        kept: list[schema.Node] = []
        branches = _branches(node, word)
        for branch in branches:
            mark = graph.signature(branch)
            if mark not in seen or not context.free(branch):
                kept.append(branch)
            seen.add(mark)
        if len(kept) < len(branches):
            node.keywords[word] = kept
            return f"{word} repeats {len(branches) - len(kept)} branch(es)"
    return None


@rule("nested-union", "anyOf", "allOf", moves=True)
def nested_union(node: schema.Node, context: RuleContext) -> str | None:
    for word in ("anyOf", "allOf"):
        branches = _branches(node, word)
        nested = [
            b for b in branches if b.keywords.keys() == {word} and not context.uses[b] and _branches(b, word)
        ]
        if nested:
            node.keywords[word] = [
                inner
                for branch in branches
                for inner in (_branches(branch, word) if branch in nested else [branch])
            ]
            return f"{word} in {word}"
    return None


@rule("union-of-constants", "anyOf", "oneOf", moves=True)
def union_of_constants(node: schema.Node, context: RuleContext) -> str | None:
    for word in ("anyOf", "oneOf"):
        groups: dict[Any, list[schema.Node]] = {}
        branches = _branches(node, word)
        for branch in branches:
            if _constants(branch) and not context.uses[branch]:
                groups.setdefault(graph.signature(branch.keywords.get("type")), []).append(branch)
        group = next((group for group in groups.values() if len(group) > 1), None)
        if group and _may_join(word, group):
            node.keywords[word] = [branch for branch in branches if branch not in group[1:]]
            _join_constants(group)
            return f"{word} of constants instead of one enum"
    return None


def _constants(branch: schema.Node) -> list[Any]:
    """The values of a branch that lists values and asks for nothing more than their type."""
    words = branch.keywords
    if words.keys() <= {"type", "const"} and "const" in words:
        return [words["const"]]
    if words.keys() <= {"type", "enum"} and isinstance(words.get("enum"), list):
        return list(words["enum"])
    return []


def _may_join(word: str, group: list[schema.Node]) -> bool:
    if word == "anyOf":
        return True
    # In oneOf a value that stands in two branches is refused; only texts are compared without doubt.
    values = [value for branch in group for value in _constants(branch)]
    return (
        all(isinstance(value, str) for value in values)
        and all(len(set(_constants(branch))) == len(_constants(branch)) for branch in group)
        and len(set(values)) == len(values)
    )


def _join_constants(group: list[schema.Node]) -> None:
    values = {graph.signature(value): value for branch in group for value in _constants(branch)}
    first = group[0]
    first.keywords = {key: value for key, value in first.keywords.items() if key == "type"}
    first.keywords["enum"] = list(values.values())


@rule("union-of-types", "anyOf", "oneOf", moves=True)
def union_of_types(node: schema.Node, context: RuleContext) -> str | None:
    for word in ("anyOf", "oneOf"):
        branches = _branches(node, word)
        rest = graph.without(node, word)
        if (
            len(branches) < 2
            or not graph.only_annotations(rest)
            or any(context.uses[branch] for branch in branches)
        ):
            continue
        merged = _one_schema(branches, exclusive=word == "oneOf")
        if merged is None or any(key in rest and rest[key] != merged[key] for key in _LIFTED & merged.keys()):
            continue
        graph.put_in_place(node, word, merged)
        return f"{word} of types instead of a list of types"
    return None


def _one_schema(branches: list[schema.Node], *, exclusive: bool) -> dict[str, Any] | None:
    """The keywords of the union as one schema: bare types, and at most one branch that says more."""
    rich = [branch for branch in branches if branch.keywords.keys() != {"type"}]
    bare = [kind for branch in branches if branch not in rich for kind in _types(branch)]
    all_types = [kind for branch in branches for kind in _types(branch)]
    if len(rich) > 1 or not all(_types(branch) for branch in branches):
        return None
    if exclusive and _overlap(all_types):
        return None
    if rich and not _says_nothing_of(rich[0], bare):
        return None
    return _with_types(rich[0].keywords if rich else {}, list(dict.fromkeys(all_types)))


def _types(branch: schema.Node) -> list[str]:
    kinds = branch.keywords.get("type")
    named = [kinds] if isinstance(kinds, str) else kinds
    return named if isinstance(named, list) and all(isinstance(kind, str) for kind in named) else []


def _overlap(kinds: list[str]) -> bool:
    return len(set(kinds)) < len(kinds) or set(kinds) >= _NUMERIC


def _says_nothing_of(branch: schema.Node, bare: Iterable[str]) -> bool:
    """Whether a branch, once its types are widened by `bare`, accepts all instances of those types."""
    widened = _numeric_as_one(bare)
    if widened & _numeric_as_one(_types(branch)):
        return False
    for word, value in branch.keywords.items():
        if word in ("enum", "const"):
            if widened != {"null"} or (word == "enum" and not isinstance(value, list)):
                return False
        elif word not in _LIFTED and word != "type" and keywords.SPEAKS_OF.get(word, widened) & widened:
            return False
    return not {"enum", "const"} <= branch.keywords.keys()


def _numeric_as_one(kinds: Iterable[str]) -> frozenset[str]:
    named = frozenset(kinds)
    return named | _NUMERIC if named & _NUMERIC else named


def _with_types(words: dict[str, Any], kinds: list[str]) -> dict[str, Any]:
    merged = {"type": kinds} | {word: value for word, value in words.items() if word != "type"}
    if "const" in merged:
        merged = {("enum" if word == "const" else word): value for word, value in merged.items()}
        merged["enum"] = [merged["enum"]]
    if "enum" in merged:
        merged["enum"] = [*merged["enum"], *([] if None in merged["enum"] else [None])]
    return merged
