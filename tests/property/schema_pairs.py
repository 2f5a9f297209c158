"""A seed → a schema and another that differs a little in meaning, or in notation alone."""

import copy
import random
from collections.abc import Callable, Iterator
from typing import Any

from tests.unit.economics.random_schemas import BOUNDS, KEYS, TYPES, SchemaMaker, instance, places

from toolbooth.schema import resolve_local

Json = Any
Node = dict[str, Json]
# Names that also say how long an answer is: what they bound is an input all the same.
LIMITS = ("limit", "page_size", "maxResults", "top_k", "count", "per-page", "n")


def pair(seed: int) -> tuple[Node, Node]:
    """A schema, and the same after one to three small changes (or, now and then, a quite different one)."""
    source = random.Random(seed)
    before = _compact(seed) if seed % 2 else SchemaMaker(seed, source.choice((1, 1, 2, 2, 3))).make()
    if source.random() < 0.1:
        return before, SchemaMaker(seed + 1, 2).make()
    after = copy.deepcopy(before)
    for _ in range(source.choice((1, 1, 1, 2, 3))):
        nodes = [node for path in places(after, "#") if isinstance(node := resolve_local(after, path), dict)]
        source.choice(CHANGES)(source, source.choice(nodes))
    return before, after


def limited_pair(seed: int) -> tuple[Node, Node]:
    """A schema with inputs that are called like limits, and the same after one to three changes of them."""
    source = random.Random(seed)
    names = source.sample(LIMITS, source.choice((1, 2)))
    before: Node = {"type": "object", "properties": {name: _limit(source) for name in names}}
    after = copy.deepcopy(before)
    for _ in range(source.choice((1, 1, 2, 3))):
        part = source.choice(list(after["properties"].values()))
        source.choice((_move_limit, _move_limit, _retype, _values, _drop))(source, part)
    return before, after


def _limit(source: random.Random) -> Node:
    made: Node = {"type": source.choice(("integer", "number", ["integer", "null"]))}
    for _ in range(source.choice((1, 2))):
        _move_limit(source, made)
    return made


def _move_limit(source: random.Random, node: Node) -> None:
    word = source.choice(("maximum", "maximum", "minimum", "exclusiveMaximum", "multipleOf", "default"))
    node[word] = source.choice((1, 2, 3))


def _compact(seed: int) -> Node:
    """Without definitions, so that every change is one of what is accepted."""
    for number in range(seed * 1000, seed * 1000 + 1000):
        maker = SchemaMaker(number, 1 + number % 2)
        made = maker.object("") if number % 3 else maker.schema("", booleans=False)
        if "$ref'" not in repr(made):
            return made | ({"$schema": maker.draft} if maker.draft else {})
    raise AssertionError("all of them refer")


def _retype(source: random.Random, node: Node) -> None:
    kinds = node.get("type", list(TYPES))
    kinds = [kinds] if isinstance(kinds, str) else list(kinds)
    other = source.choice(TYPES)
    kinds = [kind for kind in kinds if kind != other] if other in kinds else [*kinds, other]
    node["type"] = kinds if len(kinds) > 1 else kinds[0] if kinds else other


def _bound(source: random.Random, node: Node) -> None:
    word = source.choice(tuple(BOUNDS))
    node[word] = source.choice((*BOUNDS[word], *((0, 3) if isinstance(BOUNDS[word][0], int) else ())))
    if word in ("multipleOf", "uniqueItems") or node[word] == 0:
        node[word] = BOUNDS[word][0]


def _values(source: random.Random, node: Node) -> None:
    listed = list(node.get("enum", ()))
    if listed and source.random() < 0.5:
        listed.pop(source.randrange(len(listed)))
    node["enum"] = listed + [instance(source, 1) for _ in range(source.choice((0, 1, 2)))] or [None]


def _field(source: random.Random, node: Node) -> None:
    table = dict(node.get("properties", {}))
    if table and source.random() < 0.4:
        table.pop(source.choice(list(table)))
    else:
        table[source.choice((*KEYS, *LIMITS))] = _small(source)
    node["properties"] = table


def _required(source: random.Random, node: Node) -> None:
    names = list(node.get("required", ()))
    name = source.choice(KEYS)
    node["required"] = [each for each in names if each != name] if name in names else [*names, name]


def _closing(source: random.Random, node: Node) -> None:
    if "additionalProperties" in node and source.random() < 0.5:
        del node["additionalProperties"]
    else:
        node["additionalProperties"] = source.choice((False, True, _small(source)))


def _branch(source: random.Random, node: Node) -> None:
    word = source.choice([word for word in ("anyOf", "oneOf", "allOf") if word in node] or ["anyOf"])
    branches = list(node.get(word, ()))
    if len(branches) > 1 and source.random() < 0.5:
        branches.pop(source.randrange(len(branches)))
    else:
        branches.append(_small(source))
    node[word] = branches


def _drop(source: random.Random, node: Node) -> None:
    droppable = [word for word in node if word not in ("$defs", "definitions", "$schema")]
    if droppable:
        del node[source.choice(droppable)]


def _another_word(source: random.Random, node: Node) -> None:
    other = SchemaMaker(source.randrange(2**32), 1)
    made = other.schema("")
    for word, value in made.items() if isinstance(made, dict) else ():
        if "$ref" not in repr(value) and word != "$ref":
            node[word] = value
            return


def _negation(source: random.Random, node: Node) -> None:
    word = source.choice(("not", "if", "items", "contains", "propertyNames", "prefixItems"))
    node[word] = (
        [_small(source), _small(source)][: source.choice((1, 2))] if word == "prefixItems" else _small(source)
    )
    if word == "if":
        node["then"] = _small(source)


def _small(source: random.Random) -> Json:
    made: Node = {}
    for change in source.sample((_retype, _bound, _values, _required), source.choice((0, 1, 1, 2))):
        change(source, made)
    return made


CHANGES: tuple[Callable[[random.Random, Node], None], ...] = (
    _retype,
    _retype,
    _bound,
    _bound,
    _values,
    _field,
    _field,
    _required,
    _closing,
    _branch,
    _branch,
    _drop,
    _drop,
    _another_word,
    _negation,
)


def other_notation(seed: int, schema: Node) -> Node:
    """The same schema, written otherwise."""
    source = random.Random(seed)
    root = copy.deepcopy(schema)
    root = _moved_home(root) if source.random() < 0.5 else root
    for path in list(places(root, "#")):
        node = resolve_local(root, path)
        if isinstance(node, dict):
            _rewrite(source, node, root, old="draft-0" in str(root.get("$schema")))
    shuffled: Node = _shuffled(source, root)
    return shuffled


def _rewrite(source: random.Random, node: Node, root: Node, *, old: bool) -> None:
    for rewriting in source.sample(REWRITINGS, source.choice((0, 1, 2))):
        if not (old and "$ref" in node):  # nothing beside `$ref` counts there
            rewriting(source, node)
    inner = node.get("items")
    if isinstance(inner, dict) and source.random() < 0.2:
        home = "definitions" if "definitions" in root else "$defs"
        name = f"Moved{len(root.get(home, {}))}"
        root.setdefault(home, {})[name] = inner
        node["items"] = {"$ref": f"#/{home}/{name}"}


def _list_type(_: random.Random, node: Node) -> None:
    if isinstance(node.get("type"), str):
        node["type"] = [node["type"]]


def _one_value(_: random.Random, node: Node) -> None:
    if "const" in node and "enum" not in node:
        node["enum"] = [node.pop("const")]


def _no_bounds(source: random.Random, node: Node) -> None:
    for word in ("minLength", "minItems", "minProperties"):
        if source.random() < 0.5:
            node.setdefault(word, 0)
    node.setdefault("required", [])
    node.setdefault("uniqueItems", False)


def _wrapped(_: random.Random, node: Node) -> None:
    if "allOf" not in node and "type" in node:
        node["allOf"] = [{"type": node.pop("type")}]


def _floats(_: random.Random, node: Node) -> None:
    for word in ("minimum", "maximum", "minLength", "maxItems"):
        if isinstance(node.get(word), int):
            node[word] = float(node[word])


REWRITINGS = (_list_type, _one_value, _no_bounds, _wrapped, _floats)


def _moved_home(root: Node) -> Node:
    text = repr(root)
    old, new = ("definitions", "$defs") if "definitions" in root else ("$defs", "definitions")
    if old not in root or new in root or f"#/{new}" in text:
        return root
    return {new if key == old else key: _redirected(value, old, new) for key, value in root.items()}


def _redirected(value: Json, old: str, new: str) -> Json:
    if isinstance(value, dict):
        return {
            key: inner.replace(f"#/{old}/", f"#/{new}/")
            if key == "$ref" and isinstance(inner, str)
            else _redirected(inner, old, new)
            for key, inner in value.items()
        }
    return [_redirected(inner, old, new) for inner in value] if isinstance(value, list) else value


def _shuffled(source: random.Random, value: Json) -> Json:
    if isinstance(value, list):
        return [_shuffled(source, inner) for inner in value]
    if not isinstance(value, dict):
        return value
    keys = list(value)
    source.shuffle(keys)
    return {key: _shuffled(source, value[key]) for key in keys}


def keys_in(value: Json) -> Iterator[str]:
    """Every name of a property in an instance."""
    if isinstance(value, dict):
        yield from value
        for inner in value.values():
            yield from keys_in(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from keys_in(inner)
